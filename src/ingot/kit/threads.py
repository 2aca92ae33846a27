"""Threads that work for an event loop. As an executor's, with less between the loop and the work.

The change of threads is a good part of a cheap request. An executor makes two futures, two locks and a chain of
callbacks for it; here the loop's own future crosses over, at half the cost.
"""

import asyncio
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class _Job(NamedTuple):
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    work: Callable[[], Any]


def finish(future: asyncio.Future[object], result: object, error: BaseException | None) -> None:
    """On its loop: tell whoever waits for the future, if anybody still does."""
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


class Threads:
    """At most so many threads, each started when all others are busy. Called from event loops."""

    def __init__(self, most: int, name: str) -> None:
        self._most = most
        self._name = name
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._pending = 0  # jobs that are not over
        self._is_closed = False

    def run(self, work: Callable[[], T]) -> "asyncio.Future[T]":
        """Do the work in a thread. Cancelling the future does not stop work that has begun."""
        if self._is_closed:
            raise RuntimeError("the threads have ended")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._pending += 1
        self._jobs.put(_Job(loop, future, work))
        if self._pending > len(self._threads) < self._most:
            name = f"{self._name}_{len(self._threads)}"
            thread = threading.Thread(target=self._work, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()
        return future

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            result: Any = None
            error: BaseException | None = None
            if not job.future.cancelled():
                try:
                    result = job.work()
                except BaseException as raised:  # noqa: BLE001 - it is raised again where the work is waited for
                    error = raised
            try:
                job.loop.call_soon_threadsafe(self._finish, job.future, result, error)
            except RuntimeError:
                self._pending -= 1  # the loop has ended, nobody waits
            del job, result, error

    def _finish(self, future: asyncio.Future[object], result: object, error: BaseException | None) -> None:
        self._pending -= 1
        finish(future, result, error)

    def close(self) -> None:
        """Wait for running work, cancel what has not begun, and end the threads."""
        self._is_closed = True
        try:
            while True:
                job = self._jobs.get_nowait()
                if job is not None and not job.loop.is_closed():
                    job.loop.call_soon_threadsafe(job.future.cancel)
        except Empty:
            pass
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()
