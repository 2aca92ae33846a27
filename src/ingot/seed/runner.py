"""A runner in the server's own process, for the pipelines of the demo world."""

import logging
import threading
from pathlib import Path

from ingot.kit.services import Services
from ingot.runner import Runner
from ingot.runner.protocol import Refused
from ingot.seed.people import inside_as_root

log = logging.getLogger("ingot.runner")
DESCRIPTION = "Demo runner"
STOP_SECONDS = 10.0


class DemoRunner:
    """Takes jobs of the whole instance from the server at `url`; jobs run as the user who started the server."""

    def __init__(self, services: Services, url: str) -> None:
        folder = Path(services.settings.data_folder) / "demo-builds"
        self._runner = Runner(url, _register(services), folder, concurrent=2, interval=1.0, server="demo")
        self._thread = threading.Thread(target=self._run, name="demo-runner", daemon=True)

    def start(self) -> None:
        """Ask for jobs from now on."""
        self._thread.start()

    def stop(self) -> None:
        """End the running jobs."""
        self._runner.stop()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        try:
            self._runner.run()
        except Refused as refusal:  # somebody removed the runner
            log.warning("the demo runner ends: %s", refusal)


def _register(services: Services) -> str:
    """The token of a new runner; those of earlier starts go."""
    with inside_as_root(services) as root:
        for one in root.get("/runners/all"):
            if one["description"] == DESCRIPTION:
                root.delete(f"/runners/{one['id']}")
        created = root.post("/user/runners", runner_type="instance_type", description=DESCRIPTION, run_untagged=True)
    return str(created["token"])
