"""The database: one sync layer over SQLite and PostgreSQL.

Reads run in autocommit on their own engine; every write is one short transaction (`BEGIN IMMEDIATE` on SQLite).
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from functools import cache, partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, Row, Select, Table, bindparam, create_engine, event, func, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from ingot.kit import changes, tallies
from ingot.kit.brief_reads import require_thread
from ingot.kit.broken_connections import replace_broken
from ingot.kit.column_types import Id, Json, UtcDateTime
from ingot.kit.data_version import UNKNOWN, SqliteVersion, Versions, snapshot_of, versions_of
from ingot.kit.errors import RecordNotFound
from ingot.kit.ready_connections import ReadyConnection, ReadyConnections
from ingot.kit.standby import Standby
from ingot.kit.statement_limit import INSTRUCTIONS, is_over
from ingot.kit.statements import use_plans
from ingot.kit.statements.counting import begin_by_library, begin_statement, counting_statements, end_by_library
from ingot.kit.statements.remembering import forget_answers, remembering_answers

__all__ = [
    "Database",
    "Id",
    "Json",
    "UtcDateTime",
    "after_commit",
    "counting_statements",
    "hold_row",
    "metadata",
    "remembering_answers",
    "take_turn",
    "unmapped",
]

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def after_commit(tx: Connection, action: Callable[[], object]) -> None:
    """Run the action once the transaction has committed; never when it rolls back."""
    tx.info.setdefault("after_commit", []).append(action)


def take_turn(tx: Connection, name: str) -> None:
    """Let one transaction at a time, on all nodes, hold the lock of this name; the others wait here until it ends."""
    # On SQLite the write transaction is the turn.
    if tx.dialect.name == "postgresql":
        tx.execute(select(func.pg_advisory_xact_lock(func.hashtext(name))))


def hold_row(tx: Connection, table: Table, row_id: int) -> Row[Any]:
    """The row as it is now, locked until this transaction ends. 404 where it was deleted meanwhile.

    For changes that depend on the current value: replacing a set, changing one of many values in a column.
    """
    row = tx.execute(_holding(table), {"held": row_id}).one_or_none()
    if row is None:
        raise RecordNotFound
    return row


@cache
def _holding(table: Table) -> Select[Any]:
    return select(table).where(table.c.id == bindparam("held")).with_for_update(key_share=True)


# Connections beyond the pool's size, closed after use. Requests that wait for git hold one while they wait.
SPARE = 4
SPARE_OF_REQUESTS = 24
RECONNECT_SECONDS = 3.0
MAPPED = 256 * 1024 * 1024


class Database:
    """Two engines on one database: readers in autocommit, writers in explicit transactions."""

    def __init__(
        self,
        url: str,
        pool_size: int = 16,
        statement_timeout: float = 0.0,
        spare: int = SPARE,
        *,
        behind_pooler: bool = False,
        read_url: str = "",
    ) -> None:
        self.url = make_url(url)
        self.pool_size = pool_size
        # Each transaction may run in another session: sessions keep no settings, no statements and no listening.
        self.behind_pooler = behind_pooler
        self._unlimited: Database | None = None
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        # Any: each value is of the type that its key reads.
        self.latest: dict[object, Any] = {}  # of `kit.latest`, which every request asks
        self._write_turn = threading.Lock()
        self._open = threading.local()
        self.standby: Standby | None = None
        self._read_url = read_url
        engines: list[Engine] = []
        if self.is_sqlite:
            self.reader, self.writer = _sqlite_engines(str(self.url.database), pool_size)
        else:
            session: dict[str, object] = {"prepare_threshold": None} if behind_pooler else _session(statement_timeout)
            self.reader, self.writer = _postgres_engines(self.url, pool_size, session, spare)
            if read_url:
                standby_reader, _ = _postgres_engines(make_url(read_url), pool_size, session, spare)
                self.standby = Standby(standby_reader)
                engines.append(standby_reader)
        self._version = SqliteVersion(partial(_open_for_version, str(self.url.database)), begin_statement)
        self._ready = ReadyConnections(partial(self._connect, self.reader))
        for engine in (self.reader, self.writer, *engines):
            event.listen(engine, "before_cursor_execute", begin_by_library)
            event.listen(engine, "after_cursor_execute", end_by_library)
            use_plans(engine, is_autocommit=engine is not self.writer)

    def limited(self, statement_timeout: float) -> "Database":
        """The same database with connections of its own, whose statements PostgreSQL ends after so many seconds."""
        if self.is_sqlite or not statement_timeout:
            return self
        url = self.url.render_as_string(hide_password=False)
        created = Database(
            url,
            self.pool_size,
            statement_timeout,
            SPARE_OF_REQUESTS,
            behind_pooler=self.behind_pooler,
            read_url=self._read_url,
        )
        created._unlimited = self
        created.writer.update_execution_options(**self.writer.get_execution_options())
        return created

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return str(self.reader.dialect.name)

    def read(self) -> AbstractContextManager[Connection]:
        """A connection for reading; each statement sees the newest data, or what `remembering_answers` has of it."""
        return ReadyConnection(self._ready)

    def quick_version(self) -> Hashable | None:
        """The version of the data (`kit.data_version`) where it costs no wait: on SQLite."""
        return self._version.read() if self.is_sqlite else None

    def quick_versions(self) -> Versions:
        """The same with the version of settled data, which costs a statement after each write."""
        return self._version.read_both() if self.is_sqlite else UNKNOWN

    def version(self, conn: Connection) -> Hashable | None:
        """The version of the data; on PostgreSQL a statement on this read connection."""
        return self._version.read() if self.is_sqlite else snapshot_of(conn)

    def versions(self, conn: Connection) -> Versions:
        """The version of the data and that of settled data, in one statement where any is needed."""
        return self._version.read_both() if self.is_sqlite else versions_of(conn)

    @contextmanager
    def scan(self) -> Iterator[Connection]:
        """As `read`, for work that reads very much: without SQLite's memory map, which would count as the process's."""
        with self.read() as connection, unmapped(connection):
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One write transaction: committed at the end of the block, rolled back on an exception."""
        actions: list[Callable[[], None]] = []
        # Writers of one process queue here instead of spinning on SQLite's file lock.
        with self._turn(), self._connect(self.writer) as connection:
            connection.info.pop("after_commit", None)
            changes.forget(connection)
            with connection.begin() as transaction:
                yield connection
                changes.follow_up(connection)
                begun = time.monotonic()
                transaction.commit()
                tallies.add(tallies.STATEMENT, "commit", time.monotonic() - begun)
            actions = connection.info.pop("after_commit", [])
        forget_answers()
        # Outside the transaction: actions may open one of their own.
        for action in actions:
            action()

    @contextmanager
    def listen(self, channel: str) -> Iterator[Callable[[float], bool]]:
        """PostgreSQL only: a function that waits so many seconds for a notification and says whether one came."""
        import psycopg

        # Not from the pool, whose connections are shared.
        address = self.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(address, autocommit=True, connect_timeout=3, keepalives_idle=15) as raw:
            raw.execute(psycopg.sql.SQL("LISTEN {}").format(psycopg.sql.Identifier(channel)))
            yield lambda seconds: next(raw.notifies(timeout=seconds, stop_after=1), None) is not None

    @contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """The embedded database file, while nobody else in this process writes: to copy or replace it as a whole."""
        with self._turn(), closing(self.writer.raw_connection()) as connection:
            driver = connection.driver_connection
            if not isinstance(driver, sqlite3.Connection):
                raise TypeError("only an embedded database can be taken as a whole")
            yield driver

    def ping(self) -> None:
        """Raise at once when the database does not answer."""
        with self.reader.connect() as connection:
            connection.exec_driver_sql("SELECT 1")

    def _connect(self, engine: Engine) -> Connection:
        """A live connection. Waits for a restarting server here, where nothing has been sent yet."""
        deadline = time.monotonic() + RECONNECT_SECONDS
        while True:
            try:
                return engine.connect()
            except (OperationalError, InterfaceError):
                if self.is_sqlite or time.monotonic() > deadline:
                    raise
            time.sleep(0.2)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        require_thread()
        if getattr(self._open, "writes", False):
            # On SQLite it would wait for itself; on PostgreSQL it would be a separate transaction.
            raise RuntimeError("a write transaction is already open in this thread: pass its `tx` on")
        self._open.writes = True
        try:
            with self._write_turn if self.is_sqlite else nullcontext():
                yield
        finally:
            self._open.writes = False

    def dispose(self) -> None:
        """Close all pooled connections; those in use when they are given back."""
        self._version.close()
        self._ready.close()
        if self.standby is not None:
            self.standby.close()
        for engine in (self.reader, self.writer):
            pool = engine.pool
            engine.dispose()
            # The old pool keeps what is given back to it later, and nobody would ever close that.
            event.listen(pool, "checkin", _close)
        if self._unlimited is not None:
            self._unlimited.dispose()


