"""`kill -9` of the server during a push: the push is there or not, and the repository is whole."""

import os
import random
import subprocess
import time
from pathlib import Path

import pytest

from ingot.gitstore import Storages, fsck, refs
from tests.features.code.git_http.git_client import GitClient, clone
from tests.support.databases import Databases
from tests.support.process import ServerProcess

pytestmark = pytest.mark.costly

ROUNDS = 3


def test_a_killed_server_leaves_whole_repositories(databases: Databases, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with ServerProcess(databases.fresh(data), data) as server:
        project = server.call("POST", "/projects", json={"name": "killed", "initialize_with_readme": True})
        here = clone(tmp_path / "here", server.address(project))
        chance = random.Random(4)
        for number in range(ROUNDS):
            (here.folder / f"{number}.bin").write_bytes(os.urandom(4_000_000))
            here.ok("add", ".")
            here.ok("commit", "-q", "-m", f"{number}")
            tip = here.ok("rev-parse", "HEAD").strip()
            push = _push(here)
            time.sleep(chance.uniform(0.0, 0.5))
            server.kill()
            push.wait()

            repository = Storages({"default": data / "repositories"}).repository("default", project["id"])
            known = refs.find_branch(repository, "main")
            assert known in (tip, here.ok("rev-parse", f"{tip}~1").strip())
            assert fsck.check(repository).is_sound

            server.start()
            here.ok("push", "-q", "origin", "main")
            shown = server.call("GET", f"/projects/{project['id']}/repository/branches/main")
            assert shown["commit"]["id"] == tip


def _push(here: GitClient) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        ["git", "push", "-q", "origin", "main"],
        cwd=here.folder,
        env={"PATH": os.environ["PATH"], "HOME": str(here.folder.parent), "GIT_TERMINAL_PROMPT": "0"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
