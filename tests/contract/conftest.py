"""The scenery of the walks: a private group and project with one of each thing that the API can make in them."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.client import Client
from tests.support.walking import ROLES, Scenery
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def people(world: World) -> dict[str, Person]:
    return {role: world.user(f"walk-{role}") for role in (*ROLES, "stranger")}


@pytest.fixture(scope="module")
def scenery(world: World, people: dict[str, Person]) -> Scenery:
    """A private group with a private project, and one of each thing that the API can make in them."""
    group = world.group(path="walk-group", visibility="private")
    project = world.project(path="walk", namespace_id=group["id"], initialize_with_readme=True)
    for role in ROLES:
        world.member(group, people[role], role, kind="groups")
    created = Scenery(world, project, group, world.user("walk-bystander").id)
    created.values = dict(things(world.admin, project, group))
    spare = world.admin.ok(
        "POST", f"/users/{created.user_id}/personal_access_tokens", json={"name": "spare", "scopes": ["api"]}
    )
    created.values |= {"personal_access_tokens:id": str(spare["id"])}
    created.values |= {"user_id": str(people["guest"].id), "provider": "saml", "branch": "walked", "name": "walk"}
    created.values |= {"trigger": "push_events"}
    return created


def things(admin: Client, project: dict[str, Any], group: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Records that paths name, where their endpoints exist; what is not there yet is simply not found."""
    base, above = f"/projects/{project['id']}", f"/groups/{group['id']}"

    def make(path: str, **body: Any) -> dict[str, Any]:
        reply = admin.post(path, json=body)
        return reply.json() if reply.status_code < 300 and reply.content else {}

    make(f"{base}/repository/branches", branch="walked", ref="main")
    file = {"action": "create", "file_path": "walk.txt", "content": "x\n"}
    commit = make(f"{base}/repository/commits", branch="walked", commit_message="Walk", actions=[file])
    yield "sha", commit.get("id", "0" * 40)
    yield "file_path", "README.md"
    yield "ref_name", "main"
    request = make(f"{base}/merge_requests", source_branch="walked", target_branch="main", title="Walk")
    yield "merge_request_iid", str(request.get("iid", 1))
    issue = make(f"{base}/issues", title="Walk")
    yield "issue_iid", str(issue.get("iid", 1))
    label = make(f"{base}/labels", name="walk", color="#112233")
    yield "projects:label_id", str(label.get("id", 1))
    label = make(f"{above}/labels", name="walk-above", color="#112233")
    yield "groups:label_id", str(label.get("id", 1))
    milestone = make(f"{base}/milestones", title="Walk")
    yield "projects:milestone_id", str(milestone.get("id", 1))
    milestone = make(f"{above}/milestones", title="Walk above")
    yield "groups:milestone_id", str(milestone.get("id", 1))
    make(f"{base}/repository/tags", tag_name="v1", ref="main")
    yield "tag_name", "v1"
