"""Attacks on answers that are given again: what a caller may no longer see or do, on this node or on another."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ingot.identity.authentication import Authenticator
from ingot.kit import tallies
from tests.operating.test_rate_limits import ENDLESS
from tests.support.client import Client
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World

ANEW = {"Cache-Control": "no-cache"}


@pytest.fixture(scope="module")
def nodes(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[RunningServer, RunningServer]]:
    folder: Path = tmp_path_factory.mktemp("nodes")
    url = databases.fresh(folder)
    with RunningServer(url, folder) as one, RunningServer(url, folder) as two:
        yield one, two


class Scene(NamedTuple):
    """A private project with a file, its owner on one node, and a member who reads on the other."""

    world: World
    owner: Person
    member: Person
    node: RunningServer
    there: Client
    project: dict[str, Any]
    path: str


@pytest.fixture
def scene(nodes: tuple[RunningServer, RunningServer]) -> Scene:
    one, two = nodes
    world = World(one)
    owner, member = world.user(), world.user()
    project = world.project(owner, visibility="private", initialize_with_readme=True)
    world.member(project, member, 30)
    return Scene(world, owner, member, two, two.client(member.token), project, f"/projects/{project['id']}")


def repeated(client: Client, path: str) -> Any:
    """Ask until the answer is given again, without a statement but for the look at the version; its content."""

    def again() -> Any:
        answer = client.get(path)
        assert answer.status_code == 200, answer.text
        return answer if int(answer.headers["X-Query-Count"]) <= 1 else None

    return until(again)


def test_an_answer_is_given_again_with_a_request_id_of_its_own(scene: Scene) -> None:
    first, second = repeated(scene.there, scene.path), repeated(scene.there, scene.path)

    assert first.content == second.content
    assert first.headers["ETag"] == second.headers["ETag"]
    assert first.headers["X-Request-Id"] != second.headers["X-Request-Id"]
    assert first.headers.get_list("vary") == second.headers.get_list("vary")
    anew = scene.there.get(scene.path, headers=ANEW)
    assert anew.content == first.content
    assert int(anew.headers["X-Query-Count"]) > 1


def test_a_known_entity_tag_saves_the_body_of_a_repeated_answer(scene: Scene) -> None:
    tag = repeated(scene.there, scene.path).headers["ETag"]

    for _ in range(2):
        answer = scene.there.get(scene.path, headers={"If-None-Match": tag})
        assert (answer.status_code, answer.content) == (304, b"")
        assert (answer.headers["ETag"], answer.headers.get("Content-Type")) == (tag, None)

    scene.owner.client.ok("PUT", scene.path, json={"description": "changed"})
    assert scene.there.get(scene.path, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("list_of", ["", "/merge_requests", "/repository/branches"])
def test_who_holds_an_answer_learns_that_it_still_holds_before_one_is_built(scene: Scene, list_of: str) -> None:
    """Whether it was built for somebody who does not hold it, or for one who asks whether it changed all the time."""
    path = f"{scene.path}{list_of}"
    tag = scene.there.get(path).headers["ETag"]

    def answered_at_once() -> bool:
        answer = scene.there.get(path, headers={"If-None-Match": tag})
        assert answer.status_code == 304, answer.text
        return int(answer.headers["X-Query-Count"]) <= 1

    until(answered_at_once)
    plain = scene.there.get(path, headers={"If-None-Match": 'W/"another"'})
    assert (plain.status_code, plain.headers["ETag"]) == (200, tag)
    assert plain.json() == scene.there.get(path, headers=ANEW).json()


def test_a_removed_member_reads_nothing_more(scene: Scene) -> None:
    reads = [scene.path, f"{scene.path}/repository/commits", f"{scene.path}/repository/files/README.md/raw"]
    for path in reads:
        repeated(scene.there, path)
        assert scene.there.get(path, headers=ANEW).status_code == 200  # with what is remembered of the project

    scene.owner.client.request("DELETE", f"{scene.path}/members/{scene.member.id}")

    assert {scene.there.get(path, headers=how).status_code for path in reads for how in ({}, ANEW)} == {404}


def test_what_is_remembered_of_rights_ends_with_the_next_change(scene: Scene) -> None:
    request = f"{scene.path}/merge_requests/{scene.world.merge_request(scene.project)['iid']}"
    place = f"{scene.path}/protected_branches"

    def may_merge() -> list[bool]:
        answers = [scene.there.get(request, headers=ANEW) for _ in range(2)]
        return [answer.json()["user"]["can_merge"] for answer in answers]

    assert may_merge() == [False, False]
    scene.owner.client.request("DELETE", f"{place}/main")
    assert may_merge() == [True, True]
    scene.owner.client.ok("POST", place, json={"name": "ma*", "merge_access_level": 40})
    assert may_merge() == [False, False]
    scene.owner.client.ok("PUT", f"{scene.path}/members/{scene.member.id}", json={"access_level": 40})
    assert may_merge() == [True, True]


def test_a_blocked_user_reads_nothing_more(scene: Scene) -> None:
    repeated(scene.there, "/user")
    repeated(scene.there, scene.path)

    scene.world.admin.ok("POST", f"/users/{scene.member.id}/block")

    assert {scene.there.get(path).status_code for path in ("/user", scene.path)} == {403}


def test_a_revoked_token_reads_nothing_more(scene: Scene) -> None:
    token = scene.world.admin.ok(
        "POST", f"/users/{scene.member.id}/personal_access_tokens", json={"name": "brief", "scopes": ["read_api"]}
    )
    there = scene.node.client(token["token"])
    repeated(there, "/user")

    scene.world.admin.request("DELETE", f"/personal_access_tokens/{token['id']}")

    assert [there.get("/user", headers=how).status_code for how in ({}, ANEW)] == [401, 401]


def test_an_administrator_who_is_none_any_more_sees_what_others_see(scene: Scene) -> None:
    account = f"/users/{scene.member.id}"
    scene.world.admin.ok("PUT", account, json={"admin": True})
    assert all("is_admin" in scene.there.get("/users", headers=how).json()[0] for how in ({}, {}, ANEW))

    scene.world.admin.ok("PUT", account, json={"admin": False})

    assert not any("is_admin" in scene.there.get("/users", headers=how).json()[0] for how in ({}, ANEW))


def test_writes_elsewhere_leave_what_is_known_of_a_token(scene: Scene) -> None:
    clear = scene.member.token
    db = scene.node.services.db
    if not db.is_sqlite:
        pytest.skip("PostgreSQL tells its version in a statement")
    known = Authenticator(db)

    def statements() -> int:
        scene.owner.client.ok("POST", f"{scene.path}/issues", json={"title": "An issue"})
        with db.read() as conn:
            before = tallies.current.reads[0]
            assert known.by_token(conn, clear, "") is not None
            return int(tallies.current.reads[0] - before)

    assert until(lambda: statements() == 0)


def test_a_group_that_closes_to_the_address_is_gone(scene: Scene) -> None:
    group = scene.world.group(scene.owner)
    project = scene.world.project(scene.owner, namespace_id=group["id"])
    scene.world.member(group, scene.member, 30, "groups")
    repeated(scene.there, f"/projects/{project['id']}")

    scene.owner.client.ok("PUT", f"/groups/{group['id']}", json={"ip_restriction_ranges": "192.0.2.0/24"})

    assert scene.there.get(f"/projects/{project['id']}").status_code == 404


def test_a_request_limit_counts_repeated_answers_too(scene: Scene) -> None:
    repeated(scene.there, "/user")
    name = "throttle_authenticated_api"
    limits = {f"{name}_enabled": True, f"{name}_requests_per_period": 3, f"{name}_period_in_seconds": ENDLESS}
    scene.world.admin.ok("PUT", "/application/settings", json=limits)
    try:
        statuses = [scene.there.get("/user").status_code for _ in range(5)]
    finally:
        scene.world.admin.ok("PUT", "/application/settings", json={f"{name}_enabled": False})
        # Nodes read limits anew within a second; the tests after this one must not meet the old one.
        for client in (scene.there, scene.world.admin):
            until(lambda client=client: {client.get("/user").status_code for _ in range(5)} == {200})  # type: ignore[misc]

    assert statuses == [200, 200, 200, 429, 429]


def test_a_push_is_seen_by_the_next_request(scene: Scene) -> None:
    commits, raw = f"{scene.path}/repository/commits", f"{scene.path}/repository/files/README.md/raw?ref=main"
    branches = f"{scene.path}/repository/branches"
    for number in range(3):
        seen = repeated(scene.there, commits).json()[0]["id"]
        for path in (raw, branches):
            repeated(scene.there, path)
        sha = scene.world.commit(scene.project, "main", {"README.md": f"Version {number}\n"})
        assert sha != seen

        assert scene.there.get(commits).json()[0]["id"] == sha
        assert scene.there.get(raw).text == f"Version {number}\n"
        assert scene.there.get(branches).json()[0]["commit"]["id"] == sha


def test_callers_never_get_the_answers_of_others(scene: Scene) -> None:
    own = repeated(scene.there, "/user").json()
    repeated(scene.there, scene.path)
    other, nobody = scene.node.client(scene.owner.token), scene.node.client(None)

    assert other.get("/user").json()["id"] == scene.owner.id
    assert nobody.get("/user").status_code == 401
    assert nobody.get(scene.path).status_code == 404
    assert repeated(scene.there, "/user").json() == own
