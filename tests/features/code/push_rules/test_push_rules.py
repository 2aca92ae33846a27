"""The endpoints of push rules: from creation to removal, who may what, and what new projects copy."""

from typing import Any

import gitlab
import pytest

from tests.support.world import Person, World

NOTHING = {
    "commit_message_regex": "", "commit_message_negative_regex": "", "branch_name_regex": "", "author_email_regex": "",
    "file_name_regex": "", "deny_delete_tag": False, "member_check": False, "prevent_secrets": False,
    "commit_committer_check": False, "commit_committer_name_check": False, "reject_unsigned_commits": False,
    "reject_non_dco_commits": False, "max_file_size": 0,
}  # fmt: skip


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def test_a_rule_of_a_project_from_creation_to_removal(world: World, owner: Person) -> None:
    project = world.project(owner)
    path, client = f"/projects/{project['id']}/push_rule", owner.client
    assert client.get(path).json() is None
    assert client.put(path, json={"max_file_size": 1}).json() == {"message": "404 Push Rule Not Found"}
    assert client.delete(path).json() == {"message": "404 Push Rule Not Found"}

    created = client.ok("POST", path, json={"commit_message_regex": "^[A-Z]", "max_file_size": 2})
    assert created == {
        **NOTHING,
        "id": created["id"],
        "project_id": project["id"],
        "created_at": created["created_at"],
        "commit_message_regex": "^[A-Z]",
        "max_file_size": 2,
    }
    again = client.post(path, json={"max_file_size": 3})
    assert (again.status_code, again.json()) == (422, {"error": "Project push rule exists"})
    changed = client.ok("PUT", path, json={"commit_message_regex": "", "prevent_secrets": True})
    assert changed == {**created, "commit_message_regex": "", "prevent_secrets": True} == client.ok("GET", path)
    assert client.delete(path).status_code == 204
    assert client.get(path).json() is None
    kinds = {event["event_name"] for event in client.ok("GET", f"/projects/{project['id']}/audit_events")}
    assert {"push_rule_created", "push_rule_updated", "push_rule_deleted"} <= kinds


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ({}, None),
        ({"max_file_size": -1}, {"message": {"max_file_size": ["must be greater than or equal to 0"]}}),
        (
            {"branch_name_regex": "(?=a)"},
            {"message": {"branch_name_regex": ["not valid RE2 syntax: invalid perl operator: (?="]}},
        ),
        (
            {"file_name_regex": "a" * 512},
            {"message": {"file_name_regex": ["is too long (maximum is 511 characters)"]}},
        ),
    ],
)
def test_what_is_no_rule_is_refused(
    world: World, owner: Person, body: dict[str, Any], answer: dict[str, Any] | None
) -> None:
    refused = owner.client.post(f"/projects/{world.project(owner)['id']}/push_rule", json=body)
    assert refused.status_code == 400
    if answer is None:
        assert "at least one parameter must be provided" in refused.json()["error"]
    else:
        assert refused.json() == answer


def test_projects_are_for_maintainers_and_groups_for_owners(world: World, owner: Person) -> None:
    group = world.group(owner)
    project = world.project(owner, namespace_id=group["id"])
    developer, maintainer, outsider = world.user(), world.user(), world.user()
    world.member(group, developer, "developer", kind="groups")
    world.member(group, maintainer, "maintainer", kind="groups")
    of_project, of_group = f"/projects/{project['id']}/push_rule", f"/groups/{group['id']}/push_rule"

    assert developer.client.get(of_project).status_code == 403
    assert developer.client.post(of_project, json={"max_file_size": 1}).status_code == 403
    assert outsider.client.get(of_project).status_code == 404
    assert world.anonymous.get(of_project).status_code == 401
    assert maintainer.client.get(of_project).status_code == 200
    assert maintainer.client.post(of_group, json={"max_file_size": 1}).json() == {"message": "404 Not Found"}
    assert owner.client.get(of_group).json() == {"message": "404 Push Rule Not Found"}


def test_new_projects_copy_the_rule_of_the_nearest_group(world: World, owner: Person) -> None:
    top = world.group(owner)
    middle = world.group(owner, parent_id=top["id"])
    path = f"/groups/{top['id']}/push_rule"
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        rules = client.groups.get(top["id"]).pushrules
        created = rules.create({"max_file_size": 5, "branch_name_regex": "^x/"})
        assert not hasattr(created, "project_id")
        below = world.project(owner, namespace_id=middle["id"])
        copied = client.projects.get(below["id"]).pushrules.get()
        assert (copied.max_file_size, copied.branch_name_regex, copied.project_id) == (5, "^x/", below["id"])
        again = owner.client.post(path, json={"max_file_size": 6})
        assert (again.status_code, again.json()) == (422, {"message": "Group push rule exists, try updating"})
        owner.client.ok("POST", f"/groups/{middle['id']}/push_rule", json={"max_file_size": 7})
        other = world.project(owner, namespace_id=middle["id"])
        assert client.projects.get(other["id"]).pushrules.get().max_file_size == 7
        created.max_file_size = 8
        created.save()
        assert rules.get().max_file_size == 8
        assert client.projects.get(below["id"]).pushrules.get().max_file_size == 5
        rules.delete()
        assert owner.client.get(path).status_code == 404
