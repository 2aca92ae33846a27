"""Things of somebody else's private place, named below a place of one's own: each answers as if it did not exist.

Every declared endpoint whose path names a thing of a project or a group is walked.
"""

import re
from typing import Any
from urllib.parse import quote

import pytest

from ingot.kit.endpoint import Endpoint
from tests.contract.parameters import add_missing
from tests.support.furnishing import Furniture, furnish
from tests.support.walking import ENDPOINTS, arguments, named
from tests.support.world import World

PLACES = ("/projects/{id}/", "/groups/{id}/")
NAME = re.compile(r"\{(\w+)(:int|\*)?\}")
WALKED = [one for one in ENDPOINTS if one.path.startswith(PLACES) and len(NAME.findall(one.path)) > 1]


@pytest.fixture(scope="module")
def theirs(world: World) -> Furniture:
    """A private project in a private group, with one of each thing."""
    furniture = furnish(world)
    add_missing(furniture)
    for place in (furniture.place, furniture.above):
        furniture.admin.ok("PUT", place, json={"visibility": "private"})
    furniture.put("/fork/", "forked_from_id", furniture.project["id"])  # else a public project
    return furniture


def test_things_of_a_private_place_do_not_exist_elsewhere(world: World, theirs: Furniture) -> None:
    me = world.user()
    group = world.group(me)
    own = {"projects": world.project(me, namespace_id=group["id"], initialize_with_readme=True), "groups": group}

    def url(endpoint: Endpoint) -> str:
        def fill(match: re.Match[str]) -> str:
            if match[1] == "id":
                return str(own[endpoint.path.split("/")[1]]["id"])
            return quote(theirs.value(endpoint.path, match[1]) or "1", safe="/" if match[2] == "*" else "")

        return NAME.sub(fill, endpoint.path)

    answered = {}
    for endpoint in sorted(WALKED, key=lambda one: one.method == "DELETE"):
        body: dict[str, Any] = arguments(endpoint.params, skip=endpoint.path_params)
        options = {"params": body} if endpoint.method in ("GET", "HEAD", "DELETE") else {"json": body}
        reply = me.client.request(endpoint.method, url(endpoint), **options)
        if reply.status_code < 400 or reply.status_code >= 500:
            answered[named(endpoint)] = f"{reply.status_code} {reply.text[:100]}"

    assert len(WALKED) > 250
    assert answered == {}


def test_parameters_name_nothing_of_a_private_place(world: World, theirs: Furniture) -> None:
    """Beyond projects, groups and what the walk over second places has: numbers of things that live in a project."""
    me = world.user()
    project = world.project(me, initialize_with_readme=True)
    own, client = f"/projects/{project['id']}", me.client
    request = world.merge_request(project, me)
    board = client.ok("POST", f"{own}/boards", json={"name": "Own"})
    guarded = theirs.admin.ok("POST", f"{theirs.place}/protected_branches", json={"name": "kept"})
    listed = theirs.admin.ok("GET", f"{theirs.place}/feature_flags_user_lists")[0]
    users = [{"name": "gitlabUserList", "user_list_id": listed["id"]}]
    milestone = theirs.value("/projects/{id}/milestones", "milestone_id")
    thread = theirs.value("/merge_requests/{merge_request_iid}/discussions", "discussion_id")
    rule = {"name": "Rule", "approvals_required": 0, "protected_branch_ids": [guarded["id"]]}
    attacks = {
        f"boards/{board['id']}/lists": {"label_id": theirs.value("/projects/{id}/labels", "label_id")},
        "releases": {"tag_name": "v1", "ref": "main", "milestone_ids": [milestone]},
        "approval_rules": rule,
        "approval_settings/rules": rule,
        "feature_flags": {"name": "flag", "version": "new_version_flag", "strategies": users},
        "statuses/main": {"state": "success", "pipeline_id": theirs.value("", "pipeline_id")},
        f"merge_requests/{request['iid']}/draft_notes": {"note": "x", "in_reply_to_discussion_id": thread},
    }

    replies = {path: client.post(f"{own}/{path}", json=body) for path, body in attacks.items()}

    assert {path: reply.text[:300] for path, reply in replies.items() if not 400 <= reply.status_code < 500} == {}
