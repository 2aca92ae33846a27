"""Every address that the API hands out opens for whoever was given it."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import Person, World
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly

ANVIL = "/projects/smithy%2Fanvil"
LISTS = (
    "/projects", "/groups", "/users", "/snippets/public", "/issues?scope=all", "/merge_requests?scope=all", ANVIL,
    *(f"{ANVIL}/{name}" for name in (
        "issues", "merge_requests", "milestones", "pipelines", "jobs", "releases", "snippets", "environments", "boards",
        "repository/commits", "repository/branches", "repository/tags", "members/all",
        "repository/compare?from=main&to=main", "deployments",
    )),
    "/groups/smithy", "/groups/smithy/boards", "/groups/smithy/milestones", "/groups/smithy/members/all",
)  # fmt: skip
# Those of git, of runners and of pictures are not for reading.
OTHERS = ("http_url_to_repo", "ssh_url_to_repo", "avatar_url", "edit_url")


@pytest.fixture(scope="module")
def furnished(smithy: RunningServer) -> RunningServer:
    client = smithy.client(ROOT_TOKEN)
    release = {"tag_name": "press/v1", "ref": "main", "name": "First press", "description": "See #1."}
    client.ok("POST", f"{ANVIL}/releases", json=release)
    files = [{"file_path": "notes/a.py", "content": "x = 1\n"}]
    for address in (f"{ANVIL}/snippets", "/snippets"):
        client.ok("POST", address, json={"title": "A die", "visibility": "public", "files": files})
    client.ok("POST", f"{ANVIL}/environments", json={"name": "production", "external_url": "https://example.com"})
    return smithy


@pytest.fixture(scope="module")
def guest(smithy: RunningServer) -> Person:
    return World(smithy).user("gus")


def addresses(value: object, base: str, name: str = "") -> Iterator[str]:
    """The pages that an answer speaks of."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in OTHERS:
                yield from addresses(inner, base, key)
    elif isinstance(value, list):
        for inner in value:
            yield from addresses(inner, base, name)
    elif isinstance(value, str) and value.startswith(base) and "/api/" not in value:
        yield value


@pytest.mark.parametrize("visitor", ["", "gus", "root"])
def test_addresses_in_answers_open(furnished: RunningServer, guest: Person, visitor: str) -> None:
    token = {"": "", "gus": guest.token, "root": ROOT_TOKEN}[visitor]
    client = furnished.client(token or None)
    browser = Browser(furnished, **({"PRIVATE-TOKEN": token} if token else {}))
    seen: dict[str, int] = {}
    for path in LISTS:
        answer = client.get(path)
        if answer.status_code == 200:
            for address in addresses(answer.json(), furnished.url):
                seen.setdefault(address, 0)
    for address in seen:
        seen[address] = browser.open(address.partition("#")[0]).status
    assert not {address: status for address, status in seen.items() if status != 200}
    kinds = {urlsplit(address).path.partition("/-/")[2].partition("/")[0] for address in seen}
    assert {"releases", "snippets", "archive", "commit", "issues", "merge_requests"} <= kinds


def test_archives_are_files_of_the_revision(furnished: RunningServer) -> None:
    browser = Browser(furnished)
    answer = browser.http.get("/smithy/anvil/-/archive/press%2Fv1/anvil.zip")
    assert (answer.status_code, answer.content[:2]) == (200, b"PK")
    assert "attachment" in answer.headers["content-disposition"]
    assert browser.http.get("/smithy/anvil/-/archive/no-such/anvil.zip").status_code == 404
    assert browser.http.get("/ada/notebook/-/archive/main/notebook.zip").status_code == 404


def test_files_of_snippets_never_run_here(furnished: RunningServer) -> None:
    raw = Browser(furnished).http.get("/smithy/anvil/-/snippets/1/raw/main/notes/a.py")
    assert (raw.status_code, raw.text) == (200, "x = 1\n")
    assert raw.headers["content-type"].startswith("text/plain")
    assert raw.headers["x-content-type-options"] == "nosniff"


def test_people_may_be_named_as_a_page_inside(smithy: RunningServer) -> None:
    World(smithy).user("home", name="Home sweet home")
    assert Browser(smithy, **{"PRIVATE-TOKEN": ROOT_TOKEN}).open("/home").tree.find(".//h1").text == "Home sweet home"


@pytest.mark.parametrize("rest", ["", "/projects"])
def test_another_address_of_a_person_does_not_lead_elsewhere(smithy: RunningServer, rest: str) -> None:
    answer = Browser(smithy).http.get(f"/users/%2Fexample.com{rest}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"].partition("#")[0]) == (302, "/%2Fexample.com")
