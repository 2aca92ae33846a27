"""What `docs/compatibility.md` states is true of the server: lists are compared, and a sample of sentences is tried."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ingot.features.planning.quick_actions.parsing import FACES, KNOWN
from tests.support.walking import ENDPOINTS
from tests.support.world import Person, World

PAGE = (Path(__file__).parents[2] / "docs" / "compatibility.md").read_text()


def cell(topic: str) -> str:
    """What the page says about a topic; a topic has one row."""
    (row,) = re.findall(rf"^\| {re.escape(topic)} \| (.*) \|$", PAGE, re.MULTILINE)
    return str(row)


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


def test_every_topic_has_one_row_in_its_table() -> None:
    for table in PAGE.split("\n## ")[1:-1]:
        topics = re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)
        assert len(topics) == len(set(topics)), table.split("\n")[0]


def test_the_quick_actions_are_those_of_the_server() -> None:
    listed = set(re.findall(r"`/([a-z_]+)`", cell("Quick actions")))

    assert listed == KNOWN["Issue"] | KNOWN["MergeRequest"] | FACES.keys()


def test_the_permissions_of_custom_roles_are_those_that_guards_ask_for() -> None:
    asked = {getattr(endpoint.guard, "permission", None) for endpoint in ENDPOINTS} - {None}
    listed = set(re.findall(r"`([a-z_]+)`", cell("Custom roles: permissions that count")))

    # Approving is asked of a request, after it was found.
    assert listed == asked | {"admin_merge_request"}


def test_what_is_not_offered_has_no_endpoints() -> None:
    table = PAGE.partition("## What is not offered")[2].partition("\n## ")[0]
    addresses = [re.sub(r":(\w+)", r"{\1}", one) for one in re.findall(r"`(/[a-z_:/]+)`", table)]
    offered = [endpoint.path for endpoint in ENDPOINTS]

    assert len(addresses) > 5
    for address in addresses:
        assert [path for path in offered if path == address or path.startswith(f"{address}/")] == [], address


def test_what_clients_missed_is_still_not_offered() -> None:
    missed = re.findall(r"^\| [^|]+ \| ([^|]+) \| 404: Ingot has no such endpoints\. \|$", PAGE, re.MULTILINE)
    parts = {part for endpoint in ENDPOINTS for part in endpoint.path.split("/")}

    for cell in missed:
        assert parts.isdisjoint(re.findall(r"[a-z_]+", cell.lower())), cell


def test_a_cell_is_one_sentence() -> None:
    tables = PAGE.partition("## What real clients")[0]
    cells = re.findall(r"^\| [^|]+ \| (.*) \|$", tables, re.MULTILINE)

    assert [cell for cell in cells if re.search(r"[.!?] [A-Z`]", cell)] == []


class Claim(NamedTuple):
    """A call that shows what the page says about a topic; `{id}` is a project, `{empty}` and `{off}` are others."""

    topic: str
    method: str
    path: str
    sent: dict[str, object]
    status: int
    body: object = None


CLAIMS = [
    Claim("`GET /projects/:id/cluster_agents`", "GET", "/projects/{id}/cluster_agents", {}, 200, []),
    Claim("Signatures of commits and tags", "GET", "/projects/{id}/repository/commits/main/signature", {}, 404,
          {"message": "404 Signature Not Found"}),
    Claim("Doubled slashes in paths of the API", "GET", "//projects///{id}/milestones", {}, 200, []),
    Claim("`null` for another required value", "POST", "/projects/{id}/share", {"group_id": None, "group_access": 10},
          400, {"error": "group_id is empty"}),
    Claim("`null` for a required text", "POST", "/projects/{id}/milestones", {"title": None}, 400,
          {"message": {"title": ["can't be blank"]}}),
    Claim("Keyset `cursor` of another order or list", "GET", "/groups",
          {"pagination": "keyset", "order_by": "name", "cursor": "x"}, 400, {"error": "cursor is invalid"}),
    Claim("Keyset pages of groups", "GET", "/groups", {"pagination": "keyset", "order_by": "path"}, 405),
    Claim("A branch in an empty repository", "POST", "/projects/{empty}/repository/branches",
          {"branch": "main", "ref": "main"}, 201),
    Claim("`repository_object_format`", "POST", "/projects", {"name": "x", "repository_object_format": "sha256"}, 400),
    Claim("`target_type=snippet`, `design`, `epic`", "GET", "/projects/{id}/events",
          {"target_type": "snippet"}, 200, []),
    Claim("Merge requests switched off", "GET", "/projects/{off}/merge_requests", {}, 403),
    Claim("`artifacts/authorize`", "POST", "/jobs/1/artifacts/authorize", {}, 403),
    Claim("Neither token", "POST", "/runners/verify", {}, 400, {"error": "token is missing"}),
    Claim("Topics of a project", "PUT", "/projects/{id}", {"topics": [f"topic {number}" for number in range(1001)]},
          400, {"message": {"topics": ["are too many (maximum is 1000)"]}}),
    Claim("Token lifetime", "POST", "/projects/{id}/access_tokens",
          {"name": "x", "scopes": ["api"], "access_level": 30, "expires_at": "2999-01-01"}, 400),
    Claim("Several members at once", "POST", "/projects/{id}/members",
          {"user_id": "99999998,99999999", "access_level": 20}, 201,
          {"status": "error", "message": {"99999998": "User not found", "99999999": "User not found"}}),
    Claim("Push mirrors", "GET", "/projects/{id}/remote_mirrors", {}, 200, []),
    Claim("`POST /markdown`", "POST", "/markdown", {"text": "**b** #1 @root", "gfm": True}, 201,
          {"html": '<p dir="auto"><strong>b</strong> #1 '
                   '<a href="/root" class="ref" rel="nofollow noopener noreferrer">@root</a></p>'}),
    Claim("Built-in project templates", "POST", "/projects", {"name": "x", "template_name": "rails"}, 400),
]  # fmt: skip


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim.topic for claim in CLAIMS])
def test_a_sentence_is_true(world: World, owner: Person, project: dict[str, Any], claim: Claim) -> None:
    assert cell(claim.topic)
    places = {"id": project["id"]}
    if "{empty}" in claim.path:
        places["empty"] = world.project(owner)["id"]
    if "{off}" in claim.path:
        places["off"] = world.project(owner, merge_requests_access_level="disabled")["id"]
    options = {"params": claim.sent} if claim.method == "GET" else {"json": claim.sent}

    answer = owner.client.request(claim.method, f"/api/v4{claim.path}".format(**places), **options)

    assert answer.status_code == claim.status, answer.text
    if claim.body is not None:
        assert answer.json() == claim.body
