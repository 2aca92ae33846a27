"""The real `ssh` and `git`, with keys of their own, against a server that runs as a process."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.features.code.git_http.git_client import GitClient, Run
from tests.support.process import ServerProcess
from tests.support.waiting import until

OPTIONS = (
    "-F", "none", "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no",
    "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "ConnectTimeout=120",
)  # fmt: skip


def ssh_server(database_url: str, data: Path, **environment: str) -> ServerProcess:
    """A server that answers SSH on a free port."""
    return ServerProcess(database_url, data, INGOT_SSH="on", INGOT_SSH_PORT="0", **environment)


@dataclass(frozen=True)
class Key:
    """A key pair of somebody."""

    file: Path

    @property
    def public(self) -> str:
        return self.file.with_suffix(".pub").read_text().strip()

    @property
    def command(self) -> str:
        """How git reaches the server."""
        return f"ssh {' '.join(OPTIONS)} -i {self.file}"


def new_key(folder: Path, name: str, kind: str = "ed25519") -> Key:
    """A fresh pair."""
    file = folder / name
    subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-f", str(file)], check=True)
    return Key(file)


class SshWorld:
    """A server with people who have keys."""

    def __init__(self, server: ServerProcess, folder: Path) -> None:
        self.server, self.folder = server, folder
        self._names = iter(range(1000))

    def project(self, **options: Any) -> dict[str, Any]:
        """A project of the administrator, with one commit."""
        name = f"project-{next(self._names)}"
        options = {"name": name, "initialize_with_readme": True, **options}
        created: dict[str, Any] = self.server.call("POST", "/projects", json=options)
        return created

    def person(self, **key: Any) -> tuple[dict[str, Any], Key]:
        """A user with a key that the server knows."""
        name = f"person{next(self._names)}"
        options = {"username": name, "name": name, "email": f"{name}@example.com", "force_random_password": True}
        user = self.server.call("POST", "/users", json={**options, "skip_confirmation": True})
        pair = new_key(self.folder, name)
        self.server.call("POST", f"/users/{user['id']}/keys", json={"title": "k", "key": pair.public, **key})
        return user, pair

    def member(self, project: dict[str, Any], level: int) -> tuple[dict[str, Any], Key]:
        """A person with a role in the project."""
        user, key = self.person()
        path = f"/projects/{project['id']}/members"
        self.server.call("POST", path, json={"user_id": user["id"], "access_level": level})
        return user, key

    @property
    def port(self) -> int:
        """Where the SSH server listens, as the API shows it."""
        shown = self.server.call("GET", "/projects", params={"owned": "true", "per_page": 1})
        return int(shown[0]["ssh_url_to_repo"].split("/")[2].rpartition(":")[2])

    def ssh(self, key: Key, *words: str, user: str = "git", stdin: bytes = b"", options: tuple[str, ...] = ()) -> Run:
        """One command over `ssh`."""
        command = ["ssh", *OPTIONS, *options, "-i", str(key.file), "-p", str(self.port), f"{user}@127.0.0.1", *words]
        done = subprocess.run(command, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return Run(done.returncode, done.stdout.decode("utf-8", "replace"))

    def wait_for_ssh(self, key: Key) -> None:
        """The SSH server starts after the API."""
        until(lambda: "Welcome" in self.ssh(key, options=("-T",)).text)

    def git(self, key: Key, name: str) -> SshGit:
        """Git in a folder, with a key."""
        return SshGit(self.folder / name, key)


class SshGit(GitClient):
    """Git that goes by SSH with one key."""

    def __init__(self, folder: Path, key: Key) -> None:
        super().__init__(folder)
        self.key = key

    def run(self, *args: str, stdin: bytes | None = None, **env: str) -> Run:
        return super().run(*args, stdin=stdin, **{"GIT_SSH_COMMAND": self.key.command, **env})


def environment(key: Key, home: Path) -> dict[str, str]:
    """For commands that are started and killed."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_SSH_COMMAND": key.command, "GIT_TERMINAL_PROMPT": "0"}
