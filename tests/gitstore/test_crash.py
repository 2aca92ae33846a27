"""What is left when the server or the disk goes away in the middle."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingot.gitstore import fsck, listing, refs
from ingot.gitstore.commit import CommitOptions, FileAction, create_commit
from ingot.gitstore.errors import NoSpace
from ingot.gitstore.model import ZERO_ID
from ingot.gitstore.repository import Repository
from ingot.gitstore.storage import Storages
from tests.gitstore.conftest import ANNA, Builder
from tests.gitstore.git_server import client
from tests.support.waiting import until

SERVER = """
import sys, time
from ingot.gitstore.repository import Repository
from tests.gitstore.git_server import GitServer
print(GitServer(Repository(sys.argv[1])).url, flush=True)
time.sleep(60)
"""


# What git reports of 2,000 branches is more than a pipe holds by itself, and nobody reads it.
@pytest.mark.parametrize(("share", "branches"), [(0.1, 0), (0.6, 0), (0.95, 0), (0.6, 2_000)])
def test_a_push_is_there_or_not_when_the_server_is_killed(
    repo: Repository, build: Builder, tmp_path: Path, share: float, branches: int
) -> None:
    base = build.commit("main", {"a": "1"})
    work = tmp_path / "work"
    client(tmp_path, "clone", "-q", str(repo.path), "work")
    (work / "noise").write_bytes(os.urandom(400_000))
    client(work, "add", "-A")
    client(work, "commit", "-q", "-m", "noise")
    head = client(work, "rev-parse", "HEAD").strip()
    pack = subprocess.run(
        ["git", "pack-objects", "--revs", "--stdout", "-q"],
        cwd=work, input=f"{head}\n^{base}\n".encode(), capture_output=True, check=True,
    ).stdout  # fmt: skip
    line = f"{base} {head} refs/heads/main\0 report-status side-band-64k".encode()
    lines = [line, *(f"{ZERO_ID} {head} refs/heads/many-{number}".encode() for number in range(branches))]
    body = b"".join(b"%04x%s" % (len(one) + 4, one) for one in lines) + b"0000" + pack

    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(repo.path)],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": "src:."},
    )  # fmt: skip
    assert server.stdout is not None
    port = int(server.stdout.readline().split(":")[2].split("/")[0])
    with socket.create_connection(("127.0.0.1", port)) as raw:
        raw.sendall(b"POST /r/git-receive-pack HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body))
        raw.sendall(body[: int(len(body) * share)])
        until(lambda: any((repo.path / "objects").glob("tmp_objdir*")))
        os.kill(server.pid, signal.SIGKILL)
    server.wait()
    server.stdout.close()

    until(lambda: not _runs("receive-pack", repo))
    fsck.remove_stale_files(repo, older_than=0)
    assert not any((repo.path / "objects").glob("tmp_objdir*"))
    assert refs.find_branch(repo, "main") in (base, head)
    assert fsck.check(repo).is_sound
    client(work, "push", "-q", str(repo.path), "main")


def _runs(command: str, repo: Repository) -> bool:
    lines = subprocess.run(["ps", "-wweo", "args"], capture_output=True, text=True, check=True).stdout.splitlines()
    return any(command in line and str(repo.path) in line and "git" in line for line in lines)


@pytest.fixture
def small_disk() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", folder], check=False)
        if mounted.returncode != 0:
            pytest.skip("cannot mount a small disk here")
        yield Path(folder)
        subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk_is_said_and_changes_nothing(small_disk: Path) -> None:
    storages = Storages({"default": small_disk})
    repo = storages.create("default", 1)
    head = create_commit(repo, CommitOptions("main", "one", [FileAction("create", "a", "1")], ANNA)).sha

    def fill(name: str) -> None:
        noise = os.urandom(3_000_000)
        create_commit(repo, CommitOptions("main", "big", [FileAction("create", name, noise)], ANNA))

    with pytest.raises(NoSpace):
        fill("big")
    (small_disk / "filler").write_bytes(b"")
    with pytest.raises(OSError, match="No space"), (small_disk / "filler").open("wb") as file:
        file.write(b"x" * 4_000_000)
    with pytest.raises(NoSpace):
        refs.create_branch(repo, "other", "main")
    with pytest.raises(NoSpace):
        storages.create("default", 2)

    (small_disk / "filler").unlink()
    assert listing.list_refs(repo) == {"refs/heads/main": head}
    assert fsck.check(repo).is_sound
    refs.create_branch(repo, "other", "main")
