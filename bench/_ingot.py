"""An Ingot of its own for one measurement, started as people start it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Self

TOKEN = "glpat-bench-token-0000001"
SRC = Path(__file__).parent.parent / "src"


class Ingot:
    """Runs between `with` and its end."""

    def __init__(self, folder: Path, *options: str, **settings: str) -> None:
        self.folder = folder
        self._settings = settings
        self._options = options
        self.address = ""

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("INGOT_")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ingot", "serve", "--port", "0", "--data", str(self.folder), *self._options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={"PYTHONPATH": str(SRC), **environment, "INGOT_ROOT_TOKEN": TOKEN, "INGOT_LOG_LEVEL": "warning",
                 **self._settings},
        )  # fmt: skip
        if self._process.stdout is None:
            raise RuntimeError("the server has no output")
        self.address = self._process.stdout.readline().split()[-1]
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(30)

    @property
    def pid(self) -> int:
        """The process that was started; it starts those that serve."""
        return self._process.pid

    def create(self, name: str) -> str:
        """An empty private project; returns its address with credentials."""
        body = json.dumps({"name": name, "visibility": "private"}).encode()
        headers = {"PRIVATE-TOKEN": TOKEN, "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.address}/api/v4/projects", body, headers)
        with urllib.request.urlopen(request) as answer:
            path = json.load(answer)["path_with_namespace"]
        return f"{self.address.replace('://', f'://bench:{TOKEN}@')}/{path}.git"
