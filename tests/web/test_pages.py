"""Pages of the demo world: what is shown, and what it costs."""

from pathlib import Path

import pytest

from ingot.identity import tokens
from ingot.identity.authentication import user_by_name_or_id
from ingot.kit.rate_windows import rate_windows
from ingot.web import assets
from ingot.web.assets import FOLDER
from ingot.web.guards import STRANGERS_LIMIT
from tests.support.databases import Databases
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.support.world import World
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly

ANVIL = "/smithy/anvil"


@pytest.fixture(scope="module")
def keys(smithy: RunningServer) -> dict[str, str]:
    """A token for each kind of visitor."""
    with smithy.services.db.write() as tx:
        people = {name: user_by_name_or_id(tx, name) for name in ("ada", "ben", "chloe", "dai")}
        created = {name: tokens.create(tx, row.id, "walk", ["api"])[1] for name, row in people.items() if row}
    return {**created, "root": ROOT_TOKEN}


@pytest.mark.parametrize("path", ["/ada/notebook", "/ada/notebook/-/issues", "/ada/notebook/-/tree/main", "/no/such"])
def test_what_is_private_looks_as_if_it_were_not_there(smithy: RunningServer, path: str) -> None:
    answer, nothing = Browser(smithy).open(path), Browser(smithy).open("/nobody/nothing")
    assert (answer.status, nothing.status) == (404, 404)
    assert answer.text.replace(path, "") == nothing.text.replace("/nobody/nothing", "")


def test_addresses_of_the_api_open(smithy: RunningServer, keys: dict[str, str]) -> None:
    client, browser = smithy.client(keys["ada"]), Browser(smithy, **{"PRIVATE-TOKEN": keys["ada"]})
    project = client.ok("GET", "/projects/smithy%2Fanvil")
    base = f"/projects/{project['id']}"
    client.ok("POST", f"{base}/issues", json={"title": "Cracks", "description": "See !2 and @ben."})
    client.ok("POST", f"{base}/repository/tags", json={"tag_name": "v1", "ref": "main"})
    lists = ["issues", "merge_requests", "milestones", "pipelines", "jobs", "repository/commits",
             "repository/branches"]  # fmt: skip
    addresses = [project["web_url"], project["readme_url"], project["namespace"]["web_url"]]
    addresses += [row["web_url"] for name in lists for row in client.ok("GET", f"{base}/{name}")]
    addresses += [row["web_url"] for row in client.ok("GET", "/groups")]
    for address in addresses:
        assert browser.open(address).status == 200, address


def test_former_addresses_lead_to_the_new_ones(smithy: RunningServer) -> None:
    browser = Browser(smithy)
    assert browser.open(f"{ANVIL}/blob/main/README.md").path == f"{ANVIL}/-/blob/main/README.md"
    assert browser.open(f"{ANVIL}/merge_requests/2").path == f"{ANVIL}/-/merge_requests/2"
    assert browser.open("/smithy").path == "/groups/smithy"
    assert browser.open("/dashboard").path == "/"


# The most statements that a visit of a signed-in member may run, with room for what other tests create: where nothing
# was written since the visit before, and where something was. What a page asks twice is looked up once. On PostgreSQL
# the version of the data is one more.
STATEMENTS = {
    "/": (28, 28), "/explore/projects": (7, 9), "/groups/smithy": (17, 18), ANVIL: (8, 9),
    "/groups/smithy/-/merge_requests": (17, 17), "/groups/smithy/-/issues": (15, 15),
    f"{ANVIL}/-/issues": (12, 12), f"{ANVIL}/-/pipelines": (5, 7), f"{ANVIL}/-/merge_requests": (10, 11),
    f"{ANVIL}/-/merge_requests/2": (20, 20), f"{ANVIL}/-/merge_requests/2/diffs": (15, 16),
    f"{ANVIL}/-/pipelines/1": (9, 9), f"{ANVIL}/-/jobs/1": (8, 8), f"{ANVIL}/-/blob/main/README.md": (2, 5),
    f"{ANVIL}/-/releases": (8, 9), f"{ANVIL}/-/environments": (4, 6), f"{ANVIL}/-/boards": (22, 24),
    f"{ANVIL}/-/branches": (4, 6), f"{ANVIL}/-/wikis/home": (5, 6),
}  # fmt: skip


