"""Changes to members, projects and places in the tree at the same time leave the rights whole."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy import select

from ingot.access.authorizations import differences
from ingot.access.tables import namespaces, projects
from tests.support.world import World


def test_rights_are_whole_after_simultaneous_changes(world: World) -> None:
    anna = world.user()
    people = [world.user() for _ in range(6)]
    top, other = world.group(anna), world.group(anna)
    inner = world.group(anna, parent_id=top["id"])
    invited = world.group(anna)
    clients = [world.server.client(anna.token) for _ in range(20)]

    def add(client: Any, number: int) -> Any:
        body = {"user_id": people[number].id, "access_level": 30}
        return client.post(f"/groups/{top['id']}/members", json=body)

    def create(client: Any, number: int) -> Any:
        return client.post("/projects", json={"name": f"p{number}", "namespace_id": inner["id"]})

    def move(client: Any, _: int) -> Any:
        return client.post(f"/groups/{inner['id']}/transfer", json={"group_id": other["id"]})

    def share(client: Any, _: int) -> Any:
        return client.post(f"/groups/{top['id']}/share", json={"group_id": invited["id"], "group_access": 20})

    def nest(client: Any, number: int) -> Any:
        return client.post("/groups", json={"name": f"n{number}", "path": f"n{number}", "parent_id": inner["id"]})

    def rename(client: Any, _: int) -> Any:
        return client.put(f"/groups/{other['id']}", json={"path": world.name("renamed")})

    def join(client: Any, _: int) -> Any:
        body = {"user_id": people[0].id, "access_level": 40}
        return client.post(f"/groups/{other['id']}/members", json=body)

    steps: list[tuple[Callable[[Any, int], Any], int]] = [
        *((add, number) for number in range(6)), (move, 0), *((create, number) for number in range(6)), (share, 0),
        (join, 0), (nest, 1), (nest, 2), (rename, 0),
    ]  # fmt: skip
    with ThreadPoolExecutor(len(steps)) as pool:
        jobs = [pool.submit(step, clients[place], number) for place, (step, number) in enumerate(steps)]
        answers = [job.result() for job in jobs]

    assert {answer.status_code for answer in answers} == {200, 201}, [answer.text for answer in answers]
    with world.server.services.db.read() as conn:
        assert differences(conn) == []
        spaces = {row.id: row for row in conn.execute(select(namespaces))}
        for row in [*spaces.values(), *conn.execute(select(projects)).all()]:
            above = spaces.get(getattr(row, "parent_id", None) or getattr(row, "namespace_id", None))
            assert row.full_path == (f"{above.full_path}/{row.path}" if above is not None else row.path)


def test_the_same_member_at_once_is_added_once(world: World) -> None:
    anna, ben = world.user(), world.user()
    group = world.group(anna)
    clients = [world.server.client(anna.token) for _ in range(6)]
    body = {"user_id": ben.id, "access_level": 30}

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda client: client.post(f"/groups/{group['id']}/members", json=body), clients))

    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409, 409]
