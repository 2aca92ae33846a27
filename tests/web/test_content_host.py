"""The host of users' files: reports run there for those who may read them, for five minutes; nothing else is there."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import pytest
from playwright.sync_api import sync_playwright

from ingot.kit.actor import Actor
from ingot.kit.content_links import LIFETIME, content_link
from ingot.settings import SettingError, make
from tests.support import plain_http
from tests.support.browsers import find_browser
from tests.support.databases import Databases
from tests.support.runner import project_runner, zipped
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import Person, World
from tests.web.browsing import Browser
from tests.web.conftest import PATIENCE

pytestmark = pytest.mark.costly  # the database is asked for nothing that other tests do not ask it for

HOST = "content.example"
PAGE = """<!doctype html><title>Report</title><link rel="stylesheet" href="style/own.css">
<p id="out"></p><iframe src="sub/inner.html"></iframe><script src="own.js"></script>
<script type="module">import { word } from "./part.js"; document.title = word;</script>"""
SCRIPT = """
const out = [], say = (name, value) => out.push(name + '=' + value);
say('origin', self.origin);
try { say('cookie', document.cookie || 'none'); } catch (e) { say('cookie', e.name); }
try { localStorage.x = 1; say('storage', 'open'); } catch (e) { say('storage', e.name); }
const asked = [fetch('data.json').then(a => a.json()).then(d => say('data', d.x), e => say('data', e)),
  fetch(MAIN + '/api/v4/version').then(() => say('main', 'read'), () => say('main', 'refused'))];
Promise.all(asked).then(() => { document.getElementById('out').textContent = out.join(' '); });
"""
FILES = {
    "site/index.html": PAGE, "site/style/own.css": "p { color: rgb(1, 2, 3) }", "site/own.js": SCRIPT,
    "site/part.js": "export const word = 'Loaded';", "site/data.json": '{"x": 7}',
    "site/sub/inner.html": "<p>inside</p>", "site/paper.pdf": "%PDF-1.4",
}  # fmt: skip


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data: Path = tmp_path_factory.mktemp("content")
    with RunningServer(databases.fresh(data), data, content_url=f"http://{HOST}") as running:
        yield running


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, visibility="private", initialize_with_readme=True)
    script = SCRIPT.replace("MAIN", f"'{world.server.url}'")
    files = {**FILES, "site/own.js": script}
    config = {".gitlab-ci.yml": "make: {script: [x], artifacts: {paths: [site]}}"}
    world.commit(created, "main", {**files, **config}, message="CI [skip ci]", user_id=owner.id)
    owner.client.ok("POST", f"/projects/{created['id']}/pipeline", json={"ref": "main"})
    job = project_runner(world, created).take()
    assert job.upload(zipped(files)).status_code == 201
    job.succeed()
    return {**created, "job": job.id, "root": f"/{created['path_with_namespace']}/-"}


@pytest.fixture(scope="module")
def browser(world: World, owner: Person) -> Browser:
    """The owner's; it opens pages as a browser does, and stays where it is sent to."""
    result = Browser(world.server, **{"Sec-Fetch-Dest": "document"})
    result.enter_by_link(owner.username)
    result.http.follow_redirects = False
    return result


def link_to(answer: httpx.Response) -> str:
    """The path on the other host that an answer of ours leads to."""
    assert answer.status_code == 302
    assert answer.headers["cache-control"] == "no-store"
    location = urlsplit(answer.headers["location"])
    assert location.netloc == HOST
    return location.path


def there(world: World, path: str, method: str = "GET", host: str = HOST, **headers: str) -> httpx.Response:
    """The answer of the other host."""
    return plain_http.request(method, world.server.url + path, headers={"Host": host, **headers})


def artifact(project: dict[str, Any], path: str = "site/index.html") -> str:
    return f"{project['root']}/jobs/{project['job']}/artifacts/external_file/{path}"


