"""The demo world, made once for many modules, behind a server of each, and a browser."""

import fcntl
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingot.seed import plant
from ingot.web.texts import highlighted_lines, rendered_markdown
from tests.support.browsers import find_browser
from tests.support.databases import Databases, SqliteDatabases
from tests.support.faults import no_listener_fails
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.web.browsing import Browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Chromium

PATIENCE = 120_000  # milliseconds


@pytest.fixture(scope="session", autouse=True)
def renderer() -> None:
    """The processes that render texts run, and what they load at first use does not count as the work of a page."""
    rendered_markdown("*a*", {}, {})
    until(lambda: highlighted_lines("a = 1", "a.py") != ["a = 1"])


@pytest.fixture(scope="session")
def planted(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Path | None:
    """A data folder with the demo world, which all processes of the run copy; None where the database is elsewhere."""
    if not isinstance(databases, SqliteDatabases):
        return None
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if hasattr(request.config, "workerinput") else base) / "planted"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = tmp_path_factory.mktemp("planting")
            with RunningServer(databases.fresh(unfinished), unfinished) as server:
                assert plant(server.services)
            unfinished.rename(folder)
    return folder


@pytest.fixture(scope="module")
def smithy(
    databases: Databases, planted: Path | None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    """A server with the demo world, shared by the tests of one module."""
    data = tmp_path_factory.mktemp("smithy")
    url = databases.empty(data) if planted else databases.fresh(data)
    if planted:
        shutil.copytree(planted, data, dirs_exist_ok=True)
    with no_listener_fails(), RunningServer(url, data) as running:
        assert planted or plant(running.services)
        yield running


@pytest.fixture(scope="module")
def ada(smithy: RunningServer) -> Browser:
    """The browser of the demo's owner of groups."""
    browser = Browser(smithy)
    browser.enter_by_link("ada")
    return browser


# Not for the whole run: its driver keeps an event loop running in this thread, where later tests run their own.
@pytest.fixture(scope="module")
def ben(smithy: RunningServer) -> Browser:
    """A maintainer who is signed in, without a real browser."""
    browser = Browser(smithy)
    browser.enter_by_link("ben")
    return browser


@pytest.fixture(scope="module")
def chromium() -> Iterator["Chromium"]:
    """A real browser; contexts of it know nothing of each other."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"], timeout=PATIENCE)
        yield browser
        browser.close()