def statements_of(browser: Browser, path: str) -> int:
    return int(browser.open(path).response.headers["x-query-count"])


@pytest.mark.parametrize("path", STATEMENTS)
def test_a_page_costs_few_statements(smithy: RunningServer, keys: dict[str, str], path: str) -> None:
    browser = Browser(smithy, **{"PRIVATE-TOKEN": keys["ben"]})
    # The first may have to look the token up, and what pages fill in beside a visit is written.
    most = STATEMENTS[path][0] + (smithy.services.db.dialect == "postgresql")
    until(lambda: statements_of(browser, path) <= most)


@pytest.mark.parametrize("path", STATEMENTS)
def test_a_page_costs_few_statements_after_a_write(smithy: RunningServer, keys: dict[str, str], path: str) -> None:
    count = Browser(smithy, **{"PRIVATE-TOKEN": keys["ben"]}).statements_after_a_write(path)
    assert count <= STATEMENTS[path][1] + (smithy.services.db.dialect == "postgresql"), count


def test_the_sign_in_page_costs_two_statements_at_most(smithy: RunningServer) -> None:
    browser = Browser(smithy)
    assert min(int(browser.open("/users/sign_in").response.headers["x-query-count"]) for _ in range(2)) <= 2


def test_a_list_that_fits_on_its_page_is_not_counted(smithy: RunningServer, keys: dict[str, str]) -> None:
    client, browser = smithy.client(keys["ada"]), Browser(smithy, **{"PRIVATE-TOKEN": keys["ada"]})
    project = client.ok("POST", "/projects", json={"name": "tally"})
    address = f"/{project['path_with_namespace']}/-/milestones"
    milestones = f"/projects/{project['id']}/milestones"
    for number in range(20):
        client.ok("POST", milestones, json={"title": f"v{number}"})
    full, counts = browser.open(address), [browser.statements_after_a_write(address)]
    client.ok("POST", milestones, json={"title": "v20"})
    overfull, counts = browser.open(address), [*counts, browser.statements_after_a_write(address)]

    assert not full.tree.xpath("//nav[@class='pager']")
    links = [link.get("href") for link in overfull.tree.xpath("//nav[@class='pager']//a[@rel='next']")]
    assert links == ["?state=active&page=2"]
    assert counts[0] < counts[1] or smithy.services.db.dialect == "postgresql"


@pytest.mark.parametrize("path", [ANVIL, "/groups/smithy"])
@pytest.mark.parametrize("visitor", ["", "ben"])
def test_visibility_is_an_icon_and_a_word(smithy: RunningServer, keys: dict[str, str], path: str, visitor: str) -> None:
    visit = Browser(smithy, **({"PRIVATE-TOKEN": keys[visitor]} if visitor else {})).open(path)
    badge = visit.tree.find(".//nav[@class='crumbs']/span[@class='badge muted']")
    assert badge.find("svg") is not None
    assert "".join(badge.itertext()).strip() == "Public"


def test_pages_allow_nothing_inline(smithy: RunningServer, keys: dict[str, str]) -> None:
    browser = Browser(smithy, **{"PRIVATE-TOKEN": keys["ben"]})
    for path in ("/", ANVIL, f"{ANVIL}/-/merge_requests/2", f"{ANVIL}/-/merge_requests/2/diffs", "/users/sign_in"):
        visit = browser.open(path)
        assert "script-src 'self'; style-src 'self'" in visit.response.headers["content-security-policy"]
        assert not visit.tree.xpath("//*[@style] | //style | //script[not(@src)] | //@*[starts-with(name(), 'on')]")
        identifiers = visit.tree.xpath("//@id")
        assert len(identifiers) == len(set(identifiers)), path


