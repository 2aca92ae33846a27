"""Protecting single branches in the older way."""

from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    world.commit(project, "feature/one", {"a.txt": "a\n"})
    return project


def branch(project: dict[str, Any], name: str = "feature%2Fone") -> str:
    return f"/projects/{project['id']}/repository/branches/{name}"


def levels(owner: Person, project: dict[str, Any], name: str = "feature%2Fone") -> tuple[list[int], list[int]]:
    rule = owner.client.ok("GET", f"/projects/{project['id']}/protected_branches/{name}")
    push, merge = ([entry["access_level"] for entry in rule[f"{kind}_access_levels"]] for kind in ("push", "merge"))
    return push, merge


def test_a_branch_is_protected_for_roles(owner: Person, project: dict[str, Any]) -> None:
    reply = owner.client.put(f"{branch(project)}/protect")

    assert reply.status_code == 200
    assert (reply.json()["name"], reply.json()["protected"]) == ("feature/one", True)
    assert levels(owner, project) == ([40], [40])


@pytest.mark.parametrize(
    ("flags", "expected", "shown"),
    [
        ({"developers_can_push": True}, ([30], [40]), (True, False)),
        ({"developers_can_merge": True}, ([40], [30]), (False, True)),
        ({"developers_can_push": True, "developers_can_merge": True}, ([30], [30]), (True, True)),
        ({"developers_can_push": False, "developers_can_merge": False}, ([40], [40]), (False, False)),
    ],
)
def test_developers_get_what_the_flags_say(
    owner: Person, project: dict[str, Any], flags: dict[str, bool], expected: Any, shown: tuple[bool, bool]
) -> None:
    reply = owner.client.ok("PUT", f"{branch(project)}/protect", json=flags)

    assert levels(owner, project) == expected
    assert (reply["developers_can_push"], reply["developers_can_merge"]) == shown


def test_a_flag_that_is_left_out_keeps_what_is_there(world: World, owner: Person, project: dict[str, Any]) -> None:
    person = world.user()
    world.member(project, person, "developer")
    rule = {"name": "feature/one", "push_access_level": 30, "merge_access_level": 30}
    rule |= {"allowed_to_push": [{"user_id": person.id}]}
    owner.client.ok("POST", f"/projects/{project['id']}/protected_branches", json=rule)

    owner.client.ok("PUT", f"{branch(project)}/protect", json={"developers_can_push": False})

    remaining = owner.client.ok("GET", f"/projects/{project['id']}/protected_branches/feature%2Fone")
    pushers = {(entry["access_level"], entry["user_id"]) for entry in remaining["push_access_levels"]}
    assert (40, None) in pushers
    assert (30, None) not in pushers
    assert person.id in {user_id for _, user_id in pushers}
    assert [entry["access_level"] for entry in remaining["merge_access_levels"]] == [30]


def test_the_protection_is_taken_away(owner: Person, project: dict[str, Any]) -> None:
    owner.client.ok("PUT", f"{branch(project)}/protect")

    for _ in range(2):
        reply = owner.client.put(f"{branch(project)}/unprotect")
        assert (reply.status_code, reply.json()["protected"]) == (200, False)


def test_a_branch_that_only_some_may_unprotect_stays_protected(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    maintainer = world.user()
    world.member(project, maintainer, "maintainer")
    rule = {"name": "feature/one", "allowed_to_unprotect": [{"user_id": owner.id}]}
    owner.client.ok("POST", f"/projects/{project['id']}/protected_branches", json=rule)

    assert maintainer.client.put(f"{branch(project)}/unprotect").status_code == 403
    assert owner.client.ok("GET", branch(project))["protected"] is True


@pytest.mark.parametrize("verb", ["protect", "unprotect"])
def test_who_may_protect(world: World, owner: Person, project: dict[str, Any], verb: str) -> None:
    developer, stranger = world.user(), world.user()
    world.member(project, developer, "developer")
    private = world.project(owner, initialize_with_readme=True)

    assert developer.client.put(f"{branch(project)}/{verb}").status_code == 403
    assert stranger.client.put(f"{branch(project)}/{verb}").status_code == 403
    assert world.anonymous.put(f"{branch(project)}/{verb}").status_code == 401
    assert stranger.client.put(f"{branch(private, 'main')}/{verb}").status_code == 404
    missing = owner.client.put(f"{branch(project, 'nowhere')}/{verb}")
    assert (missing.status_code, missing.json()) == (404, {"message": "404 Branch Not Found"})