@contextmanager
def unmapped(connection: Connection) -> Iterator[None]:
    """Read without SQLite's memory map in this block, on a connection of `Database.read`."""
    if connection.dialect.name != "sqlite":
        yield
        return
    connection.exec_driver_sql("PRAGMA mmap_size=0")
    try:
        yield
    finally:
        connection.exec_driver_sql(f"PRAGMA mmap_size={MAPPED}")


def _close(connection: DBAPIConnection | None, _entry: ConnectionPoolEntry) -> None:
    if connection is not None:
        connection.close()


def _session(statement_timeout: float) -> dict[str, object]:
    """Limits that each session of PostgreSQL begins with."""
    limits = {
        # A node that hangs or is paused inside a transaction must not hold its locks for ever.
        "idle_in_transaction_session_timeout": "60s",
        "lock_timeout": "30s",
        "statement_timeout": f"{round(statement_timeout * 1000)}ms",
    }
    return {"options": " ".join(f"-c {name}={value}" for name, value in limits.items())}


def _postgres_engines(url: URL, pool_size: int, session: dict[str, object], spare: int) -> tuple[Engine, Engine]:
    options: dict[str, Any] = {
        # Values of statements may be secrets, and errors end in logs.
        "hide_parameters": True,
        "pool_size": pool_size,
        "pool_timeout": 10.0,
        "connect_args": {
            "connect_timeout": 3,
            "application_name": "ingot",
            "keepalives_idle": 15,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            **session,
        },
    }
    parsed = url.set(drivername="postgresql+psycopg")
    reader = create_engine(parsed, isolation_level="AUTOCOMMIT", max_overflow=spare, **options)
    writer = create_engine(parsed, max_overflow=SPARE, **options)
    for engine in (reader, writer):
        replace_broken(engine)
    return reader, writer