def test_assets_are_kept_for_ever_and_compressed(smithy: RunningServer) -> None:
    browser = Browser(smithy)
    sheet = browser.open("/").tree.find(".//link[@rel='stylesheet']").get("href")
    answer = browser.http.get(sheet)
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < 14 * 1024
    sizes = {file.name: len(asset.compressed) for file in FOLDER.iterdir() if (asset := assets.load(file.name))}
    scripts = {name: size for name, size in sizes.items() if name.endswith(".js")}
    assert max(scripts.values()) < 4 * 1024, scripts
    assert (sum(scripts.values()) < 25 * 1024, sizes["icons.svg"] < 6 * 1024) == (True, True)
    assert browser.http.get("/assets/x/../app.css").status_code == 404
    assert browser.http.get("/assets/x/%2e%2e%2fcall.py").status_code == 404


HOSTILE = (
    "# <script>alert(1)</script>\n<img src=x onerror=alert(1)> <a href='javascript:alert(1)'>x</a>\n"
    "[y](javascript:alert(2)) ![p](https://evil.example/p.png)\n<div style='position:fixed' class='top' id='search'>z"
    "</div>\n<form action='/users/sign_out'><button>q</button></form>\n"
)


def test_markdown_of_users_is_sanitised(smithy: RunningServer, keys: dict[str, str]) -> None:
    client = smithy.client(keys["ada"])
    issue = client.ok("POST", "/projects/smithy%2Fanvil/issues", json={"title": "<b>x</b>", "description": HOSTILE})
    visit = Browser(smithy).open(f"{ANVIL}/-/issues/{issue['iid']}")
    text = visit.tree.find(".//div[@class='box pad text']")
    assert text is not None
    assert not text.xpath(".//script | .//form | .//button | .//@onerror | .//@style | .//@id[.='search']")
    assert not text.xpath(".//img[starts-with(@src, 'http')]")
    assert not text.xpath(".//a[starts-with(@href, 'javascript')]")
    assert visit.tree.find(".//h1/b") is None
    assert text.xpath(".//a[@href='https://evil.example/p.png']")


def test_markdown_links_what_exists(smithy: RunningServer, keys: dict[str, str]) -> None:
    client = smithy.client(keys["ada"])
    client.ok("POST", "/projects/smithy%2Fanvil/labels", json={"name": "two words", "color": "#ff0000"})
    sha = client.ok("GET", "/projects/smithy%2Fanvil/repository/commits/main")["id"]
    text = (
        f'!2 !999 @ben @nobodyhere `!2` smithy/anvil!2 ada/none#1 ~"two words" {sha[:10]} (!2)\n\n- [x] done\n\n'
        "```python\ndef f(): ...\n```\n\n|a|b|\n|-|-|\n|1|2|\n\nx[^1] :tada: :nosuch:\n\n[^1]: foot\n\n"
        "> [!warning] Hot\n> Do **not** touch.\n\n> plain\n\n> [!tip]\n> Cool it.\n"
    )
    issue = client.ok("POST", "/projects/smithy%2Fanvil/issues", json={"title": "Links", "description": text})
    visit = Browser(smithy).open(f"{ANVIL}/-/issues/{issue['iid']}")
    shown = visit.tree.find(".//div[@class='box pad text']")
    links = [link.get("href") for link in shown.iterfind(".//a[@class='ref']")]
    request = f"{ANVIL}/-/merge_requests/2"
    label = f"{ANVIL}/-/issues?labels=two%20words"
    assert links == [request, "/ben", request, label, f"{ANVIL}/-/commit/{sha}", request]
    assert shown.xpath(".//input[@type='checkbox'][@checked]")
    assert shown.xpath(".//pre//span[@class='k'][.='def']")
    assert shown.xpath(".//table//td[.='2']")
    assert shown.xpath(".//section[@class='footnotes']")
    assert "\N{PARTY POPPER} :nosuch:" in visit.text
    box = shown.find(".//div[@class='alert alert-warning']")
    assert [part.text for part in box.iter("p", "strong")][:1] == ["Hot"]
    assert box.xpath(".//strong[.='not']")
    assert shown.xpath(".//blockquote/p[.='plain']")
    assert shown.xpath(".//div[@class='alert alert-tip']/p[.='Cool it.']")
    # The API's own endpoint renders the same, where references are asked for.
    body = {"text": text, "gfm": True, "project": "smithy/anvil"}
    assert client.ok("POST", "/markdown", json=body)["html"].count('class="ref"') == len(links)
    assert 'class="ref"' not in client.ok("POST", "/markdown", json={**body, "gfm": False})["html"]


