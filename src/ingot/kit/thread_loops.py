"""Event loops of threads that call out. A thread that does so again and again keeps its loop open between the calls."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")

_kept = threading.local()


@contextmanager
def keeping_loop() -> Iterator[None]:
    """In this block `run_async` uses one loop. It is opened when it is needed first."""
    with asyncio.Runner() as runner:
        _kept.runner = runner
        try:
            yield
        finally:
            del _kept.runner


def run_async(work: Coroutine[object, object, T]) -> T:
    """As `asyncio.run`, on the loop that this thread keeps. No task outlives the call."""
    runner: asyncio.Runner | None = getattr(_kept, "runner", None)
    if runner is None:
        return asyncio.run(work)
    try:
        # The runner's own context is that of the thread's beginning.
        return runner.run(work, context=copy_context())
    finally:
        _cancel_tasks(runner.get_loop())


def _cancel_tasks(loop: asyncio.AbstractEventLoop) -> None:
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
