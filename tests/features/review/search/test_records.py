"""Searching records: what each scope finds, who finds it, and what is refused."""

import time
from pathlib import Path
from typing import Any

import gitlab
import pytest
from sqlalchemy import delete, insert

from ingot.kit.rate_windows import rate_windows
from tests.support.client import Client
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import Person, World
from tests.web.browsing import Browser

WORD = "quetzal"


class Place:
    """A private project in a group, with one record of each kind that has the word."""

    def __init__(self, world: World) -> None:
        self.owner, self.guest = world.user(name="Quetzal Owner"), world.user()
        self.group = world.group(self.owner, visibility="public")
        self.project = world.project(
            self.owner, namespace_id=self.group["id"], description=f"A {WORD} project", initialize_with_readme=True
        )
        world.member(self.project, self.guest, "guest")
        self.path = f"/projects/{self.project['id']}"
        call = self.owner.client.ok
        self.issue = call("POST", f"{self.path}/issues", json={"title": "Feathers", "description": f"The {WORD} flies"})
        hidden = {"title": f"{WORD} hidden", "confidential": True}
        self.hidden = call("POST", f"{self.path}/issues", json=hidden)
        self.request = world.merge_request(self.project, self.owner, title=f"Paint the {WORD}")
        self.milestone = call("POST", f"{self.path}/milestones", json={"title": f"{WORD} season"})
        notes = f"{self.path}/issues/{self.issue['iid']}/notes"
        self.note = call("POST", notes, json={"body": f"I saw a {WORD}"})
        self.internal = call("POST", notes, json={"body": f"A secret {WORD}", "internal": True})
        file = {"file_path": f"{WORD}.txt", "content": "x"}
        self.snippet = call("POST", "/snippets", json={"title": "Birds", "files": [file], "visibility": "private"})

    def expected(self) -> dict[str, list[int]]:
        """What the owner finds by the word, in each scope."""
        return {
            "projects": [self.project["id"]],
            "issues": [self.hidden["id"], self.issue["id"]],
            "merge_requests": [self.request["id"]],
            "milestones": [self.milestone["id"]],
            "users": [self.owner.id],
            "snippet_titles": [self.snippet["id"]],
            "notes": [self.internal["id"], self.note["id"]],
        }

    def levels(self) -> dict[str, str]:
        """The three addresses."""
        return {"instance": "/search", "group": f"/groups/{self.group['id']}/search", "project": f"{self.path}/search"}


@pytest.fixture(scope="module")
def place(world: World) -> Place:
    return Place(world)


def ids(client: Client, path: str, scope: str, search: str = WORD, **more: Any) -> list[int]:
    answer = client.get(path, scope=scope, search=search, **more)
    assert answer.status_code == 200, answer.text
    return [hit["id"] for hit in answer.json()]


@pytest.mark.parametrize("level", ["instance", "group", "project"])
def test_each_scope_finds_what_has_the_word(place: Place, level: str) -> None:
    path = place.levels()[level]
    missing = {"group": {"snippet_titles"}, "project": {"snippet_titles", "projects"}}.get(level, set())

    for scope, expected in place.expected().items():
        if scope in missing:
            refused = place.owner.client.get(path, scope=scope, search=WORD)
            assert (refused.status_code, refused.json()) == (400, {"error": "scope does not have a valid value"})
        else:
            assert ids(place.owner.client, path, scope, WORD.upper()) == expected, scope
            assert ids(place.owner.client, path, scope, "nobody-has-this-word") == [], scope


def test_hits_have_the_form_of_their_lists(place: Place) -> None:
    call = place.owner.client.get

    issue = call("/search", scope="issues", search="feathers").json()[0]
    listed = call("/issues", scope="all", iids=[place.issue["iid"]]).json()[0]
    assert issue == listed
    request = call(f"{place.path}/search", scope="merge_requests", search=WORD).json()[0]
    assert request == call(f"{place.path}/merge_requests").json()[0]
    project = call("/search", scope="projects", search=WORD).json()[0]
    assert project == call("/projects", simple=True, search=WORD).json()[0]


