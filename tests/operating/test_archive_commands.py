"""`ingot export` and `ingot import` in processes of their own."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.databases import Databases
from tests.support.forked_program import run_program
from tests.support.server import RunningServer
from tests.support.world import World

pytestmark = pytest.mark.costly


def ingot(data: Path, url: str, *words: str) -> subprocess.CompletedProcess[str]:
    place = ("--data", str(data), "--database-url", url)
    return run_program(*words, *place, environment={**os.environ, "COLUMNS": "120"})


def test_a_project_leaves_and_comes_back_by_command(databases: Databases, tmp_path: Path) -> None:
    url = databases.fresh(tmp_path)
    with RunningServer(url, tmp_path, worker=False) as running:
        world = World(running)
        owner = world.user()
        project = world.project(owner, initialize_with_readme=True)
        owner.client.ok("POST", f"/projects/{project['id']}/labels", json={"name": "bug", "color": "#ff0000"})
        file = tmp_path / "out.tar.gz"

        out = ingot(tmp_path, url, "export", project["path_with_namespace"], str(file))
        back = ingot(tmp_path, url, "import", str(file), f"{owner.username}/again", "--user", owner.username)

        assert out.returncode == 0, out.stderr
        assert "labels" in out.stdout
        assert re.search(r"archive +━+ +0\.0 MB", out.stdout)
        assert re.search(r"labels +━+ +1 records", out.stdout)
        assert back.returncode == 0, back.stderr
        assert f"{owner.username}/again was imported." in back.stdout
        assert "everybody else" in back.stdout
        assert re.search(r"archive +━+ +0\.0 MB", back.stdout)
        result = owner.client.ok("GET", f"/projects/{owner.username}%2Fagain/labels")
        assert [label["name"] for label in result] == ["bug"]
        nothing = ingot(tmp_path, url, "export", "no/such", str(file))
        assert nothing.returncode == 1
        assert nothing.stderr == "ingot: There is no project no/such. Run `ingot project list` to see all projects.\n"
        taken = ingot(tmp_path, url, "import", str(file), f"{owner.username}/again")
        assert taken.stderr == "ingot: The import was rejected: Name has already been taken.\n"