def test_committed_pages_never_run_here(smithy: RunningServer, keys: dict[str, str]) -> None:
    content = "<script>alert(1)</script>"
    action = {"action": "create", "file_path": "evil.html", "content": content}
    body = {"branch": "evil", "start_branch": "main", "commit_message": "Add", "actions": [action]}
    smithy.client(keys["ada"]).ok("POST", "/projects/smithy%2Fanvil/repository/commits", json=body)
    raw = Browser(smithy).open(f"{ANVIL}/-/raw/evil/evil.html").response
    assert raw.headers["content-type"].startswith("text/plain")
    assert "sandbox" in raw.headers["content-security-policy"]
    shown = Browser(smithy).open(f"{ANVIL}/-/blob/evil/evil.html")
    assert not shown.tree.xpath("//main//script")
    assert content in shown.text


def test_lists_of_code_say_who_what_and_how_far(smithy: RunningServer, keys: dict[str, str]) -> None:
    browser = Browser(smithy, **{"PRIVATE-TOKEN": keys["ben"]})
    pipelines = browser.open(f"{ANVIL}/-/pipelines?ref=round-things")
    assert "Round things #" in pipelines.text
    assert "push by Ben Okoro" in pipelines.text
    assert len(pipelines.tree.findall(".//span[@class='stage-dots']/a")) == 2
    assert "Add the hammer" not in pipelines.text
    # A busy machine shows the numbers that it had no time for on the next visit.
    until(lambda: "0 behind · 1 ahead" in browser.open(f"{ANVIL}/-/branches").text)
    assert "!3 open" in browser.open(f"{ANVIL}/-/branches?search=round").text
    commits = browser.open(f"{ANVIL}/-/commits/main?author=ada")
    assert ("Light the fire" in commits.text, "Say how to install" in commits.text) == (True, False)
    assert commits.tree.find(".//a[@class='dot-link']") is not None
    straight = browser.open(f"{ANVIL}/-/compare?from=round-things&to=main&straight=1")
    assert (straight.path, "Compare in the other direction" in straight.text) == (
        f"{ANVIL}/-/compare/round-things..main",
        True,
    )
    assert straight.tree.find(".//section[@class='diff']") is not None


def test_settings_that_are_read_with_a_token_are_shown_without_forms(
    smithy: RunningServer, keys: dict[str, str]
) -> None:
    page = Browser(smithy, **{"PRIVATE-TOKEN": keys["ada"]}).open(f"{ANVIL}/-/settings/merge_requests")
    assert page.tree.xpath("normalize-space(//dt[.='Merge method']/following-sibling::dd)") == "Merge commit"
    assert not page.tree.xpath("//main//form")


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        (f"{ANVIL}/-/settings/repository", "the Maintainer role or higher in smithy/anvil. Your role is Reporter."),
        (f"{ANVIL}/-/pipelines/new", "the Developer role or higher in smithy/anvil. Your role is Reporter."),
        ("/groups/smithy/-/edit", "the Owner role in smithy. Your role is Reporter."),
        ("/admin", "Only administrators can do this."),
    ],
)  # fmt: skip
def test_a_refusal_says_which_role_is_needed(smithy: RunningServer, path: str, sentence: str) -> None:
    dai = Browser(smithy)
    dai.enter_by_link("dai")
    refused = dai.open(path)
    assert (refused.status, sentence in refused.text) == (403, True)
    assert not (path.startswith("/admin") and "Ask an owner of" in refused.text)