def test_strangers_find_nothing_and_do_not_learn_that_there_is_something(world: World, place: Place) -> None:
    stranger = world.user().client

    for scope in place.expected():
        if scope != "users":
            assert ids(stranger, "/search", scope) == [], scope
    for scope in ("projects", "issues", "merge_requests", "milestones", "notes"):
        assert ids(stranger, place.levels()["group"], scope) == [], scope
    assert ids(stranger, place.levels()["group"], "users") == [place.owner.id]  # the group is public
    hidden = stranger.get(f"{place.path}/search", scope="issues", search=WORD)
    assert (hidden.status_code, hidden.json()) == (404, {"message": "404 Project Not Found"})
    unknown = stranger.get("/groups/987654/search", scope="issues", search=WORD)
    assert (unknown.status_code, unknown.json()) == (404, {"message": "404 Group Not Found"})
    for path in place.levels().values():
        assert world.anonymous.get(path, scope="issues", search=WORD).status_code == 401


def test_guests_find_neither_confidential_issues_nor_merge_requests_nor_internal_comments(place: Place) -> None:
    for path in place.levels().values():
        assert ids(place.guest.client, path, "issues") == [place.issue["id"]]
        assert ids(place.guest.client, path, "merge_requests") == []
        assert ids(place.guest.client, path, "notes") == [place.note["id"]]
        assert ids(place.guest.client, path, "milestones") == [place.milestone["id"]]


def test_a_feature_that_is_off_hides_its_records(world: World, place: Place) -> None:
    project = world.project(place.owner, visibility="public", initialize_with_readme=True)
    path, call = f"/projects/{project['id']}", place.owner.client.ok
    issue = call("POST", f"{path}/issues", json={"title": "ocelot"})
    call("POST", f"{path}/issues/{issue['iid']}/notes", json={"body": "ocelot"})
    call("POST", f"{path}/milestones", json={"title": "ocelot"})
    assert len(ids(world.user().client, f"{path}/search", "notes", "ocelot")) == 1

    call("PUT", path, json={"issues_access_level": "disabled", "merge_requests_access_level": "disabled"})

    for scope in ("issues", "notes", "milestones"):
        assert ids(place.owner.client, f"{path}/search", scope, "ocelot") == []
        assert ids(place.owner.client, "/search", scope, "ocelot") == []


def test_state_confidentiality_order_and_numbers(place: Place) -> None:
    find, path = place.owner.client, f"{place.path}/search"
    assert ids(find, path, "issues", sort="asc", order_by="created_at") == [place.issue["id"], place.hidden["id"]]
    assert ids(find, path, "issues", confidential=True) == [place.hidden["id"]]
    assert ids(find, path, "issues", confidential=False) == [place.issue["id"]]
    assert ids(find, path, "issues", state="closed") == []
    assert len(ids(find, path, "issues", state="opened")) == 2
    assert ids(find, path, "merge_requests", state="merged") == []
    assert ids(find, path, "merge_requests", state="opened") == [place.request["id"]]
    assert ids(find, path, "issues", f"see #{place.hidden['iid']}") == [place.hidden["id"]]
    assert ids(find, path, "merge_requests", f"!{place.request['iid']}") == [place.request["id"]]
    assert ids(find, path, "issues", "flies the") == [place.issue["id"]]  # every word, in any order
    assert ids(find, path, "issues", "flies feathers") == []  # but in one field
    assert ids(find, path, "users", "") == []
    assert len(ids(find, path, "issues", "")) == 2


