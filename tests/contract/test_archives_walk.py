"""A walk over every list below a project: after export and import each has the same records, or says why not."""

import pytest

from ingot.kit.endpoint import Endpoint
from tests.contract.parameters import add_missing
from tests.features.transfer.project_imports.making import exported, imported
from tests.support.client import Client
from tests.support.furnishing import Furniture, furnish
from tests.support.walking import ENDPOINTS
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

P = "/projects/{id}"
ISSUE, MR = f"{P}/issues/{{issue_iid}}", f"{P}/merge_requests/{{merge_request_iid}}"
OTHERS = "rights that people or other projects have here"
SECRETS = "secrets, and what runs with them"
NOT_NAMED = "the format of archives does not name them"
ABOVE = "those of the group stay with the group"
# Lists with other records afterwards.
DIFFERENT = {
    f"{P}/access_requests": OTHERS,
    f"{P}/access_tokens": SECRETS,
    f"{P}/audit_events": "they tell what was done in the project itself",
    f"{P}/badges": ABOVE,
    f"{P}/deploy_tokens": SECRETS,
    f"{P}/deployments": NOT_NAMED,
    f"{P}/environments": NOT_NAMED,
    f"{P}/events": "pushes and memberships are not in the format",
    f"{P}/external_status_checks": NOT_NAMED,
    f"{P}/feature_flags": NOT_NAMED,
    f"{P}/feature_flags_user_lists": NOT_NAMED,
    f"{P}/freeze_periods": NOT_NAMED,
    f"{P}/groups": "another namespace",
    f"{P}/integrations": SECRETS,
    f"{P}/invited_groups": OTHERS,
    f"{ISSUE}/links": NOT_NAMED,
    f"{P}/job_token_scope/allowlist": OTHERS,
    f"{P}/job_token_scope/groups_allowlist": OTHERS,
    f"{P}/labels": ABOVE,
    f"{P}/members": "those of the group become members of the project",
    f"{P}/members/all": "bots of access tokens stay behind",
    f"{MR}/approval_rules": NOT_NAMED,
    f"{MR}/blocks": NOT_NAMED,
    f"{MR}/context_commits": NOT_NAMED,
    f"{MR}/status_checks": NOT_NAMED,
    f"{MR}/draft_notes": "nobody but their authors reads them",
    f"{P}/protected_branches": ABOVE,
    f"{P}/remote_mirrors": SECRETS,
    f"{P}/runners": "runners belong to the server",
    f"{P}/transfer_locations": "another namespace",
    f"{P}/triggers": SECRETS,
    f"{P}/users": "bots of access tokens stay behind",
    f"{P}/variables": SECRETS,
}


def lists(furniture: Furniture) -> dict[str, str]:
    """The lists below a project that can be read without further parameters, by their paths, with an address."""

    def is_plain(endpoint: Endpoint) -> bool:
        own_ids = "_id}" in endpoint.path or "_id:int}" in endpoint.path
        needs_more = any(
            one.required and one.wire not in endpoint.path_params for one in endpoint.params.fields.values()
        )
        return endpoint.method == "GET" and endpoint.path.startswith(f"{P}/") and not own_ids and not needs_more

    urls = {endpoint.path: furniture.url(endpoint) for endpoint in ENDPOINTS if is_plain(endpoint)}
    return {path: url for path, url in urls.items() if url is not None}


def count(admin: Client, url: str) -> int | None:
    """How many records a list has; None where the answer is no list."""
    answer = admin.get(url, per_page=100)
    is_list = answer.status_code == 200 and answer.headers.get("content-type", "").startswith("application/json")
    body = answer.json() if is_list else None
    return len(body) if isinstance(body, list) else None


def test_a_project_keeps_what_archives_can_hold(world: World) -> None:
    furniture = furnish(world)
    add_missing(furniture)
    admin, here = Person(1, "root", world.admin, ""), f"/projects/{furniture.project['id']}"
    content = exported(world, admin, furniture.project["id"])
    record = imported(world, admin, content)
    assert (record["import_status"], record["failed_relations"]) == ("finished", [])

    before, after = {}, {}
    for path, url in lists(furniture).items():
        before[path] = count(world.admin, url)
        after[path] = count(world.admin, url.replace(here, f"/projects/{record['id']}", 1))

    changed = {path for path, number in before.items() if number != after[path]}
    assert {path: (before[path], after[path]) for path in changed - DIFFERENT.keys()} == {}
    assert DIFFERENT.keys() - changed == set()
    assert sum(bool(number) for path, number in before.items() if path not in changed) > 35, before