def test_a_report_is_opened_on_the_other_host(world: World, browser: Browser, project: dict[str, Any]) -> None:
    folder = browser.http.get(f"{project['root']}/jobs/{project['job']}/artifacts/browse/site").text
    assert folder.count(f'href="{artifact(project)}"') == 1
    assert "external_file/site/own.js" not in folder

    link = link_to(browser.http.get(artifact(project)))
    answer = there(world, link)

    assert answer.status_code == 200
    assert answer.text == PAGE
    headers = answer.headers
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert headers["content-disposition"].startswith("inline")
    assert headers["content-security-policy"].startswith("sandbox allow-scripts")
    assert "allow-same-origin" not in headers["content-security-policy"]
    assert headers["cross-origin-resource-policy"] == "cross-origin"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in headers
    base = link.rpartition("/")[0]
    assert there(world, f"{base}/style/own.css").headers["content-type"].startswith("text/css")
    assert "javascript" in there(world, f"{base}/own.js").headers["content-type"]
    assert there(world, f"{base}/paper.pdf").headers["content-disposition"].startswith("attachment")
    assert there(world, link, "HEAD").headers["content-length"] == str(len(PAGE))
    for missing in ("nothing.html", "style", "%00", "%", "../../x", "%2e%2e/%2e%2e/x"):
        assert there(world, f"{base}/{missing}").status_code == 404, missing


def test_committed_files_and_uploads_run_there_when_they_are_opened(
    world: World, browser: Browser, owner: Person, project: dict[str, Any]
) -> None:
    raw = f"{project['root']}/raw/main/site/index.html"
    upload = owner.client.ok("POST", f"/projects/{project['id']}/uploads", files={"file": ("a b.html", b"<p>up</p>")})

    link = link_to(browser.http.get(raw))
    assert there(world, link).text == PAGE
    assert there(world, f"{link.rpartition('/')[0]}/data.json").json() == {"x": 7}
    assert there(world, link_to(browser.http.get(upload["full_path"]))).text == "<p>up</p>"
    for place in ("", f"/projects/{project['id']}"):
        body = {"title": "x", "visibility": "private", "files": [{"file_path": "s.html", "content": "<p>own</p>"}]}
        snippet = owner.client.ok("POST", f"{place}/snippets", json=body)
        left = project["root"] if place else "/-"
        link = link_to(browser.http.get(f"{left}/snippets/{snippet['id']}/raw/main/s.html"))
        assert there(world, link).text == "<p>own</p>"
        assert there(world, link.replace("s.html", "t.html")).status_code == 404
        first = f"{left}/snippets/{snippet['id']}/raw"
        assert browser.http.get(first).headers["location"] == f"{first}/main/s.html"
    # As part of a page, downloaded, or read by a program they stay here; so does what no browser runs.
    for path, kind in ((raw, "image"), (raw, "empty"), (f"{raw}?inline=false", "document")):
        still = browser.http.get(path, headers={"Sec-Fetch-Dest": kind})
        assert (still.status_code, still.headers["content-type"].partition(";")[0]) == (200, "text/plain")
        assert "sandbox" in still.headers["content-security-policy"]
    assert browser.http.get(f"{project['root']}/raw/main/site/own.js").status_code == 200
    kept = browser.http.get(upload["full_path"], headers={"Sec-Fetch-Dest": "iframe"})
    assert kept.headers["content-disposition"].startswith("attachment")


@pytest.mark.parametrize("kind", ["project", "group"])
def test_files_attached_to_wikis_run_there_when_they_are_opened(
    world: World, browser: Browser, owner: Person, project: dict[str, Any], kind: str
) -> None:
    place = project if kind == "project" else world.group(owner, visibility="private")
    file = {"file": ("a b.html", b"<p>wiki</p>")}
    attached = owner.client.ok("POST", f"/{kind}s/{place['id']}/wikis/attachments", files=file)["file_path"]
    left = f"/{project['path_with_namespace']}" if kind == "project" else f"/groups/{place['full_path']}"
    address = f"{left}/-/wikis/{quote(attached)}"

    link = link_to(browser.http.get(address))

    assert there(world, link).text == "<p>wiki</p>"
    assert there(world, link).headers["content-type"] == "text/html; charset=utf-8"
    for missing in ("b.html", "../../home.md", "%2e%2e/home.md"):
        assert there(world, f"{link.rpartition('/')[0]}/{missing}").status_code == 404
    framed = browser.http.get(address, headers={"Sec-Fetch-Dest": "iframe"})
    assert (framed.status_code, framed.headers["content-disposition"][:10]) == (200, "attachment")
    stranger = Browser(world.server, **{"Sec-Fetch-Dest": "document"})
    stranger.enter_by_link(world.user().username)
    stranger.http.follow_redirects = False
    path = quote(attached.partition("/")[2])
    again = f"/-/content/wikis/{kind}-{place['id']}/attached/{path}"
    assert [stranger.http.get(way).status_code for way in (address, again)] == [404, 404]
    assert there(world, link_to(browser.http.get(again))).text == "<p>wiki</p>"
    for wrong in (f"{kind}-x/attached", f"user-{place['id']}/attached", f"{kind}-{place['id']}/pages"):
        assert browser.http.get(f"/-/content/wikis/{wrong}/{path}").status_code == 404


