"""A connection that runs statements by their plans."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from time import monotonic
from typing import Any

from sqlalchemy import CompoundSelect, Connection, Engine, Executable, Select, UpdateBase
from sqlalchemy.engine.interfaces import CoreExecuteOptionsParameter, DBAPICursor
from sqlalchemy.exc import InvalidRequestError

from ingot.kit import tallies
from ingot.kit.statements.counting import begin_statement
from ingot.kit.statements.joining import joined
from ingot.kit.statements.long_texts import fetch_short, left_characters, refuses_long_texts
from ingot.kit.statements.plans import Plan, Plans, Prepared, plans_for
from ingot.kit.statements.remembering import (
    MOST_ROWS,
    Answer,
    Key,
    Lasts,
    current_answers,
    current_lasting,
    find_answer,
    is_remembering,
    keep_answer,
    key_of,
)
from ingot.kit.statements.results import Buffered, Rows, Written
from ingot.kit.statements.rows import Maker
from ingot.kit.tallies import current as own_tallies
from ingot.kit.times import noted_in

QUERIES = (Select, CompoundSelect)
Query = tuple[Executable, Mapping[str, object]]


class PlannedConnection(Connection):
    """As SQLAlchemy's; a statement goes from its plan straight to the driver, in the same transaction."""

    plans: Plans  # of the dialect
    is_autocommit: bool  # the driver needs no transaction; elsewhere the first statement begins one
    # Any: cursors of the driver, of queries that were sent together and not asked for yet.
    _sent: dict[Key | None, Any] | None = None

    def execute(
        self,
        statement: Executable,
        parameters: Mapping[str, object] | Sequence[Mapping[str, object]] | None = None,
        *,
        execution_options: CoreExecuteOptionsParameter | None = None,
    ) -> Any:
        """Run a statement."""
        if not execution_options and not self._has_events and (parameters is None or isinstance(parameters, dict)):
            values = parameters or {}
            rows = None
            known = self.plans.known.get(id(statement))
            if known is not None and known[0]() is statement:
                rows = None if known[1] is None else self._run(known[1], values)
            elif isinstance(statement, QUERIES):
                prepared = self.plans.prepare(statement, self.dialect)
                rows = None if prepared is None else self._run(prepared, values)
            elif isinstance(statement, UpdateBase):
                prepared = self.plans.prepare_write(statement, values, self.dialect)
                rows = None if prepared is None else self._run(prepared, values, writes=True)
            if rows is not None:
                return rows
        return super().execute(statement, parameters, execution_options=execution_options)

    # Any: the driver, its parameters and its cursors.
    def _run(self, prepared: Prepared, values: Mapping[str, object], *, writes: bool = False) -> Rows | None:
        # Every statement of every request passes here: what can be read in place is not asked of a function.
        plan = prepared.plan
        bound: tuple[str, Any] | None
        try:
            bound = prepared.bind(values) if prepared.fill is None else (prepared.fill[0], prepared.fill[1](values))
        except KeyError:
            return None
        if bound is None:
            return None
        text, parameters = bound
        key = None
        if self.is_autocommit:
            is_kept = current_answers.get() is not None
            is_kept = is_kept or (prepared.lasts is not Lasts.BLOCK and current_lasting.get() is not None)
            key = key_of(text, parameters) if is_kept else None
            known = None if key is None else find_answer(key, prepared.lasts)
            if known is not None:
                return Rows.in_memory(known.rows, plan.maker(known.description))
        elif self._transaction is None:
            self._autobegin()
        refuses_long = plan.long_places and not writes and left_characters.get() is not None
        if refuses_long:
            text = plan.with_marks(text)
        driver: Any = (self._dbapi_connection or self.connection).dbapi_connection
        begun = 0.0  # it was sent before, with others
        try:
            cursor: Any = self._sent.pop(key_of(text, parameters), None) if self._sent else None
            if cursor is None:
                begun = begin_statement()
                cursor = driver.execute(text, parameters)
                seconds = monotonic() - begun
                tally = own_tallies.writes if writes else own_tallies.reads
                tally[0] += 1
                tally[1] += seconds
                times = noted_in.get()
                if times is not None:
                    times.add("statement", text, seconds)
            if writes:
                return _written(plan, cursor)
        except self.dialect.loaded_dbapi.Error as error:
            spent = monotonic() - begun if begun else 0.0
            tallies.add(tallies.STATEMENT, "write" if writes else "read", spent, tallies.FAILED)
            self._fail(text, error, parameters)
        maker = plan.known_maker or plan.maker(cursor.description)
        rows = Rows(cursor, maker.row, maker.first, self._fail, plan.text)
        if refuses_long:
            with closing(cursor):
                return Rows.in_memory(fetch_short(rows.fetch, plan.long_places), maker)
        return rows if key is None else _remembered(key, rows, cursor, maker, prepared.lasts)

    @contextmanager
    def sent_together(self, queries: Sequence[Query]) -> Iterator[None]:
        """Send queries in one go; those that `execute` is given in this block are answered already."""
        before = self._sent
        self._sent = self._send(queries)
        try:
            yield
        finally:
            self._sent = before

    # Any: cursors of the driver.
    def _send(self, queries: Sequence[Query]) -> dict[Key | None, Any]:
        unasked: list[tuple[Key, str, Any]] = []
        for statement, values in queries:
            known = self._find(statement, values)
            if known is not None and known[2] is None:
                unasked.append(known[0])
        if len(unasked) < 2:
            return {}
        driver: Any = (self._dbapi_connection or self.connection).dbapi_connection
        sent: dict[Key | None, Any] = {}
        text, begun = "", monotonic()
        try:
            with driver.pipeline():
                for key, text, parameters in unasked:
                    begin_statement()
                    sent[key] = driver.execute(text, parameters)
        except self.dialect.loaded_dbapi.Error as error:
            tallies.add(tallies.STATEMENT, "read", monotonic() - begun, tallies.FAILED)
            self._fail(text, error)
        seconds = monotonic() - begun
        own_tallies.reads[0] += len(unasked)
        own_tallies.reads[1] += seconds
        times = noted_in.get()
        if times is not None:
            times.add("statement", "; ".join(text for _, text, _ in unasked), seconds)
        return sent

    def read_together(self, queries: Sequence[Query]) -> None:
        """Ask queries that give one value each in one statement; a block that remembers has their answers then."""
        unasked: dict[Key, tuple[str, Any, Lasts]] = {}
        for statement, values in queries:
            known = self._find(statement, values)
            if known is not None and known[2] is None:
                (key, text, parameters), lasts, _ = known
                unasked[key] = text, parameters, lasts
        if len(unasked) < 2:
            return
        text, parameters = joined([(part, given) for part, given, _ in unasked.values()])
        driver: Any = (self._dbapi_connection or self.connection).dbapi_connection
        begun = begin_statement()
        try:
            with closing(driver.execute(text, parameters)) as cursor:
                row, columns = cursor.fetchone(), cursor.description
        except self.dialect.loaded_dbapi.Error as error:
            tallies.add(tallies.STATEMENT, "read", monotonic() - begun, tallies.FAILED)
            self._fail(text, error, parameters)
        seconds = monotonic() - begun
        own_tallies.reads[0] += 1
        own_tallies.reads[1] += seconds
        times = noted_in.get()
        if times is not None:
            times.add("statement", text, seconds)
        for place, (key, (_, _, lasts)) in enumerate(unasked.items()):
            keep_answer(key, Answer(columns[place : place + 1], [(row[place],)]), lasts)

    # Any: what the driver is given.
    def _find(
        self, statement: Executable, values: Mapping[str, object]
    ) -> tuple[tuple[Key, str, Any], Lasts, Answer | None] | None:
        """A query as `execute` runs it, with its answer if that is remembered."""
        bound = self._bound(statement, values)
        key = key_of(*bound) if bound else None
        if bound is None or key is None or not isinstance(statement, QUERIES):
            return None
        prepared = self.plans.prepare(statement, self.dialect)
        lasts = Lasts.BLOCK if prepared is None else prepared.lasts
        return (key, *bound), lasts, find_answer(key, lasts)

    # Any: what the driver is given.
    def _bound(self, statement: Executable, values: Mapping[str, object]) -> tuple[str, Any] | None:
        """A query as `execute` runs it; None where only the library knows how."""
        try:
            prepared = self.plans.prepare(statement, self.dialect) if isinstance(statement, QUERIES) else None
        except InvalidRequestError:  # `execute` will say so
            return None
        bound = None if prepared is None else prepared.bind(values)
        if prepared is None or bound is None:
            return None
        refuses_long = prepared.plan.long_places and refuses_long_texts()
        return (prepared.plan.with_marks(bound[0]), bound[1]) if refuses_long else bound

    # Any: what the driver was given.
    def _fail(self, text: str, error: Exception, parameters: Any = None) -> None:
        """Raise the library's form of a fault of the driver."""
        if isinstance(error, self.dialect.loaded_dbapi.Error):
            self._handle_dbapi_exception(error, text, parameters, None, None)

    def sorts_texts(self, statement: Executable, values: Mapping[str, object]) -> bool:
        """The database holds texts of these rows to sort them; asked once for each shape of a statement."""
        if self.dialect.name != "sqlite" or not isinstance(statement, QUERIES):
            return False
        prepared = self.plans.prepare(statement, self.dialect)
        if prepared is None or not prepared.plan.long_places:
            return False
        plan = prepared.plan
        if plan.sorts is None:
            bound = prepared.bind(values)
            if bound is None:
                return False
            with closing(self.connection.cursor()) as cursor:
                cursor.execute(f"EXPLAIN QUERY PLAN {bound[0]}", bound[1])
                plan.sorts = any("TEMP B-TREE" in step[3] for step in cursor.fetchall())
        return plan.sorts

    def text_of(self, statement: Executable, values: Mapping[str, object]) -> Key | None:
        """The text and the values of a query as the driver gets them; None where only the library knows them."""
        bound = self._bound(statement, values)
        return None if bound is None else key_of(*bound)


