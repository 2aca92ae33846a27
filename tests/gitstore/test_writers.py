"""Closing a repository: who writes is waited for, who comes is kept out."""

import asyncio
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from ingot.gitstore import refs, writers
from ingot.gitstore.errors import LockTimeout, RepositoryMoved
from ingot.gitstore.hook_line import HookLine
from ingot.gitstore.push import Push
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.repository import Repository
from ingot.gitstore.writers import Writer
from tests.gitstore.conftest import Builder
from tests.gitstore.git_server import GitServer, client


def test_a_writer_that_another_process_inherited_is_waited_for(repo: Repository) -> None:
    writer = Writer(repo.path)
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=[writer.descriptor]) as child:
        writer.enter()
        writer.close()
        with repo.writing():
            pass  # others still come in
        with pytest.raises(LockTimeout), writers.closed(repo.path, seconds=0):
            pass
    assert child.returncode == 0

    with writers.closed(repo.path, seconds=0):
        late = Writer(repo.path)
        with pytest.raises(LockTimeout):
            late.enter(seconds=0)
        late.close()


def test_nobody_moves_a_ref_in_a_place_that_was_left(repo: Repository, build: Builder) -> None:
    head = build.commit("main", {"a": "1"})
    waiting = Writer(repo.path)
    refused: list[str] = []

    def write() -> None:
        try:
            refs.update(repo, [RefUpdate("refs/heads/new", head)])
        except RepositoryMoved as error:
            refused.append(error.message)

    with writers.closed(repo.path):
        late = Thread(target=write)
        late.start()
        writers.seal(repo.path)
    late.join()
    assert refused == ["The repository is being moved to another storage. Try again."]
    assert refs.find_branch(repo, "new") is None
    writers.unseal(repo.path)
    write()
    assert refs.find_branch(repo, "new") == head

    repo.path.rename(repo.path.with_name("elsewhere.git"))
    with pytest.raises(RepositoryMoved):
        waiting.enter()
    waiting.close()


def test_a_push_is_refused_by_a_sealed_repository(repo: Repository, build: Builder, tmp_path: Path) -> None:
    build.commit("main", {"a": "1"})
    git = GitServer(repo)
    try:
        client(tmp_path, "clone", "-q", git.url, "work")
        work = tmp_path / "work"
        client(work, "push", "-q", git.url, "HEAD:refs/heads/gone")
        writers.seal(repo.path)
        client(work, "commit", "-q", "--allow-empty", "-m", "more")
        for words in ("HEAD:refs/heads/new", "HEAD:main", ":gone"):
            assert "being moved to another storage. Try again." in client(work, "push", git.url, words, code=1)
        assert refs.find_branch(repo, "gone") is not None
        writers.unseal(repo.path)
        client(work, "push", "-q", git.url, "HEAD:refs/heads/new", ":gone")
        assert refs.find_branch(repo, "gone") is None
    finally:
        git.stop()


def test_pushes_that_wait_for_a_closed_repository_take_no_thread_from_others(repo: Repository) -> None:
    async def scenario() -> None:
        tried = asyncio.Event()

        class OneThread(ThreadPoolExecutor):
            def submit(self, *args: Any, **named: Any) -> Any:
                tried.set()
                return super().submit(*args, **named)

        asyncio.get_running_loop().set_default_executor(OneThread(1))
        line = HookLine(repo, Push((), frozenset(), (), b""), frozenset(), None, None)
        question, answer = (os.dup(number) for number in line.inherited[:2])
        line.close_inherited()
        serving = asyncio.create_task(line.serve())
        with writers.closed(repo.path):
            os.write(question, b"storing\n\n")
            await tried.wait()
            await asyncio.to_thread(os.getpid)
        os.close(question)
        await serving
        assert os.read(answer, 100) == b"yes\n"
        os.close(answer)

    asyncio.run(scenario())