def test_a_stranger_who_opens_too_much_of_a_history_is_told_when_to_return(
    databases: Databases, tmp_path: Path
) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, rate_limits=True, worker=False) as server:
        project = World(server).project(visibility="public", initialize_with_readme=True)
        stranger, home = Browser(server), f"/{project['path_with_namespace']}"
        assert stranger.open(f"{home}/-/commits/main").status == 200
        with server.services.db.write() as tx:  # so many in one minute
            counted = rate_windows.c.key.contains("history_pages:")
            assert tx.execute(rate_windows.update().where(counted).values(observed=STRANGERS_LIMIT)).rowcount == 1
        for walked in ("network/main", "graphs/main"):
            assert stranger.open(f"{home}/-/{walked}").status == 429, walked
        refused = stranger.open(f"{home}/-/blame/main/README.md")
        seconds = refused.response.headers["retry-after"]
        assert (refused.status, f"Wait {seconds} seconds, then reload the page." in refused.text) == (429, True)
        assert stranger.open(home).status == 200


def test_a_stranger_gets_a_page_again_only_when_it_has_changed(smithy: RunningServer, keys: dict[str, str]) -> None:
    stranger = Browser(smithy)
    first = stranger.open(f"{ANVIL}/-/issues").response
    again = stranger.http.get(f"{ANVIL}/-/issues", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert again.headers["content-security-policy"] == first.headers["content-security-policy"]
    other = stranger.http.get(f"{ANVIL}/-/milestones", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200
    assert "etag" not in stranger.open("/users/sign_in").response.headers
    assert "etag" not in Browser(smithy, **{"PRIVATE-TOKEN": keys["ada"]}).open(f"{ANVIL}/-/issues").response.headers


@pytest.mark.parametrize(
    ("path", "crumbs"),
    [
        (ANVIL, ["smithy", "Anvil"]),
        (f"{ANVIL}/-/issues", ["smithy", "Anvil", "Issues"]),
        (f"{ANVIL}/-/issues/1", ["smithy", "Anvil", "Issues", "#1"]),
        (f"{ANVIL}/-/merge_requests/1/diffs", ["smithy", "Anvil", "Merge requests", "!1"]),
        (f"{ANVIL}/-/branches", ["smithy", "Anvil", "Branches"]),
        ("/groups/smithy", ["Groups", "Smithy"]),
        ("/groups/smithy/-/labels", ["Groups", "Smithy", "Labels"]),
    ],
)
def test_the_last_crumb_is_the_page_and_no_link(smithy: RunningServer, path: str, crumbs: list[str]) -> None:
    page = Browser(smithy).open(path)
    parts = page.tree.xpath("//nav[@class='crumbs']/*[self::a or @aria-current]")
    assert [" ".join("".join(part.itertext()).split()) for part in parts] == crumbs
    assert [part.tag == "a" for part in parts] == [True] * (len(crumbs) - 1) + [False]


def test_empty_lists_say_what_comes_first(smithy: RunningServer, keys: dict[str, str]) -> None:
    client = smithy.client(keys["ada"])
    place = "/" + client.ok("POST", "/projects", json={"name": "Bare"})["path_with_namespace"]
    ada = Browser(smithy)
    ada.enter_by_link("ada")
    first_steps = {
        "branches": place, "merge_requests": f"{place}/-/merge_requests/new", "releases": f"{place}/-/releases/new",
        "labels": f"{place}/-/labels/new", "milestones": f"{place}/-/milestones/new", "jobs": f"{place}/-/pipelines",
        "environments": f"{place}/-/environments/new", "pipelines": f"{place}/-/pipelines/new",
        "snippets": f"{place}/-/snippets/new",
    }  # fmt: skip
    for list_, step in first_steps.items():
        empty = ada.open(f"{place}/-/{list_}").tree.find(".//div[@class='empty']")
        assert len(empty.findall("p")) == 3, list_
        assert [link.get("href") for link in empty.iter("a")] == [step], list_