REFUSED: list[tuple[dict[str, Any], Any]] = [
    ({"scope": "issues"}, {"error": "search is missing"}),
    ({"search": "x", "scope": "epics"}, {"error": "scope does not have a valid value"}),
    ({"search": "x", "scope": "issues", "order_by": "title"}, {"error": "order_by does not have a valid value"}),
    ({"search": "x", "scope": "issues", "state": "locked"}, {"error": "state does not have a valid value"}),
    ({"search": "x" * 1025, "scope": "issues"}, {"error": "search is too long (maximum is 1024 characters)"}),
    ({"search": "abc " * 33, "scope": "issues"}, {"error": "search has too many words (maximum is 32)"}),
    ({"search": "x", "scope": "issues", "fields": "title"}, "fields is supported only for advanced search"),
    ({"search": "x", "scope": "users", "fields": "title"}, "fields is supported only for issues, merge_requests"),
    ({"search": "x", "scope": "blobs", "regex": True}, "regex supported only with exact code search"),
    ({"search": "x", "scope": "blobs", "exclude_forks": True}, "exclude_forks supported only with exact code search"),
    (
        {"search": "x", "scope": "blobs", "num_context_lines": 3},
        "num_context_lines supported only with advanced and exact code search",
    ),
    ({"search": "x", "scope": "blobs", "search_type": "zoekt"}, "Search type zoekt is not available"),
]


@pytest.mark.parametrize("level", ["instance", "group", "project"])
def test_what_cannot_be_searched_is_refused(place: Place, level: str) -> None:
    for sent, said in REFUSED:
        answer = place.owner.client.get(place.levels()[level], **sent)
        body = said if isinstance(said, dict) else {"message": {"error": said}}
        assert (answer.status_code, answer.json()) == (400, body)


def test_only_projects_have_totals(place: Place) -> None:
    call = place.owner.client.get
    counted = call(f"{place.path}/search", scope="issues", search=WORD, per_page=1)
    assert (counted.headers["X-Total"], counted.headers["X-Total-Pages"]) == ("2", "2")
    assert (counted.headers["X-Search-Type"], counted.headers["X-Next-Page"]) == ("basic", "2")
    for level in ("instance", "group"):
        answer = call(place.levels()[level], scope="issues", search=WORD, per_page=1)
        assert "X-Total" not in answer.headers
        assert "X-Total-Pages" not in answer.headers
        assert (answer.headers["X-Next-Page"], answer.headers["X-Search-Type"]) == ("2", "basic")
        second = call(place.levels()[level], scope="issues", search=WORD, per_page=1, page=2)
        assert ([hit["id"] for hit in second.json()], second.headers["X-Next-Page"]) == ([place.issue["id"]], "")


def test_the_addresses_of_the_web_search_work_too(place: Place) -> None:
    for path in (f"/groups/{place.group['id']}/-/search", f"{place.path}/-/search"):
        assert ids(place.owner.client, path, "merge_requests") == [place.request["id"]]


def test_more_hits_do_not_need_more_statements(world: World, place: Place) -> None:
    owner = world.user()
    project = world.project(owner, initialize_with_readme=True)
    path = f"/projects/{project['id']}"

    def write(number: int) -> None:
        issue = owner.client.ok("POST", f"{path}/issues", json={"title": f"tapir {number}"})
        owner.client.ok("POST", f"{path}/issues/{issue['iid']}/notes", json={"body": "tapir"})
        owner.client.ok("POST", f"{path}/milestones", json={"title": f"tapir {number}"})
        world.merge_request(project, owner, title=f"tapir {number}")

    def counts() -> dict[str, int]:
        scopes = ("issues", "merge_requests", "milestones", "notes", "users")
        return {scope: owner.client.queries("/search", scope=scope, search="tapir") for scope in scopes}

    write(1)
    before = counts()
    for number in (2, 3):
        write(number)
    assert counts() == before


