"""Pages that renew themselves: the stream says that something changed, and ends when nothing will any more."""

from collections.abc import Iterator

from ingot.features.ci.job_outputs import append_trace, trace_chunks, trace_size
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser

ANVIL = "/projects/smithy%2Fanvil"
PLACE = "/smithy/anvil/-"


def events(browser: Browser, path: str) -> Iterator[str]:
    """The names of the events of a stream, as they come."""
    with browser.http.stream("GET", path, timeout=120) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line.startswith("event: "):
                yield line.removeprefix("event: ")


def test_a_stream_tells_of_a_job_until_it_ends(smithy: RunningServer) -> None:
    client = smithy.client(ROOT_TOKEN)
    action = {"action": "create", "file_path": ".gitlab-ci.yml", "content": "strike-live:\n  script: [make]\n"}
    if client.get(f"{ANVIL}/repository/files/.gitlab-ci.yml?ref=main").status_code == 200:
        action["action"] = "update"
    body = {"branch": "live", "start_branch": "main", "commit_message": "Strike", "actions": [action]}
    client.ok("POST", f"{ANVIL}/repository/commits", json=body)
    job = next(row for row in client.ok("GET", f"{ANVIL}/jobs") if row["name"] == "strike-live")
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
        row = browser.open(f"{PLACE}/jobs/{job}").tree.xpath("//tbody[@id='log-lines']/tr")[-1]
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
