"""What the composition root hands to every call and background job."""

from collections.abc import Callable, Hashable
from datetime import date
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec
from sqlalchemy import Connection

from ingot.kit.blobs.availability import Availability
from ingot.kit.caller_work import CallerWork
from ingot.kit.data_version import Versioned
from ingot.kit.db import Database
from ingot.kit.lanes import Lanes
from ingot.kit.pending_counts import PendingCounts
from ingot.kit.places import Places
from ingot.kit.rate_counts import RateCounts
from ingot.kit.statement_limit import StatementLimit
from ingot.kit.statements.remembering import KnownAnswers
from ingot.kit.threads import Threads
from ingot.kit.times import also_noted
from ingot.settings import Settings

if TYPE_CHECKING:
    from ingot.kit.actor import Actor
    from ingot.kit.blobs import BlobStore
    from ingot.kit.blobs.shared_cache import SharedCache
    from ingot.kit.outbound import Outbound
    from ingot.kit.routing import Router

T = TypeVar("T")
SLOW_GIT = 16
CALLS_OUT = 6
WRITING_BURST = 0.01  # seconds
MOST_KNOWN = 300
MOST_LASTING = 3_000  # rows and answers


class TokenReader(Protocol):
    """The owner of a token; cached briefly, so that busy tokens cost nothing."""

    def by_token(self, conn: Connection, clear: str, base_url: str) -> "Actor | None":
        """The actor of a token, or None."""

    def by_job_token(self, conn: Connection, clear: str) -> "Actor | None":
        """The actor of a running job's token, or None."""

    def forget(self) -> None:
        """Clear the cache: a token was changed."""


class Pools:
    """Bounded thread pools: a narrow one for database reads, one for writes, one for git, one for objects, a wide one.

    Slow reads leave the narrow one to the others (`slow` at once), and so do slow writes and git calls in theirs. Of
    writes only so many run at once as the database lets (`writes`): the others would wait for it with a thread each,
    and all of them take the interpreter from those who read. The wide pool is for all other work. Work that waits
    for the object store has a pool of its own, so that an unresponsive store delays nothing else. So has work that
    waits for servers of others.
    """

    def __init__(
        self,
        narrow: int,
        wide: int,
        store_patience: float = 15.0,
        *,
        slow: int = 7,
        writes: int | None = None,
        statement_timeout: float = 0.0,
        git_calls_per_address: int = 0,
        git_call_wait: float = 0.0,
    ) -> None:
        self._statement_timeout = statement_timeout
        work = CallerWork()
        self._availability = Availability(store_patience)
        self._store = Threads(wide, "store")
        self._narrow = Lanes(narrow, slow, statement_timeout, work=work)
        writes = writes or wide
        self._writes = Lanes(writes, wide - writes, statement_timeout, name="write", burst=WRITING_BURST)
        self._wide = Threads(wide, "work")
        self._outside = Threads(CALLS_OUT, "outside")
        self._git = Lanes(
            wide,
            SLOW_GIT,
            statement_timeout,
            name="git",
            most_per_caller=git_calls_per_address,
            longest_wait=git_call_wait,
            work=work,
        )

    async def run(self, work: Callable[[], T], *, wide: bool) -> T:
        """Run blocking work without blocking the event loop."""
        if not wide:
            return await self._narrow.run(work)
        limit, noted = StatementLimit(self._statement_timeout), also_noted(work)
        return await self._wide.run(lambda: limit.run(noted))

    async def run_write(self, work: Callable[[], T]) -> T:
        """As `run`, for a call that changes data; once begun it is never ended half-way to make room."""
        return await self._writes.run(work, can_end=False)

    async def run_git(self, work: Callable[[], T], *, can_end: bool, can_refuse: bool = True) -> T:
        """As `run`, for work that waits for git. Reads can end early when too many slow ones are under way.

        Callers with too much under way are refused, but not in the middle of a push, which says `can_refuse=False`.
        """
        return await self._git.run(also_noted(work), can_end=can_end, can_refuse=can_refuse)

    async def run_with_store(self, work: Callable[[], T]) -> T:
        """As `run`, for work that reads or writes objects."""
        noted = also_noted(work)

        def asking() -> T:
            with self._availability.asking():
                return StatementLimit(self._statement_timeout).run(noted)

        return await self._store.run(asking)

    async def run_outside(self, work: Callable[[], T]) -> T:
        """As `run`, for work that waits for a server of others, within a limit of its own."""
        return await self._outside.run(work)

    def close(self) -> None:
        """Wait for running work and end the threads."""
        self._narrow.close()
        self._writes.close()
        self._git.close()
        self._wide.close()
        self._store.close()
        self._outside.close()


class Services(msgspec.Struct):
    """Made once by `app.build`; tests pass their own."""

    settings: Settings
    db: Database
    pools: Pools
    transfers: Places  # of clones, fetches and pushes
    blobs: "BlobStore"
    shared_cache: "SharedCache"
    storages: object  # of repositories; `gitstore.storages_of` reads it, this package knows nothing of git
    secret_key: str
    fetches: PendingCounts[tuple[int, date]]  # of projects, by day
    outbound: "Outbound | None" = None  # a client of its own, where tests answer for other hosts
    metrics: list[Callable[[], list[str]]] = msgspec.field(default_factory=list)  # further lines of the metrics page
    rate_counts: RateCounts = msgspec.field(default_factory=RateCounts)
    # What calls remember (`Call.remember`); Any: of many types.
    known: Versioned[Hashable, Any] = msgspec.field(default_factory=lambda: Versioned(MOST_KNOWN))
    # What visits of pages leave to each other (`kit.statements.remembering`).
    lasting: KnownAnswers = msgspec.field(default_factory=lambda: KnownAnswers(MOST_LASTING))
    # Functions that clear caches of this process.
    memories: list[Callable[[], None]] = msgspec.field(default_factory=list)
    stopping: bool = False  # the server is stopping: requests that only wait end now
    _tokens: "TokenReader | None" = None
    _router: "Router | None" = None

    @property
    def tokens(self) -> TokenReader:
        """The token look-up; set once the application is built."""
        if self._tokens is None:
            raise RuntimeError("the application is not built yet")
        return self._tokens

    @property
    def router(self) -> "Router":
        """All endpoints; set once the application is built."""
        if self._router is None:
            raise RuntimeError("the application is not built yet")
        return self._router

    def attach(self, tokens: TokenReader, router: "Router") -> None:
        """Set what only the built application has."""
        self._tokens, self._router = tokens, router