def sent_together(conn: Connection, *queries: Query) -> AbstractContextManager[None]:
    """Queries that this block executes are sent in one go where each would wait for a server: on PostgreSQL."""
    if isinstance(conn, PlannedConnection) and conn.is_autocommit and conn.dialect.name == "postgresql":
        return conn.sent_together(queries)
    return nullcontext()


def read_together(conn: Connection, *queries: Query) -> None:
    """Queries that give one value each are asked in one statement, where a block remembers what they gave."""
    if isinstance(conn, PlannedConnection) and conn.is_autocommit and is_remembering():
        conn.read_together(queries)


def text_of(conn: Connection, statement: Executable, values: Mapping[str, object]) -> Key | None:
    """What names a query with its values."""
    return conn.text_of(statement, values) if isinstance(conn, PlannedConnection) else None


def sorts_texts(conn: Connection, statement: Executable, values: Mapping[str, object]) -> bool:
    """Whether the database has to hold long texts while it sorts the rows of a statement."""
    return isinstance(conn, PlannedConnection) and conn.sorts_texts(statement, values)


def _written(plan: Plan, cursor: DBAPICursor) -> Written:
    """What a write returns, fetched at once: on SQLite it is not over before."""
    rows = cursor.fetchall() if cursor.description else []
    make = plan.maker(cursor.description).row if cursor.description else tuple
    number = cursor.rowcount
    cursor.close()
    return Written(Buffered(rows), make, rowcount=number)


def _remembered(key: Key, rows: Rows, cursor: DBAPICursor, maker: Maker, lasts: Lasts) -> Rows:
    """The rows, kept for the next who asks unless there are many."""
    fetched = rows.fetch(MOST_ROWS + 1)
    if len(fetched) > MOST_ROWS:
        return rows.behind(fetched)
    keep_answer(key, Answer(cursor.description, fetched), lasts)
    cursor.close()
    return Rows.in_memory(fetched, maker)


def use_plans(engine: Engine, *, is_autocommit: bool) -> None:
    """Let the connections of this engine run queries by plans."""
    values = {"plans": plans_for(engine.dialect), "is_autocommit": is_autocommit}
    engine._connection_cls = type("EngineConnection", (PlannedConnection,), values)  # noqa: SLF001 - no public way