def test_only_those_who_may_read_it_get_a_link(world: World, project: dict[str, Any]) -> None:
    stranger = Browser(world.server, **{"Sec-Fetch-Dest": "document"})
    stranger.enter_by_link(world.user().username)
    stranger.http.follow_redirects = False

    for path in (artifact(project), f"{project['root']}/raw/main/site/index.html"):
        assert stranger.http.get(path).status_code == 404
        assert HOST not in plain_http.get(world.server.url + path).headers.get("location", "")


def test_a_link_opens_what_it_was_made_for_and_nothing_else(
    world: World, browser: Browser, owner: Person, project: dict[str, Any]
) -> None:
    link = link_to(browser.http.get(artifact(project)))
    _, signature, kind, place, name, path = link.split("/", 5)
    expires, user, admin, mac = signature.split(".")
    other = world.project(owner, visibility="private")
    wrong = [
        f"/{int(expires) + 60}.{user}.{admin}.{mac}/{kind}/{place}/{name}/{path}",
        f"/{expires}.1.{admin}.{mac}/{kind}/{place}/{name}/{path}",
        f"/{expires}.{user}.1.{mac}/{kind}/{place}/{name}/{path}",
        f"/{expires}.0{user}.{admin}.{mac}/{kind}/{place}/{name}/{path}",
        f"/{expires}.{user}.{admin}.{'0' * 64}/{kind}/{place}/{name}/{path}",
        f"/{signature}/{kind}/{place}/{int(name) + 1}/{path}",
        f"/{signature}/{kind}/{other['id']}/{name}/{path}",
        f"/{signature}/files/{place}/{name}/{path}",
        f"/{signature}/uploads/{place}/{name}/{path}",
        f"/{signature}/{kind}/{place}/{name}",
        f"/{signature}/{kind}/{place}/{name}/tree",
        f"/{signature}",
        f"/{kind}/{place}/{name}/{path}",
    ]
    assert {path: there(world, path).status_code for path in wrong} == dict.fromkeys(wrong, 404)
    assert there(world, link, "POST").status_code == 404
    assert plain_http.get(world.server.url + link).status_code == 404  # our own host knows no such address


def test_a_link_ends_with_its_time_and_with_the_persons_right(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    member = world.user()
    world.member(project, member, "developer")
    person = Browser(world.server, **{"Sec-Fetch-Dest": "document"})
    person.enter_by_link(member.username)
    person.http.follow_redirects = False
    link = link_to(person.http.get(artifact(project)))
    assert there(world, link).status_code == 200

    world.admin.ok("DELETE", f"/projects/{project['id']}/members/{member.id}")

    assert there(world, link).status_code == 404
    services, at = world.server.services, ("artifacts", str(project["id"]), str(project["job"]), "site/index.html")
    holder = Actor(user_id=owner.id)
    for seconds, status in ((LIFETIME, 200), (0, 403), (-60, 403)):
        ending = urlsplit(content_link(services, holder, *at, lifetime=seconds)).path
        assert there(world, ending).status_code == status
    assert LIFETIME == 300


def test_whoever_goes_on_reading_gets_another_link(
    world: World, browser: Browser, owner: Person, project: dict[str, Any]
) -> None:
    services = world.server.services
    upload = owner.client.ok("POST", f"/projects/{project['id']}/uploads", files={"file": ("x.html", b"<p>up</p>")})
    commit = owner.client.ok("GET", f"/projects/{project['id']}/repository/commits/main")["id"]
    number = str(project["id"])
    places = [
        ("artifacts", number, str(project["job"]), "site/index.html"),
        ("files", number, commit, "site/index.html"),
        ("uploads", f"project-{number}", upload["full_path"].split("/")[-2], "x.html"),
    ]
    stranger = Browser(world.server)
    unset, services.settings = services.settings, replace(services.settings, base_url="https://git.example")
    try:
        for place in places:
            ended = urlsplit(content_link(services, Actor(user_id=owner.id), *place, lifetime=0)).path
            onward = there(world, ended, **{"Sec-Fetch-Dest": "document"})
            assert there(world, ended, **{"Sec-Fetch-Dest": "script"}).status_code == 403
            assert (onward.status_code, urlsplit(onward.headers["location"]).netloc) == (302, "git.example")
            path = urlsplit(onward.headers["location"]).path
            session = {"Cookie": f"__Host-ingot_session={browser.http.cookies['_ingot_session']}"}
            assert there(world, link_to(browser.http.get(path, headers=session))).status_code == 200
            assert stranger.http.get(path).status_code == 404
    finally:
        services.settings = unset
    assert browser.http.get(f"/-/content/pages/{number}/1/x.html").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/", "/users/sign_in", "/api/v4/version", "/api/v4/projects", "/api/graphql", "/-/health", "/-/metrics",
        "/-/asset/x/y", "/assets/x/app.css", "/oauth/token", "/robots.txt", "/explore", "//api/v4/version",
    ],
)  # fmt: skip
def test_nothing_else_of_the_server_is_there(world: World, project: dict[str, Any], path: str) -> None:
    paths = [path, f"/{project['path_with_namespace']}.git/info/refs?service=git-upload-pack"]

    for host in (HOST, HOST.upper(), f"{HOST}:80", f"{HOST}:8443", f"{HOST}."):
        for one in paths:
            for method in ("GET", "POST", "OPTIONS"):
                answer = there(world, one, method, host, **{"PRIVATE-TOKEN": ROOT_TOKEN})
                assert (answer.status_code, answer.text) == (404, "Not found.\n"), (host, one, method)
                assert "set-cookie" not in answer.headers


