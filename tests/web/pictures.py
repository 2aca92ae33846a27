"""Takes the pictures of the documentation: real pages of the demo world, in a real browser."""

import sys
import tempfile
from functools import partial
from pathlib import Path

import httpx
from playwright.sync_api import Page, sync_playwright

from ingot.seed import DemoRunner, plant
from tests.support.browsers import find_browser
from tests.support.databases import SqliteDatabases
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.web.test_browser import enter

PAGES = {
    "project": ("/smithy/anvil", 1280, "light"),
    "merge-request": ("/smithy/anvil/-/merge_requests/2", 1280, "light"),
    "issue": ("/smithy/anvil/-/issues/1", 1280, "light"),
    "pipelines": ("/smithy/anvil/-/pipelines", 1280, "light"),
    "reference": ("/-/reference/create_project", 1280, "light"),
    "changes": ("/smithy/anvil/-/merge_requests/2/diffs", 1280, "dark"),
    "phone": ("/smithy/anvil", 360, "dark"),
}


def take(folder: Path) -> None:
    """Write one picture of each page."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        data = Path(place)
        with RunningServer(SqliteDatabases(data).fresh(data), data) as server:
            plant(server.services)
            _run_pipelines(server)
            with sync_playwright() as driver:
                browser = driver.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
                page = enter(server, browser.new_context(base_url=server.url), "ben")
                for name, (path, width, scheme) in PAGES.items():
                    page.set_viewport_size({"width": width, "height": 800})
                    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                    page.goto(path)
                    until(partial(_is_whole, page))
                    page.screenshot(path=folder / f"{name}.png")
                browser.close()


def _is_whole(page: Page) -> bool:
    """Whether code has its colours and a folder its commits; the first visit does not wait, so there is another."""
    is_coloured = page.locator(".diff").count() == 0 or page.locator(".diff .k").count() > 0
    if is_coloured and page.locator("[data-fills]").count() == 0:
        return True
    page.reload()
    return False


def _run_pipelines(server: RunningServer) -> None:
    """Let the demo's runner end what waits."""
    runner = DemoRunner(server.services, server.url)
    runner.start()
    waiting = f"{server.url}/api/v4/projects/smithy%2Fanvil/jobs?scope[]=pending&scope[]=running&scope[]=created"
    until(lambda: httpx.get(waiting, headers={"PRIVATE-TOKEN": ROOT_TOKEN}, timeout=60).json() == [])
    runner.stop()


if __name__ == "__main__":
    take(Path(sys.argv[1]))
