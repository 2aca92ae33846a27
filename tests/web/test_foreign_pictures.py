"""Pictures of other servers on pages: fetched under the rules for calls outside, and given out as ours."""

import base64
import os
import re
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser as Chromium

from ingot.backup.mirror import mirror
from ingot.backup.objects import FOLDER, copy_out
from ingot.instance.throttling import user_name
from ingot.kit.blobs.folders import PASSING
from ingot.kit.blobs.passing import past
from ingot.kit.outbound import Outbound
from ingot.kit.rate_counts import beginning
from ingot.kit.rate_windows import add
from ingot.web.foreign_pictures import KEPT_A_DAY, PER_CALLER, PERIOD, SHARES, picture_key
from ingot.web.texts.markdown import render
from ingot.web.texts.pictures import LONGEST, picture_address
from tests.kit.outbound.servers import StoryTeller, a_trap
from tests.support import plain_http
from tests.support.elsewhere import Elsewhere, running_elsewhere
from tests.support.waiting import until
from tests.support.world import Person, World
from tests.web.conftest import PATIENCE

pytestmark = pytest.mark.costly  # the database is asked for nothing that other tests do not ask it for

PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgBAAAAwACS/Xd6gAAAABJRU5ErkJggg==")
PICTURES = {
    "png": PNG, "jpeg": b"\xff\xd8\xff\xe0" + b"x" * 20, "gif": b"GIF89a" + b"x" * 20,
    "webp": b"RIFF\x10\0\0\0WEBPVP8 " + b"x" * 20, "avif": b"\0\0\0\x1cftypavif" + b"x" * 20,
}  # fmt: skip
DRAWING = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HOUR = 3600


@pytest.fixture(scope="module")
def elsewhere(world: World) -> Iterator[Elsewhere]:
    """Another server, which the administrator has listed: it is on this machine."""
    with running_elsewhere() as running:
        allowed = {"outbound_local_requests_whitelist": [running.place]}
        world.admin.ok("PUT", "/application/settings", json=allowed)
        yield running


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, visibility="public", initialize_with_readme=True)


def address(world: World, url: str) -> str:
    """Where a page shows a picture from."""
    result = picture_address(picture_key(world.server.services), "", url)
    assert result is not None
    return result


def get(world: World, path: str, **headers: str) -> httpx.Response:
    return plain_http.get(world.server.url + path, headers=headers)


def shown(world: World, url: str) -> httpx.Response:
    return get(world, address(world, url))


def make_older(world: World, seconds: int) -> None:
    """All that is kept for a while becomes older by so much."""
    for file in (world.server.settings.objects_folder / PASSING).rglob("*"):
        if file.is_file():
            moment = file.stat().st_mtime - seconds
            os.utime(file, (moment, moment))


