"""Processes on the event loop: their pipes, their ends, and what a broken start leaves behind."""

import asyncio
import os
from pathlib import Path

import pytest
import uvloop

from ingot.gitstore.child_process import ChildProcess, start_child

ENV = {"PATH": os.environ["PATH"]}
LOOPS = {"uvloop": uvloop.new_event_loop, "asyncio": asyncio.new_event_loop}


@pytest.fixture(params=LOOPS)
def runner(request: pytest.FixtureRequest) -> asyncio.Runner:
    return asyncio.Runner(loop_factory=LOOPS[request.param])


def _open_descriptors() -> set[str]:
    return {file.name for file in Path("/proc/self/fd").iterdir()}


async def _say(child: ChildProcess, text: bytes) -> tuple[int, bytes, bytes]:
    child.stdin.write(text)
    await child.stdin.drain()
    child.stdin.close()
    output, errors = await child.stdout.read(), await child.stderr.read()
    status = await child.wait()
    child.close()
    return status, output, errors


def test_input_output_errors_and_status(runner: asyncio.Runner) -> None:
    async def talk() -> tuple[int, bytes, bytes]:
        return await _say(await start_child(["sh", "-c", "cat; echo no >&2; exit 3"], ENV), b"hello")

    with runner:
        assert runner.run(talk()) == (3, b"hello", b"no\n")


def test_more_than_a_pipe_holds(runner: asyncio.Runner) -> None:
    async def talk() -> tuple[int, bytes]:
        child = await start_child(["cat"], ENV)
        feeding = asyncio.create_task(_feed(child, 64))
        output = await child.stdout.read()
        await feeding
        status = await child.wait()
        child.close()
        return status, output

    async def _feed(child: ChildProcess, pieces: int) -> None:
        for _ in range(pieces):
            child.stdin.write(b"x" * 65536)
            await child.stdin.drain()
        child.stdin.close()

    with runner:
        assert runner.run(talk()) == (0, b"x" * 65536 * 64)


def test_a_killed_one_has_a_negative_status(runner: asyncio.Runner) -> None:
    async def kill() -> tuple[int, int | None]:
        child = await start_child(["sleep", "3600"], ENV)
        assert child.returncode is None
        os.kill(child.pid, 9)
        status = await child.wait()
        child.close()
        return status, child.returncode

    with runner:
        assert runner.run(kill()) == (-9, -9)


def test_a_program_that_is_not_there_leaves_nothing_open(runner: asyncio.Runner) -> None:
    async def fail() -> None:
        before = _open_descriptors()
        with pytest.raises(FileNotFoundError):
            await start_child(["no-such-program"], ENV)
        assert _open_descriptors() <= before  # those of other tests may be closed at any time

    with runner:
        runner.run(fail())


def test_its_output_may_go_elsewhere(runner: asyncio.Runner) -> None:
    async def talk() -> tuple[int, bytes]:
        outlet, inlet = os.pipe()
        child = await start_child(["echo", "there"], ENV, stdout=inlet)
        os.close(inlet)
        status = await child.wait()
        text = os.read(outlet, 100)
        os.close(outlet)
        child.close()
        return status, text

    with runner:
        assert runner.run(talk()) == (0, b"there\n")
