"""Sections of a log in a real browser: they fold without scripts, links open them, and new lines come into theirs."""

from importlib.resources import files

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


@pytest.mark.parametrize("width", [360, 1280])
def test_numbers_of_lines_are_targets_that_one_can_hit(smithy: RunningServer, chromium: Browser, width: int) -> None:
    job_id = waiting_job(smithy, f"targets-{width}")["id"]
    write(smithy, job_id, LOG + b"words that wrap " * 40 + b"\nlast\n")
    viewport = {"width": width, "height": 900}
    context = chromium.new_context(base_url=smithy.url, viewport=viewport, has_touch=width < 600)  # type: ignore[arg-type]
    page = enter(smithy, context, "ada")
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text()
    for path in (f"{PLACE}/jobs/{job_id}", f"{PLACE}/jobs/{job_id}/log?from=1", f"{PLACE}/jobs/{job_id}/log?q=a"):
        page.goto(path)
        page.evaluate(axe)
        faults = page.evaluate("axe.run('.log', {runOnly: ['target-size']}).then(result => result.violations)")
        assert faults == []
        sizes = page.evaluate(
            "[...document.querySelectorAll('.log a')].map(one => one.getBoundingClientRect())"
            ".filter(box => box.height).map(box => [box.width, box.height])"
        )
        assert sizes
        assert all(across >= 44 and high >= 24 for across, high in sizes)
    # They are as close as that allows, and a little further apart for fingers.
    page.goto(f"{PLACE}/jobs/{job_id}")
    assert page.locator("#L1").bounding_box()["height"] == (28 if width < 600 else 24)  # type: ignore[index]
    context.close()


def test_whoever_follows_a_log_sees_its_last_line(smithy: RunningServer, chromium: Browser) -> None:
    job_id = waiting_job(smithy, "follow-the-end")["id"]
    write(smithy, job_id, b"a line\n" * 200)
    viewport = {"width": 360, "height": 700}
    context = chromium.new_context(base_url=smithy.url, viewport=viewport)  # type: ignore[arg-type]
    page = enter(smithy, context, "ada")
    page.set_default_timeout(PATIENCE)
    page.goto(f"{PLACE}/jobs/{job_id}")

    # Whoever reads elsewhere stays there.
    write(smithy, job_id, b"more\n" * 50)
    expect(page.locator("#L250")).to_have_count(1)
    assert page.evaluate("scrollY") == 0
    page.get_by_role("link", name="Follow", exact=True).click()
    expect(page.locator("#L250")).to_be_in_viewport()
    write(smithy, job_id, b"end\n" * 50)
    expect(page.locator("#L300")).to_be_in_viewport()
    context.close()