def _sqlite_engines(path: str, pool_size: int) -> tuple[Engine, Engine]:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    url = f"sqlite:///{path}"
    options: dict[str, Any] = {
        "connect_args": {"check_same_thread": False, "timeout": 30.0},
        "hide_parameters": True,
        # The connection used last has the statements and pages cached.
        "pool_use_lifo": True,
    }
    reader = create_engine(
        url, isolation_level="AUTOCOMMIT", pool_size=pool_size, max_overflow=SPARE_OF_REQUESTS, **options
    )
    writer = create_engine(url, pool_size=2, max_overflow=8, **options)
    # Writers touch pages all over the file, and each would count as the process's memory.
    for engine, mapped in ((reader, MAPPED), (writer, 0)):
        event.listen(engine, "connect", partial(_sqlite_prepare, mapped))
    event.listen(writer, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return reader, writer


def _open_for_version(path: str) -> sqlite3.Connection:
    """A connection for the version alone: in autocommit, and it waits for nobody."""
    return sqlite3.connect(path, timeout=0.0, isolation_level=None, check_same_thread=False)


def _sqlite_prepare(mapped: int, raw: sqlite3.Connection, _record: object) -> None:
    raw.isolation_level = None
    raw.set_progress_handler(is_over, INSTRUCTIONS)
    cursor = raw.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "foreign_keys=ON",
        "busy_timeout=30000",
        "temp_store=MEMORY",
        "cache_size=-16000",
        f"mmap_size={mapped}",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
