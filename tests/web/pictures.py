"""Takes the pictures of the documentation: real pages of the demo world, in a real browser."""

import sys
import tempfile
from pathlib import Path

import httpx
from playwright.sync_api import sync_playwright

from ingot.seed import DemoRunner, plant
from tests.support.browsers import find_browser
from tests.support.databases import SqliteDatabases
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until

PAGES = {
    "project": ("/smithy/anvil", 1280, "light"),
    "merge-request": ("/smithy/anvil/-/merge_requests/2", 1280, "light"),
    "issue": ("/smithy/anvil/-/issues/1", 1280, "light"),
    "pipelines": ("/smithy/anvil/-/pipelines", 1280, "light"),
    "reference": ("/-/reference/create_project", 1280, "light"),
    "changes": ("/smithy/anvil/-/merge_requests/2/diffs", 1280, "dark"),
    "phone": ("/smithy/anvil", 360, "dark"),
}
PATIENCE = 120_000  # milliseconds


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
                for name, (path, width, scheme) in PAGES.items():
                    page = browser.new_page(
                        viewport={"width": width, "height": 800},
                        color_scheme="dark" if scheme == "dark" else "light",
                        extra_http_headers={"PRIVATE-TOKEN": ROOT_TOKEN},
                    )
                    page.goto(server.url + path, timeout=PATIENCE)
                    page.screenshot(path=folder / f"{name}.png", timeout=PATIENCE)
                    page.close()
                browser.close()


def _run_pipelines(server: RunningServer) -> None:
    """Let the demo's runner end what waits."""
    runner = DemoRunner(server.services, server.url)
    runner.start()
    waiting = f"{server.url}/api/v4/projects/smithy%2Fanvil/jobs?scope[]=pending&scope[]=running&scope[]=created"
    until(lambda: httpx.get(waiting, headers={"PRIVATE-TOKEN": ROOT_TOKEN}, timeout=60).json() == [])
    runner.stop()


if __name__ == "__main__":
    take(Path(sys.argv[1]))
