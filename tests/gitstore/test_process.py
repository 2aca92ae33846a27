import os
import subprocess
import time
from pathlib import Path

import pytest

from ingot.gitstore import process
from ingot.gitstore.errors import (
    CommandFailed,
    Killed,
    NoSpace,
    OutputTooLarge,
    RepositoryNotFound,
    StorageAway,
    TimedOut,
)
from ingot.gitstore.process import Limits
from ingot.gitstore.repository import Repository
from ingot.gitstore.streams import stream
from ingot.kit.calling_off import may_be_called_off
from tests.gitstore.conftest import Builder

SLOW = {"alias.slow": "!sleep 600"}


def test_a_command_that_takes_too_long_is_ended_with_its_children(repo: Repository) -> None:
    started = time.monotonic()

    with pytest.raises(TimedOut):
        repo.git("slow", config=SLOW, limits=Limits(seconds=0.2))

    assert time.monotonic() - started < 300


def test_a_stream_that_takes_too_long_is_ended(repo: Repository) -> None:
    with pytest.raises(TimedOut):
        list(stream(repo.path, ["slow"], config=SLOW, limits=Limits(seconds=0.2)))


def test_work_that_is_called_off_ends_its_command(repo: Repository) -> None:
    class CalledOff(Exception):
        pass

    def check() -> None:
        raise CalledOff

    with may_be_called_off(check):
        with pytest.raises(CalledOff):
            repo.git("slow", config=SLOW)
        with pytest.raises(CalledOff):
            list(stream(repo.path, ["slow"], config=SLOW))
    assert repo.git("version").text.startswith("git")


def test_a_message_of_another_server_can_be_stored(repo: Repository) -> None:
    with pytest.raises(CommandFailed) as failed:
        repo.git("told", config={"alias.told": "!printf 'remote: Permission\\0 denied' >&2; exit 1;"})

    assert failed.value.stderr == "remote: Permission denied"


def test_more_output_than_allowed_is_an_error(repo: Repository, build: Builder) -> None:
    sha = build.commit("main", {"big": b"x" * 300_000})

    with pytest.raises(OutputTooLarge):
        repo.git("cat-file", "blob", f"{sha}:big", limits=Limits(output=100_000))
    with pytest.raises(OutputTooLarge):
        list(stream(repo.path, ["cat-file", "blob", f"{sha}:big"], limits=Limits(output=100_000)))


def test_large_input_and_output_do_not_block_each_other(repo: Repository) -> None:
    ids = b"".join(b"%040x\n" % number for number in range(20_000))

    answer = repo.git("cat-file", "--batch-check", stdin=ids).stdout

    assert answer.count(b"missing") == 20_000


def test_a_failure_carries_code_and_words_of_git(repo: Repository) -> None:
    with pytest.raises(CommandFailed) as failure:
        repo.git("cat-file", "blob", "nonsense")

    assert failure.value.code == 128
    assert "nonsense" in failure.value.stderr
    assert "nonsense" in str(failure.value)
    assert failure.value.message == "The git operation failed."
    with pytest.raises(CommandFailed):
        list(stream(repo.path, ["cat-file", "blob", "nonsense"]))


def test_a_command_that_was_killed_may_be_tried_again(repo: Repository) -> None:
    with pytest.raises(Killed) as killed:
        repo.git("die", config={"alias.die": "!kill -9 $PPID"})

    assert killed.value.status == 503


def test_heavy_reads_give_way_to_others(repo: Repository, build: Builder) -> None:
    sha = build.commit("main", {"big": b"x" * 3_000_000})
    quick, heavy = (
        process.start(repo.path, args, None, None, subprocess.DEVNULL, process.USUAL_MEMORY)
        for args in (["cat-file", "blob", f"{sha}:big"], ["archive", sha])
    )

    nice = [os.getpriority(os.PRIO_PROCESS, running.pid) for running in (quick, heavy)]
    for running in (quick, heavy):
        running.communicate()

    assert nice[1] == min(19, nice[0] + process.NICE)


def test_a_missing_repository_is_told_apart(tmp_path: Path) -> None:
    with pytest.raises(RepositoryNotFound):
        process.run(tmp_path / "no.git", ["log"])


def test_a_full_disk_is_told_apart() -> None:
    with pytest.raises(NoSpace):
        process.raise_for(None, ["push"], 128, "fatal: write error: No space left on device")


def test_a_file_system_out_of_reach_is_told_apart() -> None:
    with pytest.raises(StorageAway):
        process.raise_for(None, ["push"], 128, "error: unable to write file: Transport endpoint is not connected")


def test_leaving_a_stream_early_ends_the_command(repo: Repository, build: Builder) -> None:
    build.commit("main", {"big": b"line\n" * 200_000})
    reading = stream(repo.path, ["cat-file", "blob", "main:big"])

    assert next(reading).startswith(b"line\n")
    reading.close()  # type: ignore[attr-defined]


def test_settings_and_hooks_of_the_machine_are_not_read(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = intruder\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "intruder")

    assert repo.git("config", "user.name", accept=(1,)).stdout == b""
    assert repo.git("rev-parse", "--git-path", "hooks").text.strip() == "/dev/null"


def test_network_transports_are_closed(repo: Repository) -> None:
    for url in ("http://127.0.0.1:1/x.git", "ssh://127.0.0.1/x", "git://127.0.0.1/x", "ext::sh -c true"):
        with pytest.raises(CommandFailed, match="not allowed"):
            repo.git("fetch", url, "main")


def test_a_repository_of_another_owner_is_readable(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    subprocess.run(["chown", "-R", "12345", str(repo.path)], check=False)

    assert repo.git("rev-parse", "main").code == 0
    assert not Repository(repo.path).is_empty()
