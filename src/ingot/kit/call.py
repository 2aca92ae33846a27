"""One call of an endpoint: the request, who calls, the parsed parameters, and the means to answer it."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, ClassVar, Generic, Self, TypeVarTuple

from sqlalchemy import ColumnElement, CompoundSelect, Connection, Select, Table, delete, func, select
from starlette.requests import Request
from typing_extensions import TypeVar

from ingot.kit import pagination, preconditions, times, wire
from ingot.kit.actor import ANONYMOUS, Actor
from ingot.kit.changes import answering
from ingot.kit.data_version import UNKNOWN
from ingot.kit.endpoint import Endpoint
from ingot.kit.page_pieces import Present, R
from ingot.kit.pagination import Keyset, Page
from ingot.kit.params import Params, UploadedFile
from ingot.kit.services import Services
from ingot.kit.statements.counting import counting_statements

# Covariant: a function that reads a few parameters takes the calls of all sets that have them.
P_co = TypeVar("P_co", bound=Params, default=Params, covariant=True)
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Call(Generic[P_co]):
    """What a handler sees, with the parameter set of its endpoint."""

    of_page: ClassVar[bool] = False  # a person asks by a page
    __slots__ = (
        "_connection",
        "_opened",
        "actor",
        "answer_key",
        "arrived",
        "base_url",
        "endpoint",
        "is_read",
        "limit_headers",
        "params",
        "path",
        "reads_standby",
        "request",
        "request_id",
        "services",
        "statements",
        "takes_known",
        "times",
        "uploads",
        "values",
        "versions",
        "waited",
    )  # fmt: skip

    def __init__(self, request: Request, endpoint: Endpoint, path: dict[str, str], services: Services) -> None:
        self.request = request
        self.is_read = request.method in ("GET", "HEAD")  # it changes nothing
        self.endpoint = endpoint
        self.path = path
        self.services = services
        self.values: dict[str, Any] = {}
        self.uploads: list[UploadedFile] = []
        self.params: P_co = None  # type: ignore[assignment]  # parsed before the handler runs
        self.actor: Actor = ANONYMOUS
        self.waited = 0.0  # seconds that the call only waited for something to happen
        self.limit_headers: dict[str, str] = {}  # what the request limits say
        self.request_id = ""
        self.statements = 0
        self.times = times.make()
        self.versions = UNKNOWN  # of the database, read before anything else (`kit.data_version`)
        self.arrived = 0.0  # by `perf_counter`
        self.takes_known = False  # it reads, and may be given what others read of settled data
        self.answer_key: bytes | None = None  # by which the answer is kept; None: it is not
        self.base_url = services.settings.base_url or wire.base_url(request)
        self.reads_standby = False
        self._connection: Connection | None = None
        self._opened: AbstractContextManager[Connection] | None = None

    @property
    def conn(self) -> Connection:
        """The call's read connection, opened at first use and closed when the handler ends."""
        if self._connection is None:
            self._opened = self.services.db.read()
            self._connection = self._opened.__enter__()
        return self._connection

    def remember(self, kind: str, key: Hashable, read: Callable[[], T]) -> T:
        """What `read` gives, kept for other reads while the database has the version at which this call began.

        For what many calls ask for and few change, such as rights. Nobody may change what it gives.
        """
        version, known = self.versions.data, self.services.known
        if version is None or not self.is_read:
            return read()
        result: T | None = known.get(version, (kind, key))
        if result is None:
            # Counted apart: whether it had to be read must not show in the count of queries.
            with counting_statements():
                result = read()
            known.put(version, (kind, key), result)
        return result

    def write(self) -> AbstractContextManager[Connection]:
        """One write transaction; commands take it as `tx`. Do no git or network work inside."""
        if self.reads_standby:
            # What is read afterwards has to show it.
            self.close()
        return self.services.db.write()

    def read_standby(self, reading: AbstractContextManager[Connection]) -> None:
        """From here on `conn` is a connection to the standby."""
        self.close()
        self._opened = reading
        self._connection = reading.__enter__()
        self.reads_standby = True

    def close(self) -> None:
        """Give the read connection back."""
        if self._opened is not None:
            self._opened.__exit__(None, None, None)
            self._opened = self._connection = None
            self.reads_standby = False

    def require_unmodified(self, changed_at: datetime | None) -> None:
        """Refuse with 412 when the record changed after `If-Unmodified-Since`; an unreadable header is ignored."""
        preconditions.require_unmodified(self.request, changed_at)

    @property
    def address(self) -> str | None:
        """The caller's network address."""
        return None if self.request.client is None else self.request.client.host

    @property
    def cause(self) -> str | None:
        """The event of a web hook that this request answers, as its header says."""
        return None if self.is_read else self.request.headers.get("x-gitlab-event-uuid")

    @property
    def is_conditional(self) -> bool:
        """The caller sent `If-Unmodified-Since`."""
        return preconditions.HEADER in self.request.headers

    def require_rows_unmodified(self, conn: Connection, table: Table, condition: ColumnElement[bool]) -> None:
        """Refuse with 412 when one of these rows changed after `If-Unmodified-Since`."""
        columns = [table.c[name] for name in ("updated_at", "created_at") if name in table.c]
        if columns and self.is_conditional:
            self.require_unmodified(conn.execute(select(func.max(columns[0])).where(condition)).scalar_one())

    def delete_rows(self, tx: Connection, table: Table, condition: ColumnElement[bool]) -> int:
        """Delete rows, unless they changed after `If-Unmodified-Since`; returns how many there were."""
        self.require_rows_unmodified(tx, table, condition)
        return tx.execute(delete(table).where(condition)).rowcount

    async def run(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """From an async handler: run blocking work in a thread; the connection is not held afterwards."""
        pools = self.services.pools
        if self.is_read:
            return await pools.run_git(lambda: self._closing(function, args), can_end=True)
        return await pools.run(lambda: self._closing(function, args), wide=True)

    async def run_with_store(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """As `run`, for work that reads or writes objects."""
        return await self.services.pools.run_with_store(lambda: self._closing(function, args))

    def _closing(self, function: Callable[[*Ts], T], args: tuple[*Ts]) -> T:
        with answering(self):
            try:
                return function(*args)
            finally:
                self.close()

    def page(
        self,
        statement: Select[Any],
        present: Present[Self, R],
        *,
        keyset: Keyset | None = None,
        limited: str | None = None,
        count: bool = True,
        counted: Select[Any] | CompoundSelect[Any] | None = None,
        values: Mapping[str, object] | None = None,
    ) -> Page:
        """Answer with a page of the statement, presented with bulk loads."""
        return pagination.paginate(
            self, statement, present, keyset=keyset, limited=limited, count=count, counted=counted, values=values
        )

    def page_of_list(self, rows: Sequence[R], present: Present[Self, R]) -> Page:
        """Answer with a page of records that are already in memory."""
        return pagination.paginate_list(self, rows, present)
