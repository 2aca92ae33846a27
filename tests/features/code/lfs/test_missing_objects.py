"""Pushes whose pointers name large files that were not sent."""

from pathlib import Path
from typing import Any

from tests.features.code.git_http.git_client import address, clone
from tests.features.code.lfs.test_transfer import tracked
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import World

MISSING = 'GitLab: LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".'
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 5\n"


def test_a_push_without_its_objects_is_refused(
    server: RunningServer,
    world: World,
    project: dict[str, Any],
    tmp_path: Path,
) -> None:
    here = tracked(server, project, tmp_path / "here", b"first")
    (here.folder / "second.bin").write_bytes(b"second")
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Second")

    refused = here.refused("push", "--no-verify", "origin", "main")

    assert MISSING in refused
    assert "pre-receive hook declined" in refused
    here.ok("lfs", "push", "--all", "origin")
    here.ok("push", "-q", "--no-verify", "origin", "main")


def test_only_pointers_count_and_only_where_large_files_are_on(
    server: RunningServer,
    world: World,
    project: dict[str, Any],
    tmp_path: Path,
) -> None:
    here = clone(tmp_path / "here", address(server, project, ROOT_TOKEN))
    pointer = POINTER.format("b" * 64)
    here.commit("about.md", f"A pointer:\n{pointer}")
    here.commit("long.txt", pointer + "x" * 1024)
    here.ok("push", "-q", "origin", "main")
    here.commit("pointer", pointer)

    assert MISSING in here.refused("push", "origin", "main")
    world.admin.ok("PUT", f"/projects/{project['id']}", json={"lfs_enabled": False})
    here.ok("push", "-q", "origin", "main")