def test_archived_projects_are_searched_on_request(world: World, place: Place) -> None:
    project = world.project(place.owner, namespace_id=place.group["id"])
    issue = place.owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "capybara"})
    place.owner.client.ok("POST", f"/projects/{project['id']}/archive")

    for level in ("instance", "group"):
        path = place.levels()[level]
        assert ids(place.owner.client, path, "issues", "capybara") == []
        assert ids(place.owner.client, path, "issues", "capybara", include_archived=True) == [issue["id"]]
    assert ids(place.owner.client, f"/projects/{project['id']}/search", "issues", "capybara") == [issue["id"]]


def test_people_are_found_by_name_and_public_address(world: World, place: Place) -> None:
    person = world.user(name="Ximena Kestrel", public_email="")
    world.admin.ok("PUT", f"/users/{person.id}", json={"public_email": f"{person.username}@example.com"})
    find = place.owner.client
    assert ids(find, "/search", "users", "kestrel") == [person.id]
    assert ids(find, "/search", "users", f"@{person.username}") == [person.id]
    assert ids(find, "/search", "users", f"{person.username}@example.com") == [person.id]
    assert ids(find, place.levels()["group"], "users", "kestrel") == []
    assert ids(find, place.levels()["project"], "users", "kestrel") == []
    outsider = world.user(external=True)
    assert ids(outsider.client, "/search", "users", "kestrel") == []

    world.admin.ok("POST", f"/users/{person.id}/block")
    assert ids(find, "/search", "users", "kestrel") == []


def test_administrators_switch_scopes_of_the_instance_off(world: World, place: Place) -> None:
    world.admin.ok("PUT", "/application/settings", json={"global_search_issues_enabled": False})
    try:
        answer = place.owner.client.get("/search", scope="issues", search=WORD)
        said = {"message": "403 Forbidden - Global Search is disabled for this scope"}
        assert (answer.status_code, answer.json()) == (403, said)
        assert ids(place.owner.client, "/search", "milestones") == [place.milestone["id"]]
        assert len(ids(place.owner.client, place.levels()["group"], "issues")) == 2
    finally:
        world.admin.ok("PUT", "/application/settings", json={"global_search_issues_enabled": True})


def test_python_gitlab_searches(world: World, place: Place) -> None:
    with gitlab.Gitlab(world.server.url, private_token=place.owner.token) as client:
        assert client.search("users", "Administrator")[0]["id"] == 1
        group, project = client.groups.get(place.group["id"]), client.projects.get(place.project["id"])
        result = group.search(gitlab.const.SearchScope.ISSUES, WORD, iterator=True)
        assert [hit["id"] for hit in result] == [place.hidden["id"], place.issue["id"]]
        assert project.search("merge_requests", WORD)[0]["iid"] == place.request["iid"]


def test_thirty_searches_a_minute_are_enough(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, rate_limits=True) as server:
        person: Person = World(server).user()
        assert person.client.get("/search", scope="milestones", search="x").status_code == 200
        minute = int(time.time()) // 60 * 60
        full = {"key": f"endpoint:search_rate_limit:user:{person.id}:", "period": 60, "observed": 30}
        with server.services.db.write() as tx:
            tx.execute(delete(rate_windows).where(rate_windows.c.key == full["key"]))
            tx.execute(insert(rate_windows), [{**full, "starts_at": minute + 60 * later} for later in range(10)])
        refused = person.client.get("/search", scope="milestones", search="x")
        # Words of commits are counted with them, and are for people who signed in.
        project = World(server).project(person, initialize_with_readme=True, visibility="public")
        address = f"/{project['path_with_namespace']}/-/commits/main"
        browser, stranger = Browser(server), Browser(server)
        browser.enter_by_link(person.username)
        assert [browser.open(f"{address}{query}").status for query in ("", "?search=x")] == [200, 429]
        assert [stranger.open(f"{address}{query}").path for query in ("", "?search=x")] == [address, "/users/sign_in"]
    said = "This endpoint has been requested too many times. Try again later."
    assert (refused.status_code, refused.json()) == (429, {"message": {"error": said}})
