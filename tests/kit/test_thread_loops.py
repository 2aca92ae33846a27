"""Loops that threads keep for their next call."""

import asyncio
from contextvars import ContextVar

import pytest

from ingot.kit.thread_loops import keeping_loop, run_async

_word = ContextVar("word", default="")


async def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


def test_calls_of_a_block_share_a_loop_that_ends_with_it() -> None:
    with keeping_loop():
        first, second = run_async(_loop()), run_async(_loop())
        assert first is second
        assert not first.is_closed()

    assert first.is_closed()
    assert run_async(_loop()) is not first


def test_a_call_sees_the_context_of_its_caller() -> None:
    async def read() -> str:
        return _word.get()

    with keeping_loop():
        run_async(_loop())
        token = _word.set("later")
        try:
            assert run_async(read()) == "later"
        finally:
            _word.reset(token)


def test_no_task_of_a_failed_call_goes_on_in_the_next() -> None:
    ended: list[str] = []

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    async def fail() -> None:
        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        assert not task.done()
        raise LookupError

    with keeping_loop():
        with pytest.raises(LookupError):
            run_async(fail())
        assert ended == ["cancelled"]