def test_a_header_of_a_proxy_leads_nobody_there(world: World) -> None:
    for name in ("X-Forwarded-Host", "Forwarded", "X-Original-Host"):
        value = f"host={HOST}" if name == "Forwarded" else HOST
        assert plain_http.get(f"{world.server.url}/users/sign_in", headers={name: value}).status_code == 200


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"content_url": "content.example"}, "must look like"),
        ({"content_url": "https://content.example/files"}, "must look like"),
        ({"content_url": "https://me@content.example"}, "must look like"),
        ({"content_url": "https://b\u00fccher.example"}, "must look like"),
        ({"content_url": "https://git.example:8443", "base_url": "https://git.example"}, "a different host name"),
        ({"content_url": "https://b.example", "allowed_hosts": "a.example, B.example:80"}, "a different host name"),
    ],
)
def test_the_address_must_have_a_host_of_its_own(values: dict[str, str], reason: str) -> None:
    with pytest.raises(SettingError, match=reason):
        make(values)


def test_a_browser_runs_a_report_and_locks_it_in(world: World, owner: Person, project: dict[str, Any]) -> None:
    with sync_playwright() as driver:
        where = world.server.url.removeprefix("http://")
        rules = f"--host-resolver-rules=MAP {HOST} {where}"
        chromium = driver.chromium.launch(
            executable_path=find_browser(), args=["--no-sandbox", rules], timeout=PATIENCE
        )
        context = chromium.new_context(base_url=world.server.url)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        entering = Browser(world.server)
        entering.enter_by_link(owner.username)
        session = {"name": "_ingot_session", "value": entering.http.cookies["_ingot_session"], "url": world.server.url}
        context.add_cookies([session])  # type: ignore[list-item]
        page.goto(f"{project['root']}/jobs/{project['job']}/artifacts/browse/site")
        with page.expect_navigation():
            page.click("a:has-text('Open')")

        page.wait_for_function("document.getElementById('out').textContent !== ''")

        assert urlsplit(page.url).netloc == HOST
        said = dict(part.split("=") for part in page.locator("#out").inner_text().split())
        assert said == {
            "origin": "null", "cookie": "SecurityError", "storage": "SecurityError", "data": "7", "main": "refused",
        }  # fmt: skip
        page.wait_for_function("document.title === 'Loaded'")
        assert page.locator("#out").evaluate("one => getComputedStyle(one).color") == "rgb(1, 2, 3)"
        assert page.frame_locator("iframe").locator("p").inner_text() == "inside"
        chromium.close()


def test_texts_and_pictures_among_artifacts_are_shown_and_never_run(browser: Browser, project: dict[str, Any]) -> None:
    place = f"{project['root']}/jobs/{project['job']}/artifacts"
    folder = browser.http.get(f"{place}/browse/site").text

    shown, saved = (browser.http.get(f"{place}/{kind}/site/own.js").headers for kind in ("file", "raw"))

    assert f'href="{place}/file/site/own.js"' in folder
    assert (shown["content-type"], shown["content-disposition"]) == ("text/plain; charset=utf-8", "inline")
    assert "sandbox" in shown["content-security-policy"]
    assert saved["content-disposition"].startswith("attachment")
