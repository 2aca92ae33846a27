"""Pages that renew themselves: the stream says that something changed, and ends when nothing will any more."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from ingot.features.ci.job_outputs import append_trace, trace_chunks, trace_size
from ingot.identity import sessions
from ingot.kit import tallies
from ingot.kit.clock import now
from tests.support import plain_http
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.web.browsing import Browser
from tests.web.test_browser import enter

ANVIL = "/projects/smithy%2Fanvil"
PLACE = "/smithy/anvil/-"
TOKEN = {"PRIVATE-TOKEN": ROOT_TOKEN}
# Tabs of the test's browser are never hidden; they are told so.
TURNED = """
Object.defineProperty(Document.prototype, "hidden", { get: () => window.unseen ?? false });
window.turn = (unseen) => { window.unseen = unseen; document.dispatchEvent(new Event("visibilitychange")); };
"""


def events(browser: Browser, path: str) -> Iterator[str]:
    """The names of the events of a stream, as they come."""
    with browser.http.stream("GET", path, timeout=120) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line.startswith("event: "):
                yield line.removeprefix("event: ")


def waiting_job(smithy: RunningServer, name: str) -> Any:
    """A job that no runner takes."""
    client = smithy.client(ROOT_TOKEN)
    action = {"action": "create", "file_path": ".gitlab-ci.yml", "content": f"{name}:\n  script: [make]\n"}
    if client.get(f"{ANVIL}/repository/files/.gitlab-ci.yml?ref=main").status_code == 200:
        action["action"] = "update"
    body = {"branch": name, "start_branch": "main", "commit_message": "Strike", "actions": [action]}
    client.ok("POST", f"{ANVIL}/repository/commits", json=body)
    return next(row for row in client.ok("GET", f"{ANVIL}/jobs") if row["name"] == name)


def grow_log(smithy: RunningServer, job_id: int) -> str:
    """Write a line; returns the state of the job from then on."""
    with smithy.services.db.write() as tx:
        return f"pending-{append_trace(tx, job_id, trace_size(tx, job_id), b'strike')}"


def statements() -> int:
    """How many this process has run."""
    return sum(tally.number for (part, *_), tally in tallies.totals().items() if part == tallies.STATEMENT)


class Stream:
    """A stream of one reader, which stays open."""

    def __init__(self, smithy: RunningServer, opened: ExitStack, path: str, **headers: str) -> None:
        http = opened.enter_context(plain_http.client(base_url=smithy.url, timeout=120, headers=headers))
        self.answer: httpx.Response = opened.enter_context(http.stream("GET", path))
        self._ids = (line.removeprefix("id: ") for line in self.answer.iter_lines() if line.startswith("id: "))

    def next_id(self) -> str:
        """Wait for the next event; its id."""
        return next(self._ids)


def root_session(smithy: RunningServer) -> dict[str, str]:
    """A session reads its row every time; what the row of a token costs depends on when it was last read."""
    root = smithy.client(ROOT_TOKEN).ok("GET", "/user")["id"]
    with smithy.services.db.write() as tx:
        return {"Cookie": f"_ingot_session={sessions.open_session(tx, root, now() + timedelta(hours=1), {})}"}


def cost_of_a_change(smithy: RunningServer, job_id: int, readers: int) -> int:
    """The statements from a change until so many streams have told of it."""
    with ExitStack() as opened:
        path, session = f"{PLACE}/jobs/{job_id}/events?seen=older", root_session(smithy)
        streams = [Stream(smithy, opened, path, **session) for _ in range(readers)]
        shown = {stream.next_id() for stream in streams}
        assert len(shown) == 1
        # After this one nothing is left to be read at first.
        for _ in range(2):
            before = statements()
            state = grow_log(smithy, job_id)
            assert {stream.next_id() for stream in streams} == {state}
        return statements() - before


def test_streams_of_one_job_cost_as_much_as_one(smithy: RunningServer) -> None:
    job_id = waiting_job(smithy, "strike-together")["id"]

    # The regular look, a few times a minute, and background work may come in between.
    alone = min(cost_of_a_change(smithy, job_id, 1) for _ in range(5))
    together = min(cost_of_a_change(smithy, job_id, 6) for _ in range(5))

    if smithy.services.db.is_sqlite:
        # Five more readers would cost a statement each at least.
        assert together < alone + 5
    else:
        # The version of the database is a statement there, once in a second.
        assert together < 2 * alone


def test_a_stream_resumes_where_it_ended(smithy: RunningServer) -> None:
    job_id = waiting_job(smithy, "strike-again")["id"]
    path = f"{PLACE}/jobs/{job_id}/events?seen=older"
    with ExitStack() as opened:
        first = Stream(smithy, opened, path, **TOKEN)
        seen = first.next_id()

        # The id of the last event counts, not what the page showed at first.
        same = Stream(smithy, opened, path, **TOKEN, **{"Last-Event-ID": seen})
        state = grow_log(smithy, job_id)
        assert first.next_id() == same.next_id() == state
        late = Stream(smithy, opened, path, **TOKEN, **{"Last-Event-ID": seen})
        assert late.next_id() == state


def test_a_person_has_six_streams_at_most(smithy: RunningServer) -> None:
    path = f"{PLACE}/jobs/{waiting_job(smithy, 'strike-often')['id']}/events"
    ada = smithy.client(ROOT_TOKEN).ok("GET", "/users?username=ada")[0]["id"]
    body = {"name": "reads", "scopes": ["read_api"]}
    other = smithy.client(ROOT_TOKEN).ok("POST", f"/users/{ada}/personal_access_tokens", json=body)["token"]
    with ExitStack() as opened:
        first = opened.enter_context(ExitStack())
        assert Stream(smithy, first, path, **TOKEN).answer.status_code == 200
        for _ in range(5):
            assert Stream(smithy, opened, path, **TOKEN).answer.status_code == 200

        refused = Stream(smithy, opened, path, **TOKEN).answer
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "600")
        assert Stream(smithy, opened, path, **{"PRIVATE-TOKEN": other}).answer.status_code == 200

        first.close()

        def is_free() -> bool:
            with ExitStack() as tried:
                return Stream(smithy, tried, path, **TOKEN).answer.status_code == 200

        until(is_free)


def test_a_stream_tells_of_a_job_until_it_ends(smithy: RunningServer) -> None:
    client = smithy.client(ROOT_TOKEN)
    job = waiting_job(smithy, "strike-live")
    browser = Browser(smithy, **{"PRIVATE-TOKEN": ROOT_TOKEN})
    page = browser.open(f"{PLACE}/jobs/{job['id']}")
    address = page.tree.find(".//p[@id='live-line']").get("data-live")
    # The address says what the page shows; somebody who saw something else is told at once.
    stale = events(browser, address.partition("?")[0] + "?seen=older")
    assert next(stale) == "changed"
    client.ok("POST", f"{ANVIL}/jobs/{job['id']}/cancel")
    assert list(stale) == ["changed", "over"]
    assert list(events(browser, address)) == ["changed", "over"]
    ended = browser.open(f"{PLACE}/jobs/{job['id']}")
    assert ended.tree.find(".//p[@id='live-line']") is None
    assert list(events(browser, f"{PLACE}/pipelines/{job['pipeline']['id']}/events")) == ["over"]


def test_streams_are_for_those_who_see_the_page(smithy: RunningServer) -> None:
    stranger = Browser(smithy)
    assert stranger.open("/ada/notebook/-/jobs/1/events").status == 404
    assert stranger.open(f"{PLACE}/jobs/1/events").path == "/users/sign_in"
    known = Browser(smithy, **{"PRIVATE-TOKEN": ROOT_TOKEN})
    assert known.open(f"{PLACE}/jobs/999999/events").status == 404
    assert known.open(f"{PLACE}/merge_requests/999/events").status == 404
    assert list(events(stranger, f"{PLACE}/merge_requests/1/events")) == ["over"]


def test_a_long_log_that_grows_is_read_from_where_it_was_counted(smithy: RunningServer) -> None:
    job = smithy.client(ROOT_TOKEN).ok("GET", f"{ANVIL}/jobs")[-1]["id"]
    browser = Browser(smithy, **{"PRIVATE-TOKEN": ROOT_TOKEN})

    def last_line() -> tuple[str, str]:
        row = browser.open(f"{PLACE}/jobs/{job}").tree.xpath("//div[@id='log-lines']/div[@class='line']")[-1]
        return row.get("id"), "".join(row.itertext()).strip()

    with smithy.services.db.write() as tx:
        size = trace_size(tx, job)
        before = sum(piece.count(b"\n") for piece in trace_chunks(smithy.services, job))
    for round_ in range(3):
        with smithy.services.db.write() as tx:
            size = append_trace(tx, job, size, b"%07d strike\n" % round_ * 100_000)
        number = before + (round_ + 1) * 100_000
        assert last_line() == last_line() == (f"L{number}", f"{number}{round_:07d} strike")
    middle = browser.open(f"{PLACE}/jobs/{job}/log?from={before + 150_000}")
    assert f"{before + 150_000}0000001 strike" in middle.text.replace(" 0000001", "0000001")


@pytest.mark.costly
def test_tabs_that_nobody_sees_leave_their_connections_to_others(smithy: RunningServer, chromium: Chromium) -> None:
    job = waiting_job(smithy, "strike-unseen")
    context = chromium.new_context(base_url=smithy.url)
    context.add_init_script(TURNED)
    tabs = [enter(smithy, context, "ada")]
    for _ in range(6):  # as many as the browser has connections
        tabs.append(context.new_page())
        tabs[-1].goto(f"/smithy/anvil/-/jobs/{job['id']}")
        expect(tabs[-1].locator("#live-line")).to_have_text("This page updates automatically.")
        tabs[-1].evaluate("turn(true)")
    tabs[0].goto("/smithy/anvil/-/branches")
    grow_log(smithy, job["id"])
    expect(tabs[1].locator("#log-lines")).to_have_count(0)
    tabs[1].evaluate("turn(false)")
    expect(tabs[1].locator("#live-log")).to_contain_text("strike")
    context.close()
