"""Sections of a log in a real browser: they fold without scripts, links open them, and new lines come into theirs."""

import pytest
from playwright.sync_api import Browser, expect

from ingot.features.ci.job_outputs import append_trace, trace_size
from tests.support.server import RunningServer
from tests.web.conftest import PATIENCE
from tests.web.test_browser import enter
from tests.web.test_live import PLACE, waiting_job

pytestmark = pytest.mark.costly
LOG = (
    b"a\nsection_start:100:fetch[collapsed=true]\rFetch\nb\nc\n"
    b"section_end:112:fetch\rsection_start:112:build\rBuild\nd\n"
)


def write(smithy: RunningServer, job_id: int, text: bytes) -> None:
    with smithy.services.db.write() as tx:
        append_trace(tx, job_id, trace_size(tx, job_id), text)


@pytest.mark.parametrize("width", [360, 1280])
def test_sections_fold_without_scripts(smithy: RunningServer, chromium: Browser, width: int) -> None:
    job_id = waiting_job(smithy, f"fold-{width}")["id"]
    write(smithy, job_id, LOG)
    viewport = {"width": width, "height": 900}
    context = chromium.new_context(base_url=smithy.url, viewport=viewport, java_script_enabled=False)  # type: ignore[arg-type]
    page = enter(smithy, context, "ada")
    page.set_default_timeout(PATIENCE)
    page.goto(f"{PLACE}/jobs/{job_id}")

    assert page.locator("#L3").is_hidden()
    assert page.locator("#L6").is_visible()
    assert "12 s" in (page.text_content("#L2") or "")
    page.locator("#L2").click()
    expect(page.locator("#L3")).to_be_visible()
    # Only the log scrolls sideways, and numbers stand in one column.
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    edges = {page.locator(f"a[href='#L{line}']").bounding_box()["x"] for line in (1, 2, 3, 5)}  # type: ignore[index]
    assert len(edges) == 1
    context.close()


def test_links_open_sections_and_new_lines_come_into_theirs(smithy: RunningServer, chromium: Browser) -> None:
    job_id = waiting_job(smithy, "follow-sections")["id"]
    write(smithy, job_id, LOG)
    context = chromium.new_context(base_url=smithy.url)
    page = enter(smithy, context, "ada")
    page.set_default_timeout(PATIENCE)
    page.goto(f"{PLACE}/jobs/{job_id}#L4")
    expect(page.locator("#L4")).to_be_visible()
    expect(page.locator("#L4.marked")).to_have_count(1)

    write(smithy, job_id, b"e\nsection_start:120:inner\rInner\nf\n")
    expect(page.locator("#S5 > details > #L7")).to_have_text("7e")
    expect(page.locator("#S5 #S8 > details > #L9")).to_have_text("9f")
    write(smithy, job_id, b"section_end:150:inner\r\nsection_end:172:build\rAfter\ng\n")
    expect(page.locator("#log-lines > #L11")).to_have_text("11After")
    expect(page.locator("#log-lines > #L12")).to_have_text("12g")
    expect(page.locator("#S8 > details > #L10")).to_have_count(1)
    expect(page.locator("#L5 .took")).to_have_text("1 min")
    expect(page.locator("#L8 .took")).to_have_text("30 s")
    # What was opened stays open.
    expect(page.locator("#L4")).to_be_visible()
    assert (
        page.evaluate("new Set([...document.querySelectorAll('[id]')].map((one) => one.id)).size")
        == page.locator("[id]").count()
    )
    context.close()
