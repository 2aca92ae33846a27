"""Large transfers over SSH in bounded memory, and connections that are cut in the middle."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingot.gitstore import Storages, fsck, refs
from tests.features.code.git_ssh.ssh_client import Key, SshGit, SshWorld, environment, ssh_server
from tests.support.databases import Databases
from tests.support.processor_time import children
from tests.support.waiting import until

pytestmark = pytest.mark.costly

MEGABYTE = 1_000_000
# Files of random bytes: nothing is gained by comparing or packing them.
PLAIN = ("-c", "core.bigFileThreshold=1m", "-c", "core.compression=0", "-c", "pack.compression=0")


@pytest.fixture
def own(databases: Databases, tmp_path: Path) -> Iterator[SshWorld]:
    """A server of one test, which kills and measures it."""
    data = tmp_path / "data"
    data.mkdir()
    # Many at once wait for their turns for as long as a busy machine takes.
    with ssh_server(databases.fresh(data), data, INGOT_GIT_TRANSFER_WAIT="300") as server:
        (tmp_path / "ssh").mkdir()
        yield SshWorld(server, tmp_path / "ssh")


def ssh_process(world: SshWorld) -> int:
    """The process that answers SSH: the child of the server that is no git."""
    return next(pid for pid in children(world.server.pid) if _program(pid).startswith("python"))


def _program(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/exe").readlink().name
    except FileNotFoundError:
        return ""  # it has just ended


def peak(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) * 1024


def prepared(world: SshWorld, megabytes: int) -> tuple[SshGit, Key, dict[str, object]]:
    project = world.project()
    _, key = world.member(project, 40)
    world.wait_for_ssh(key)
    here = world.git(key, "here")
    here.ok("clone", "-q", project["ssh_url_to_repo"], ".")
    for number in range(megabytes // 10):
        (here.folder / f"{number}.bin").write_bytes(os.urandom(10 * MEGABYTE))
    here.ok(*PLAIN, "add", ".")
    here.ok(*PLAIN, "commit", "-q", "--allow-empty", "-m", "Large")
    return here, key, project


def push_and_clone(world: SshWorld, megabytes: int) -> int:
    """By how much the SSH process grew."""
    here, key, project = prepared(world, megabytes)
    before = peak(ssh_process(world))
    here.ok(*PLAIN, "push", "-q", "origin", "HEAD:large")
    world.git(key, "there").ok("clone", "-q", "--bare", "-b", "large", str(project["ssh_url_to_repo"]), ".")
    return peak(ssh_process(world)) - before


def test_thirty_megabytes_do_not_fill_the_memory(own: SshWorld) -> None:
    assert push_and_clone(own, 30) < 20 * MEGABYTE


@pytest.mark.scale
def test_two_hundred_megabytes_do_not_fill_the_memory(own: SshWorld) -> None:
    grown = push_and_clone(own, 200)
    sys.stdout.write(f"the SSH process grew by {grown // MEGABYTE} MB\n")
    assert grown < 32 * MEGABYTE


def test_a_killed_client_leaves_nothing_behind(own: SshWorld) -> None:
    here, key, project = prepared(own, 30)
    repository = Storages({"default": Path(own.server.data) / "repositories"}).repository("default", int(project["id"]))
    objects = repository.path / "objects"
    # Slowly, so that it dies in the middle.
    command = ["git", *PLAIN, "push", "-q", "origin", "HEAD:cut"]
    push = subprocess.Popen(command, cwd=here.folder, env=environment(key, own.folder), start_new_session=True)
    until(lambda: _quarantined(objects) > 0 or push.poll() is not None)
    os.killpg(push.pid, 9)
    push.wait()

    until(lambda: not any(objects.glob("tmp_objdir-*")))
    done = refs.find_branch(repository, "cut") is not None
    assert fsck.check(repository).is_sound
    here.ok(*PLAIN, "push", "-q", "origin", "HEAD:cut")
    assert done or refs.find_branch(repository, "cut") == here.ok("rev-parse", "HEAD").strip()


def _quarantined(objects: Path) -> int:
    # `os.walk` does not mind folders that vanish meanwhile.
    return sum(len(files) for folder in objects.glob("tmp_objdir-*") for _, _, files in os.walk(folder))


def test_a_killed_server_leaves_a_whole_repository(own: SshWorld) -> None:
    here, key, project = prepared(own, 20)
    repository = Storages({"default": Path(own.server.data) / "repositories"}).repository("default", int(project["id"]))
    command = ["git", *PLAIN, "push", "-q", "origin", "HEAD:cut"]
    push = subprocess.Popen(command, cwd=here.folder, env=environment(key, own.folder), start_new_session=True)
    until(lambda: _quarantined(repository.path / "objects") > 0 or push.poll() is not None)
    own.server.kill()
    push.wait()

    until(lambda: not any(repository.path.glob("objects/tmp_objdir-*")))  # git sees the end of its input, and tidies up
    assert fsck.check(repository).is_sound
    assert refs.find_branch(repository, "cut") in (None, here.ok("rev-parse", "HEAD").strip())


def test_thirty_fetches_at_once(own: SshWorld) -> None:
    _, key, project = prepared(own, 0)
    run_at_once(own, key, [["ls-remote", "-q", str(project["ssh_url_to_repo"])]] * 30)


@pytest.mark.scale
def test_two_hundred_clones_of_one_user_at_once(own: SshWorld) -> None:
    here, key, project = prepared(own, 10)
    here.ok(*PLAIN, "push", "-q", "origin", "HEAD:main")
    address, folder = str(project["ssh_url_to_repo"]), own.folder / "clones"
    run_at_once(own, key, [["clone", "-q", "--bare", address, str(folder / str(number))] for number in range(200)])


def run_at_once(own: SshWorld, key: Key, commands: list[list[str]]) -> None:
    running = [
        subprocess.Popen(
            ["git", *words], env=environment(key, own.folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for words in commands
    ]

    answers = [process.communicate() for process in running]

    assert [process.returncode for process in running] == [0] * len(commands), answers
