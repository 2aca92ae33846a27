"""Waiting for a job to become pending. One query per process and second serves all waiting runners, and jobs queued by
this process are seen at once. Waiting takes no thread and no database connection.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from weakref import WeakKeyDictionary, WeakSet

import msgspec
from sqlalchemy import Connection, func, select
from sqlalchemy.exc import SQLAlchemyError

from ingot.features.ci.engine import ci_jobs, on_job_queued
from ingot.features.ci.runners.tables import runners
from ingot.kit.services import Pools, Services

log = logging.getLogger("ingot.runners")

# How late a job that another process queued may be noticed.
LOOK_EVERY = 1.0

_watches: WeakSet["QueueWatch"] = WeakSet()


class QueueState(msgspec.Struct, frozen=True):
    """A value that changes when a job becomes pending or is taken, or a runner is edited."""

    jobs: str
    runners: str


def queue_state(conn: Connection) -> QueueState:
    """The queue as it is now."""
    row = conn.execute(
        select(
            func.count(),
            func.max(ci_jobs.c.id),
            # A job that was played keeps its id: the sum distinguishes it from the one that left meanwhile.
            func.sum(ci_jobs.c.id),
            select(func.max(runners.c.updated_at)).scalar_subquery(),
        ).where(ci_jobs.c.status == "pending", ci_jobs.c.kind == "build")
    ).one()
    return QueueState(":".join(str(part) for part in row[:3]), str(row[3]))


@on_job_queued
def look_at_queue() -> None:
    """A job was queued by this process: look now."""
    for watch in list(_watches):
        watch.look_now()


def waiting_requests(services: Services) -> int:
    """How many requests wait in this process; callable from any thread, also before the first one came."""
    watch = _by_pools.get(services.pools)
    return 0 if watch is None else watch.waiting


class QueueWatch:
    """The queue as seen by one process. Lives on its event loop, but for `look_now`."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._loop = asyncio.get_running_loop()
        self.waiting = 0
        self._state: QueueState | None = None
        self._looked = asyncio.Event()
        self._bell = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        _watches.add(self)

    @classmethod
    def of(cls, services: Services) -> "QueueWatch":
        """The one of this process."""
        watch = _by_pools.get(services.pools)
        if watch is None:
            watch = _by_pools[services.pools] = cls(services)
        return watch

    def look_now(self) -> None:
        """From any thread."""
        with suppress(RuntimeError):  # its loop has ended
            self._loop.call_soon_threadsafe(self._bell.set)

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[None]:
        """Keep looking at the queue for as long as the block lasts, first of all now."""
        self.waiting += 1
        self._bell.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look())
        try:
            yield
        finally:
            self.waiting -= 1
            if not self.waiting:
                self._bell.set()

    async def differs(self, known: QueueState, seconds: float) -> bool:
        """Whether the next look, if it comes within this time, sees another state than the known one."""
        looked = self._looked
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await looked.wait()
        return looked.is_set() and self._state != known

    async def _look(self) -> None:
        while self.waiting:
            self._bell.clear()
            try:
                self._state = await self._services.pools.run(self._read, wide=False)
            except SQLAlchemyError:
                log.warning("the queue of jobs could not be read", exc_info=True)
            else:
                self._looked.set()
                self._looked = asyncio.Event()
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY):
                    await self._bell.wait()

    def _read(self) -> QueueState:
        with self._services.db.read() as conn:
            return queue_state(conn)


_by_pools: WeakKeyDictionary[Pools, QueueWatch] = WeakKeyDictionary()  # one per process; copies of services share pools