def test_a_page_shows_a_picture_of_another_server_as_its_own(
    world: World, elsewhere: Elsewhere, owner: Person, project: dict[str, Any]
) -> None:
    url = elsewhere.put("/seen.png?a=1&b=2", PNG)
    own = f"{world.server.url}/own.png"
    written = [f"![A view]({url})", f'<img src="{url}" alt="Again">', f"[![Linked]({url})](https://a.example)"]
    text = "\n\n".join([*written, f"![]({url})", f"![Ours]({own})", "![Key](https://me:key@a.example/x.png)"])
    issue = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "See", "description": text})

    page = get(world, f"/{project['path_with_namespace']}/-/issues/{issue['iid']}")

    sources = re.findall(r'<img src="([^"]+)"', page.text)
    sources = [source for source in sources if not source.startswith("/assets/")]
    assert sources == [address(world, url)] * 4 + ["/own.png"]
    assert page.text.count(f'<a href="{url.replace("&", "&amp;")}" rel="nofollow noopener noreferrer"><img') == 2
    assert '<a href="https://a.example" rel="nofollow noopener noreferrer"><img' in page.text
    assert 'alt="seen.png" loading="lazy"' in page.text
    assert 'href="https://me:key@a.example/x.png"' in page.text
    assert "img-src 'self'" in page.headers["content-security-policy"]
    cookies = {"Cookie": "_ingot_session=secret", "Referer": page.url.path, "X-Forwarded-For": "192.0.2.7"}
    answer = get(world, sources[0], **cookies)
    assert (answer.status_code, answer.content) == (200, PNG)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    sent = {name.lower() for path, headers in elsewhere.asked if path.startswith("/seen") for name in headers}
    assert sent <= {"host", "user-agent", "accept", "accept-encoding", "connection"}
    again = get(world, sources[0])
    assert (again.content, again.headers["content-type"]) == (PNG, "image/png")
    assert 0 < int(again.headers["cache-control"].rpartition("=")[2]) <= 24 * HOUR
    known = get(world, sources[0], **{"If-None-Match": again.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")
    assert plain_http.head(world.server.url + sources[0]).headers["content-length"] == str(len(PNG))
    assert elsewhere.times("/seen.png?a=1&b=2") == 1


def test_the_interface_names_pictures_and_links_them(world: World, elsewhere: Elsewhere) -> None:
    text = f"![A view]({elsewhere.url}/x.png)"
    html = world.admin.ok("POST", "/markdown", json={"text": text})["html"]

    assert f'<a href="{elsewhere.url}/x.png" rel="nofollow noopener noreferrer">A view</a>' in html


def test_no_spelling_makes_a_browser_ask_another_server_by_itself() -> None:
    own = "https://ingot.example"
    spellings = [
        f"{own}//a.example/x.png", f"{own}/\\a.example/x.png", "///a.example/x.png", "/\\a.example/x.png",
        "\\\\a.example/x.png", " ///a.example/x.png", "https:/a.example/x.png", "https:a.example/x.png",
    ]  # fmt: skip

    for place in ({"pictures": "key", "own": own}, {}):
        html = "".join(render(f'<img src="{source}" alt="A">', {}, place) for source in spellings)
        assert "a.example" not in html.replace("https:/a.example", "").replace("https:a.example", ""), html
    assert [picture_address("key", own, source) for source in spellings] == [None] * len(spellings)
    assert picture_address("key", own, f"{own}/a//b.png") == "/a//b.png"


@pytest.mark.parametrize("kind", PICTURES)
def test_pictures_are_known_by_their_first_bytes(world: World, elsewhere: Elsewhere, kind: str) -> None:
    url = elsewhere.put(f"/kinds/{kind}", PICTURES[kind], Content_Type="text/html")

    assert [shown(world, url).headers["content-type"] for _ in range(2)] == [f"image/{kind}"] * 2


def test_what_is_no_picture_is_not_given_out_and_not_asked_for_again(world: World, elsewhere: Elsewhere) -> None:
    large = PNG + b"x" * (5 * 1024 * 1024)
    urls = [
        elsewhere.put("/no/drawing.png", DRAWING, Content_Type="image/png"),
        elsewhere.put("/no/page.png", b"<!doctype html><script>alert(1)</script>", Content_Type="image/png"),
        elsewhere.put("/no/short.png", b"GIF8"),
        elsewhere.put("/no/empty.png"),
        elsewhere.put("/no/packed.png", b"\x1f\x8b" + PNG, Content_Encoding="gzip"),
        elsewhere.put("/no/missing.png", PNG, status=404),
        elsewhere.put("/no/large.png", large),
        elsewhere.put("/no/growing.png", large, Content_Length=""),
        elsewhere.put("/no/endless.png", status=302, Location="/no/endless.png"),
    ]

    for url in urls:
        for _ in range(2):
            answer = shown(world, url)
            assert answer.status_code == 404, url
            assert answer.headers["content-type"].startswith("text/plain"), url
            assert answer.headers["x-content-type-options"] == "nosniff"
    asked = {url: elsewhere.times(url.removeprefix(elsewhere.url)) for url in urls}
    assert asked == {url: 4 if "endless" in url else 1 for url in urls}
    make_older(world, 600)
    elsewhere.put("/no/missing.png", PNG)
    assert shown(world, urls[5]).status_code == 200


def test_a_picture_is_kept_for_a_day(world: World, elsewhere: Elsewhere) -> None:
    url = elsewhere.put("/day.gif", PICTURES["gif"])
    assert shown(world, url).status_code == 200
    make_older(world, 23 * HOUR)
    elsewhere.put("/day.gif", PNG)
    assert shown(world, url).headers["content-type"] == "image/gif"

    make_older(world, HOUR)

    assert shown(world, url).headers["content-type"] == "image/png"
    assert elsewhere.times("/day.gif") == 2


def test_what_is_kept_for_a_day_is_swept_and_not_part_of_backups(
    world: World, elsewhere: Elsewhere, tmp_path: Any
) -> None:
    store = world.server.services.blobs
    assert shown(world, elsewhere.put("/swept.png", PNG)).status_code == 200
    make_older(world, 25 * HOUR)
    store.put("uploads/other", b"x")

    assert set(past(store)) == {info.key for info in store.list(PASSING)} != set()
    copy_out(store, tmp_path)
    mirror(world.server.settings.objects_folder, tmp_path / "mirrored", without=PASSING)
    for folder in (tmp_path / FOLDER, tmp_path / "mirrored"):
        assert (folder / "uploads" / "other").exists()
        assert not (folder / PASSING).exists()


def test_only_addresses_of_our_pages_are_fetched(world: World, elsewhere: Elsewhere) -> None:
    right = address(world, elsewhere.put("/right.png", PNG))
    other = elsewhere.put("/other.png", PNG).encode().hex()
    _, _, _, mac, hexed = right.split("/")
    wrong = [
        f"{'0' * len(mac)}/{hexed}", f"{mac}/{other}", f"{mac}/{hexed.upper()}", f"{mac}/{hexed}0", f"{mac}/", mac, "",
        f"{mac}/{hexed}/", f"{mac[:-1]}/{hexed}", f"{mac}/{'0' * 2 * LONGEST}00", f"{mac}/%00", f"{mac}/é",
        f"é/{hexed}",
    ]  # fmt: skip

    assert {path: get(world, f"/-/asset/{path}").status_code for path in wrong} == dict.fromkeys(wrong, 404)
    assert plain_http.post(world.server.url + right).status_code == 404
    assert (elsewhere.times("/right.png"), elsewhere.times("/other.png")) == (0, 0)


def test_nobody_is_led_into_our_network(world: World, elsewhere: Elsewhere) -> None:
    """Only hosts of the administrator's list are called, whatever web hooks may reach."""
    world.admin.ok("PUT", "/application/settings", json={"allow_local_requests_from_web_hooks_and_services": True})
    services = world.server.services
    with a_trap() as trap:
        inside = [
            f"http://{host}:{trap.port}/x.png"
            for host in ("127.0.0.1", "localhost", "[::1]", "0x7f000001", "127.1", "0.0.0.0", "[::ffff:127.0.0.1]")
        ]
        led = [
            elsewhere.put(f"/led/{number}.png", status=302, Location=url.replace("/x.png", "/y.png"))
            for number, url in enumerate(inside)
        ]
        # A name that is public when it is looked at, and ours when it is called.
        services.outbound = Outbound(resolver=StoryTeller(["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["10.0.0.1"]))
        try:
            named = [f"http://{name}.example:{trap.port}/x.png" for name in ("inside", "both", "private")]
            statuses = {url: shown(world, url).status_code for url in [*inside, *led, *named]}
        finally:
            services.outbound = None
        assert statuses == dict.fromkeys([*inside, *led, *named], 404)
        assert not trap.was_touched()
        assert all(elsewhere.times(url.removeprefix(elsewhere.url)) == 1 for url in led)
    own = f"{world.server.url}/-/health"
    assert shown(world, own).status_code == 404


def test_those_who_ask_at_once_get_one_fetch(world: World, elsewhere: Elsewhere) -> None:
    url = elsewhere.put("/held/one.png", PNG)
    answers: list[httpx.Response] = []
    threads = [threading.Thread(target=lambda: answers.append(shown(world, url))) for _ in range(8)]
    for thread in threads:
        thread.start()

    elsewhere.released.set()
    for thread in threads:
        thread.join()

    assert [answer.content for answer in answers] == [PNG] * 8
    assert elsewhere.times("/held/one.png") == 1


def test_everybody_has_a_budget_of_fetches(world: World, elsewhere: Elsewhere) -> None:
    db, person = world.server.services.db, world.user()
    kept, new = elsewhere.put("/kept.png", PNG), elsewhere.put("/new.png", PNG)
    assert shown(world, kept).status_code == 200
    for number in range(2):  # the next window may begin at any moment
        window = beginning(PERIOD) + number * PERIOD
        add(db, f"pictures:{user_name(person.id)}", window, PERIOD, PER_CALLER)

    token = {"PRIVATE-TOKEN": person.token}
    refused = get(world, address(world, new), **token)

    assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
    assert refused.headers["cache-control"] == "no-store"
    assert elsewhere.times("/new.png") == 0
    assert get(world, address(world, kept), **token).status_code == 200
    assert shown(world, new).status_code == 200  # others have theirs


def test_beyond_what_may_be_kept_in_a_day_pictures_are_only_passed_on(world: World, elsewhere: Elsewhere) -> None:
    url, day = elsewhere.put("/passed.png", PNG), 24 * HOUR
    for number in range(2):
        add(world.server.services.db, "pictures:bytes", beginning(day) + number * day, day, KEPT_A_DAY)
    try:
        assert [shown(world, url).content for _ in range(2)] == [PNG] * 2
        assert elsewhere.times("/passed.png") == 2
    finally:
        for number in range(2):
            add(world.server.services.db, "pictures:bytes", beginning(day) + number * day, day, -KEPT_A_DAY)


def test_nobody_uses_up_for_others_what_may_be_kept(world: World, elsewhere: Elsewhere) -> None:
    db, person, day = world.server.services.db, world.user(), 24 * HOUR
    url = elsewhere.put("/share.png", PNG)
    for number in range(2):
        window = beginning(day) + number * day
        add(db, f"pictures:bytes:{user_name(person.id)}", window, day, KEPT_A_DAY // SHARES)
    token = {"PRIVATE-TOKEN": person.token}

    passed_on = [get(world, address(world, url), **token).content for _ in range(2)]

    assert (passed_on, elsewhere.times("/share.png")) == ([PNG] * 2, 2)
    # Others have shares of their own, and what is kept for them is kept for all.
    assert [shown(world, url).content, get(world, address(world, url), **token).content] == [PNG] * 2
    assert elsewhere.times("/share.png") == 3


def test_badges_are_pictures(world: World, elsewhere: Elsewhere, owner: Person, project: dict[str, Any]) -> None:
    picture = elsewhere.put("/badge/main.png", PNG)
    badge = {"link_url": "https://a.example/", "image_url": f"{elsewhere.url}/badge/%{{default_branch}}.png"}
    owner.client.ok("POST", f"/projects/{project['id']}/badges", json={"name": "Coverage", **badge})

    page = get(world, f"/{project['path_with_namespace']}").text

    assert f'rel="nofollow noopener noreferrer"><img src="{address(world, picture)}" alt="Coverage"></a>' in page


def test_a_browser_shows_the_picture_and_the_words_of_a_missing_one(
    world: World, elsewhere: Elsewhere, owner: Person, chromium: Chromium
) -> None:
    there, gone = elsewhere.put("/browser.png", PNG), f"{elsewhere.url}/gone.png"
    project = world.project(owner, visibility="public", initialize_with_readme=True)
    text = f"# Anvil\n\n![A view]({there})\n\n![The plan]({gone})\n"
    body = {"branch": "main", "content": text, "commit_message": "Show"}
    owner.client.ok("PUT", f"/projects/{project['id']}/repository/files/README.md", json=body)
    context = chromium.new_context(base_url=world.server.url)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    page.goto(f"/{project['path_with_namespace']}")
    # Looked at from here: the page's policy lets no script that waits be evaluated in it.
    until(lambda: page.evaluate("[...document.querySelectorAll('.readme img')].every(one => one.complete)"))

    for alt, width in (("A view", 1), ("The plan", 0)):
        assert page.locator(f".readme img[alt='{alt}']").evaluate("one => one.naturalWidth") == width
    assert page.locator(".readme a", has=page.locator("img[alt='The plan']")).get_attribute("href") == gone
    assert asked
    assert all(url.startswith(world.server.url) for url in asked)
    context.close()
