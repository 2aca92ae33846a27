"""A Gitea of its own for one measurement, on SQLite as Ingot is by default."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Self

USER, PASSWORD = "bench", "bench-Password-1"
_CONFIG = """\
RUN_MODE = prod
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = {port}
ROOT_URL = http://127.0.0.1:{port}/
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
PATH = {folder}/gitea.db
[repository]
ROOT = {folder}/repositories
DEFAULT_BRANCH = main
[security]
INSTALL_LOCK = true
[service]
DISABLE_REGISTRATION = true
[log]
LEVEL = Error
"""


def program() -> str | None:
    """Where the program is, if it is installed."""
    return shutil.which("gitea")


def version() -> str:
    """Its name and version."""
    told = subprocess.run([program() or "gitea", "--version"], capture_output=True, text=True, check=True).stdout
    return " ".join(word.capitalize() for word in told.split()[:3] if word != "version")


class Gitea:
    """Runs between `with` and its end. Not as root: Gitea refuses that, so a run as root lends it another user."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = ""
        self.address = ""

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True)
        port = _free_port()
        self.address = f"http://127.0.0.1:{port}"
        (self.folder / "app.ini").write_text(_CONFIG.format(port=port, folder=self.folder))
        self._lend()
        self._run("migrate")
        self._run(
            "admin", "user", "create", "--admin", "--username", USER, "--password", PASSWORD,
            "--email", "bench@example.com", "--must-change-password=false",
        )  # fmt: skip
        token = ("admin", "user", "generate-access-token", "--username", USER, "--scopes", "all", "--raw")
        self.token = self._run(*token).split()[-1]
        self._process = subprocess.Popen(self._command("web"), **self._options())
        self._wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(30)

    def create(self, name: str) -> str:
        """An empty private repository; returns its address with credentials."""
        body = json.dumps({"name": name, "private": True, "default_branch": "main"}).encode()
        headers = {**self.headers(), "Content-Type": "application/json"}
        urllib.request.urlopen(urllib.request.Request(f"{self.address}/api/v1/user/repos", body, headers)).close()
        return f"{self.address.replace('://', f'://{USER}:{PASSWORD}@')}/{USER}/{name}.git"

    def headers(self) -> dict[str, str]:
        """What a caller with the token sends."""
        return {"Authorization": f"token {self.token}"}

    def _run(self, *words: str) -> str:
        return str(subprocess.run(self._command(*words), check=True, **self._options(), stdout=subprocess.PIPE).stdout)

    def _command(self, *words: str) -> list[str]:
        places = ["--config", str(self.folder / "app.ini"), "--work-path", str(self.folder)]
        return [program() or "gitea", *words, *places]

    def _options(self) -> dict[str, Any]:
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        if static := os.environ.get("GITEA_STATIC_ROOT"):  # a program without its templates inside
            environment["GITEA__server__STATIC_ROOT_PATH"] = static
        user = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
        return {"env": environment, "text": True, "stderr": subprocess.DEVNULL, "cwd": self.folder, **user}

    def _lend(self) -> None:
        if os.geteuid() == 0:
            self.folder.parent.chmod(0o755)
            shutil.chown(self.folder, 65534, 65534)
            shutil.chown(self.folder / "app.ini", 65534, 65534)

    def _wait(self) -> None:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.address}/api/v1/version").close()
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        raise RuntimeError("Gitea did not start")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
