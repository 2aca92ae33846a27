"""Logs of newer runners, whose lines begin with when they were written: the time stands beside the text."""

import time

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from ingot.features.ci.job_outputs import append_trace, trace_size
from ingot.web.logs import find_lines, window, window_from
from tests.support.server import RunningServer
from tests.web.browsing import Browser
from tests.web.test_browser import enter
from tests.web.test_live import PLACE, waiting_job

pytestmark = pytest.mark.costly

HEADED = (
    b"2026-05-14T11:19:20.000001Z 00O Running with a runner\n"
    b"2026-05-14T11:19:21.000001Z 00O section_start:1778757561:script\r\x1b[0K\n"
    b"2026-05-14T11:19:21.000002Z 00O+\x1b[36;1mExecuting the script\x1b[0;m\n"
    b"2026-05-14T11:19:22.000001Z 01O $ make\n"
    b"2026-05-14T11:19:23.000001Z 01O 10 %\r\n"
    b"2026-05-14T11:19:24.000001Z 01O+90 %\r\n"
    b"2026-05-14T11:19:25.000001Z 01O+done\n"
    b"2026-05-14T11:19:26.000001Z 01E+a stream of its own\n"
    b"2026-05-14T11:19:30.000001Z 00O section_end:1778757570:script\r\x1b[0K\n"
    b"2026-05-14T11:19:30.000002Z 00O+ERROR: Job failed: exit code 1\n"
    b"no head\n"
)


def write(smithy: RunningServer, job_id: int, text: bytes) -> None:
    with smithy.services.db.write() as tx:
        append_trace(tx, job_id, trace_size(tx, job_id), text)


def test_lines_have_their_times_and_those_that_go_on_are_one() -> None:
    log = window([HEADED])

    assert [(number, line.striptags()) for number, line in log.rows] == [
        (1, "Running with a runner"), (2, "Executing the script"), (4, "$ make"), (5, "done"),
        (8, "a stream of its own"), (9, "ERROR: Job failed: exit code 1"), (11, "no head"),
    ]  # fmt: skip
    assert (log.total, log.times[5], log.times[1]) == (11, "11:19:23", "11:19:20")
    (section,) = log.sections.values()
    assert (section.name, section.last, section.seconds) == ("script", 9, 9)


def test_a_part_may_begin_with_a_line_that_goes_on() -> None:
    part = window_from([HEADED], 6)

    assert next((number, str(line)) for number, line in part.rows) == (6, "done")


@pytest.mark.parametrize("written", ["2026-05-14T11:19:20Z text", "2026-05-14T11:19:20.000001Z 0xO text"])
def test_times_that_a_script_writes_are_its_text(written: str) -> None:
    log = window([written.encode()])

    assert (log.lines, log.times) == ([written], {})


def test_words_are_found_without_heads_and_lead_to_the_line_that_is_shown() -> None:
    assert find_lines([HEADED], "2026-05") == ([], False)
    assert find_lines([HEADED], "%")[0] == [(5, "10 <mark>%</mark>")]
    assert [number for number, _ in find_lines([HEADED], "done")[0]] == [5]
    assert [number for number, _ in find_lines([HEADED], "a stream of its own")[0]] == [8]


def test_words_are_found_at_once_in_a_line_that_goes_on_for_long() -> None:
    log = b"2026-05-14T11:19:20.000000Z 01O+a\n" * 3000
    begun = time.process_time()

    assert [number for number, _ in find_lines([log], "a")[0]] == [1]
    assert time.process_time() - begun < 10


def test_the_page_of_a_job_shows_times_and_its_failures_no_heads(smithy: RunningServer, ada: Browser) -> None:
    job_id = waiting_job(smithy, "headed")["id"]
    write(smithy, job_id, HEADED)

    page = ada.open(f"{PLACE}/jobs/{job_id}")
    times = page.tree.xpath("//div[@id='log-lines']//time/text()")
    assert times == ["11:19:20", "11:19:21", "11:19:22", "11:19:23", "11:19:26", "11:19:30"]
    assert "00O" not in page.text
    assert page.tree.xpath("//div[@id='log-lines']/div[@id='S2']//summary/span/span[@class='k6 b']/text()") == [
        "Executing the script"
    ]
    found = ada.open(f"{PLACE}/jobs/{job_id}/log?q=failed")
    assert found.tree.xpath("//table//td[2]//text()") == ["ERROR: Job ", "failed", ": exit code 1"]
    assert found.tree.xpath("//table//mark/text()") == ["failed"]
    assert ada.open(f"{PLACE}/jobs/{job_id}/raw").response.content == HEADED


@pytest.mark.costly
def test_a_bar_of_progress_moves_in_its_line(smithy: RunningServer, chromium: Chromium) -> None:
    job_id = waiting_job(smithy, "progress")["id"]
    first, *more = [line + b"\n" for line in HEADED.split(b"\n")[4:8]]
    write(smithy, job_id, first)
    context = chromium.new_context(base_url=smithy.url, viewport={"width": 1280, "height": 800})
    page = enter(smithy, context, "ada")
    page.goto(f"{PLACE}/jobs/{job_id}")
    expect(page.locator("#L1 > span")).to_have_text("10 %")
    write(smithy, job_id, b"".join(more))
    expect(page.locator("#L1 > span")).to_have_text("done")
    expect(page.locator("#L4 > time")).to_have_text("11:19:26")
    assert page.locator("#L2, #L3").count() == 0
    page.set_viewport_size({"width": 360, "height": 800})
    expect(page.locator("#L4 > time")).to_be_hidden()
    context.close()


def test_addresses_in_logs_are_links() -> None:
    text = (
        b"See https://example.com/a?b=1&c=<i>, (http://x.test/y). javascript://x ftp://no\n"
        b'\x1b[31mhttps://example.com/"onload="x\x1b[0m https://\n'
    )

    first, second = window([text]).lines

    def link(address: str) -> str:
        return f'<a href="{address}" rel="nofollow noopener noreferrer">{address}</a>'

    whole = link("https://example.com/a?b=1&amp;c=")
    assert str(first) == f"See {whole}&lt;i&gt;, ({link('http://x.test/y')}). javascript://x ftp://no"
    assert str(second) == f'<span class="k1">{link("https://example.com/")}&#34;onload=&#34;x</span> https://'
    assert window([b"https://,"]).lines == ["https://,"]
