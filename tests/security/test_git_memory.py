"""A pushed file that makes git allocate far more than it has bytes: the command ends, the caller is told why."""

import subprocess
from pathlib import Path

import httpx
import pytest

from tests.security.heavy_repository import MEGABYTE, blob, commit, fast_import, push
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.server import ROOT_TOKEN

pytestmark = pytest.mark.costly

TOO_MUCH = {"message": "The git operation needs more memory than allowed."}
LINES = 8 * MEGABYTE  # a line of one byte takes git about fifty when it compares


def test_a_comparison_that_needs_too_much_memory_is_refused(databases: Databases, tmp_path: Path) -> None:
    repository = tmp_path / "lines.git"
    subprocess.run(["git", "init", "-q", "--bare", str(repository)], check=True)
    small = [*blob(1, b"a", 10), *blob(2, b"b", 10), commit("old", b"m", [(1, "lines"), (1, "small")])]
    large = [*blob(3, b"\n", LINES), commit("near", b"m", [(1, "lines"), (2, "small")], parent="old")]
    fast_import(repository, iter([*small, *large, commit("lines", b"m", [(3, "lines")], parent="old")]))

    with ServerProcess(databases.fresh(tmp_path), tmp_path / "data", INGOT_GIT_MEMORY="64") as server:
        project = server.call("POST", "/projects", json={"name": "lines"})
        push(repository, server.address(project), "old", "near", "lines")
        compare = f"{server.url}/api/v4/projects/{project['id']}/repository/compare?from=old&to="
        refused, served = (
            httpx.get(f"{compare}{branch}", headers={"PRIVATE-TOKEN": ROOT_TOKEN}, timeout=120)
            for branch in ("lines", "near")
        )

    assert (refused.status_code, refused.json()) == (413, TOO_MUCH)
    assert served.status_code == 200
    assert [file["new_path"] for file in served.json()["diffs"]] == ["small"]
