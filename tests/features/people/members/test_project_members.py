"""Members of projects: what differs from groups."""

from typing import Any

import pytest
from sqlalchemy import insert, select

from ingot.features.planning.issues import issue_assignees, issues
from ingot.kit.clock import now
from tests.support.world import Person, World


def project_with_people(world: World) -> tuple[dict[str, Any], dict[str, Person]]:
    people = {name: world.user() for name in ("owner", "maintainer", "developer", "guest", "new")}
    group = world.group(people["owner"])
    project = world.project(people["owner"], namespace_id=group["id"])
    for role in ("maintainer", "developer", "guest"):
        world.member(project, people[role], role)
    return project, people


@pytest.mark.parametrize(
    ("role", "level", "status"),
    [
        ("guest", 10, 403),
        ("developer", 10, 403),
        ("maintainer", 40, 201),
        ("maintainer", 50, 403),
        ("owner", 50, 201),
        ("owner", 5, 400),
    ],
)
def test_who_adds_whom(world: World, role: str, level: int, status: int) -> None:
    project, people = project_with_people(world)

    answer = people[role].client.post(
        f"/projects/{project['id']}/members", json={"user_id": people["new"].id, "access_level": level}
    )

    assert answer.status_code == status
    if status == 403:
        assert answer.json() == {"message": "403 Forbidden"}


def test_maintainers_do_not_touch_owners(world: World) -> None:
    project, people = project_with_people(world)
    world.member(project, people["new"], "owner")
    place = f"/projects/{project['id']}/members/{people['new'].id}"
    client = people["maintainer"].client

    assert client.put(place, json={"access_level": 40}).status_code == 403
    assert client.delete(place).status_code == 403
    own = f"/projects/{project['id']}/members/{people['maintainer'].id}"
    assert client.put(own, json={"access_level": 50}).status_code == 403
    assert people["owner"].client.put(place, json={"access_level": 40}).json()["access_level"] == 40
    assert client.delete(place).status_code == 204


def test_a_personal_project_keeps_its_owner(world: World) -> None:
    anna, ben = world.user(), world.user()
    project = world.project(anna)
    place = f"/projects/{project['id']}/members"
    world.member(project, ben, "owner")

    assert [row["access_level"] for row in anna.client.ok("GET", place)] == [50, 50]
    assert ben.client.put(f"{place}/{anna.id}", json={"access_level": 10}).status_code == 403
    assert ben.client.delete(f"{place}/{anna.id}").status_code == 403
    assert ben.client.delete(f"{place}/{ben.id}").status_code == 204


def test_all_members_are_shown_once_with_the_highest_role(world: World) -> None:
    anna, ben = world.user(), world.user()
    top = world.group(anna)
    inner = world.group(anna, parent_id=top["id"])
    project = world.project(anna, namespace_id=inner["id"])
    world.member(top, ben, "reporter", kind="groups")
    world.member(project, ben, "developer")

    rows = ben.client.ok("GET", f"/projects/{project['id']}/members/all")
    assert sorted((row["id"], row["access_level"]) for row in rows) == sorted([(anna.id, 50), (ben.id, 30)])
    assert ben.client.ok("GET", f"/projects/{project['id']}/members/{ben.id}")["access_level"] == 30
    assert ben.client.get(f"/projects/{project['id']}/members/{anna.id}").status_code in (200, 404)


def test_outsiders_read_members_of_public_projects_when_signed_in(world: World) -> None:
    project = world.project(world.user(), visibility="public")

    assert world.user().client.get(f"/projects/{project['id']}/members").status_code == 200
    assert world.anonymous.get(f"/projects/{project['id']}/members").status_code == 401


def test_a_group_can_lock_the_membership_of_its_projects(world: World) -> None:
    anna, ben = world.user(), world.user()
    group = world.group(anna, membership_lock=True)
    project = world.project(anna, namespace_id=group["id"])

    answer = anna.client.post(f"/projects/{project['id']}/members", json={"user_id": ben.id, "access_level": 30})

    assert (answer.status_code, answer.json()) == (405, {"message": "405 Method Not Allowed"})


def test_somebody_who_leaves_can_be_unassigned(world: World) -> None:
    project, people = project_with_people(world)
    ben = people["developer"]
    with world.server.services.db.write() as tx:
        issue_id = tx.execute(
            insert(issues)
            .values(iid=1, project_id=project["id"], title="x", created_at=now(), updated_at=now())
            .returning(issues.c.id)
        ).scalar_one()
        tx.execute(insert(issue_assignees).values(issue_id=issue_id, user_id=ben.id))

    people["owner"].client.delete(f"/projects/{project['id']}/members/{ben.id}", params={"unassign_issuables": "true"})

    with world.server.services.db.read() as conn:
        assert conn.execute(select(issue_assignees).where(issue_assignees.c.issue_id == issue_id)).all() == []
