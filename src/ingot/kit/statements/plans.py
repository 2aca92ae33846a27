"""Plans: what is known of a statement once its shape was compiled."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from weakref import ref

from sqlalchemy import BindParameter, CompoundSelect, Select, Text, UpdateBase
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import InvalidRequestError
from sqlalchemy.sql.cache_key import CacheKey
from sqlalchemy.sql.compiler import SQLCompiler

from ingot.kit.patterns import pattern
from ingot.kit.statements.lists import OneValue, compiler_of, is_plain, json_list, json_text
from ingot.kit.statements.long_texts import mark_long_texts
from ingot.kit.statements.remembering import Lasts, duration_of
from ingot.kit.statements.rows import Maker, conversion, row_maker

Query = Select[Any] | CompoundSelect[Any]
Values = Mapping[str, Any]
MOST_SHAPES = 2_000
MOST_LENGTHS = 64

_LIST = pattern(r"__\[POSTCOMPILE_(\S+?)\]")


class Bind(NamedTuple):
    """One parameter of the text, in its order."""

    name: str  # in the text
    key: str  # in the values that the caller gives
    place: int  # among the parameters that the statement brings; -1: none of them
    default: BindParameter[Any]
    process: Callable[[Any], Any] | None
    is_list: bool  # written out to as many parameters as there are values


# Any: whatever the columns take.
Fill = Callable[[Values], list[Any] | dict[str, Any]]  # binds given values; a KeyError where one is missing


class Plan:
    """A shape: its text for one dialect, how values are bound and rows are read."""

    __slots__ = (
        "_binds", "_columns", "_dialect", "_frame", "_has_lists", "_names", "_texts", "_types", "known_maker",
        "long_places", "sorts", "text",
    )  # fmt: skip

    def __init__(self, dialect: Dialect, compiled: SQLCompiler, binds: list[Bind]) -> None:
        self.text = compiled.string
        self._dialect = dialect
        self._binds = binds
        self._has_lists = any(bind.is_list for bind in binds)
        self._columns = [column.keyname for column in compiled._result_columns]  # noqa: SLF001 - there is no public way
        self._types = [column.type for column in compiled._result_columns]  # noqa: SLF001
        self._names = compiled.positiontup is None
        self.known_maker: Maker | None = None  # once a row was read
        self._texts: dict[tuple[int, ...], str] = {}
        # Columns that may hold long texts; those of a limited length have another type.
        self.long_places = [place for place, kind in enumerate(self._types) if isinstance(kind, Text)]
        self.sorts: bool | None = None  # on SQLite, once it was asked: there is no index for the order
        self._frame: tuple[str, str] | None = None
        if self.long_places and dialect.name == "postgresql":
            self._frame = mark_long_texts(self._columns, self.long_places)

    def with_marks(self, text: str) -> str:
        """The text of this plan, such that the server does not send long texts."""
        return text if self._frame is None else f"{self._frame[0]}{text}{self._frame[1]}"

    def knows_all(self, given: Collection[str]) -> bool:
        """Every parameter is bound by the statement or given by the caller."""
        return all(bind.place >= 0 or bind.key in given for bind in self._binds)

    # Any: whatever the columns take.
    def bind(self, values: Values, bindings: Sequence[BindParameter[Any]]) -> tuple[str, Any] | None:
        """The text and its parameters; None where the library has to see to it: an empty list, or a missing value."""
        bound: list[Any] = []
        lengths: list[int] = []
        for bind in self._binds:
            if bind.key in values:
                value = values[bind.key]
            elif bind.default.required:
                return None
            else:
                value = (bindings[bind.place] if bind.place >= 0 else bind.default).effective_value
            process = bind.process
            if bind.is_list:
                value = list(value)
                if not value:
                    return None
                lengths.append(len(value))
                bound += value if process is None else map(process, value)
            else:
                bound.append(value if process is None else process(value))
        text = self._text_for(tuple(lengths)) if self._has_lists else self.text
        return text, self.parameters(bound)

    # Any: whatever the columns take.
    def parameters(self, bound: list[Any]) -> list[Any] | dict[str, Any]:
        """Bound values as the driver takes them."""
        return dict(zip((bind.name for bind in self._binds), bound, strict=True)) if self._names else bound

    def filler(self, bindings: Sequence[BindParameter[Any]]) -> tuple[str, Fill] | None:
        """The text of a statement that brings these, and how to bind it; None where a list that is given decides it."""
        # One expression for all parameters, as in `row_maker`.
        cells: list[str] = []
        lengths: list[int] = []
        known: dict[str, Any] = {"json_text": json_text}
        for place, bind in enumerate(self._binds):
            known[f"process_{place}"] = bind.process
            given = f"values[{bind.key!r}]"
            if bind.process is json_list:
                given = f"json_text({given} if type({given}) is list else list({given})).decode()"
            elif bind.process is not None:
                given = f"process_{place}({given})"
            if not bind.default.required:
                parameter = bindings[bind.place] if bind.place >= 0 else bind.default
                if parameter.callable is not None:
                    return None  # a value of its own at each call
                own = parameter.effective_value
                if bind.is_list:
                    if not parameter.unique or not own or self._names:
                        return None
                    lengths.append(len(own))
                    known[f"own_{place}"] = list(own if bind.process is None else map(bind.process, own))
                    cells.append(f"*own_{place}")
                    continue
                known[f"own_{place}"] = own if bind.process is None else bind.process(own)
                given = f"({given} if {bind.key!r} in values else own_{place})"
            elif bind.is_list:
                return None
            cells.append(f"{bind.name!r}: {given}" if self._names else given)
        listed = ", ".join(cells)
        fill: Fill = eval(f"lambda values: {{{listed}}}" if self._names else f"lambda values: [{listed}]", known)  # noqa: S307 - holds names of parameters only
        return self._text_for(tuple(lengths)) if lengths else self.text, fill

    def _text_for(self, lengths: tuple[int, ...]) -> str:
        text = self._texts.get(lengths)
        if text is None:
            if len(self._texts) >= MOST_LENGTHS:
                self._texts.clear()
            rest = iter(lengths)
            text = _LIST.sub(lambda _: ", ".join("?" * next(rest)), self.text)
            self._texts[lengths] = text
        return text

    def maker(self, description: Sequence[Sequence[object]]) -> Maker:
        """What turns fetched values into rows, given the driver's description of the columns."""
        if self.known_maker is None:
            if len(description) != len(self._columns):
                raise InvalidRequestError(f"{len(description)} columns came for {len(self._columns)}")
            processes = [
                conversion(kind, self._dialect, column[1])
                for kind, column in zip(self._types, description, strict=True)
            ]
            conversions = [(place, process) for place, process in enumerate(processes) if process is not None]
            self.known_maker = row_maker(self._columns, conversions)
        return self.known_maker


class Prepared:
    """A statement with its plan and the parameters that it brings."""

    __slots__ = ("_bindings", "_uses", "fill", "lasts", "plan")

    def __init__(self, plan: Plan, bindings: Sequence[BindParameter[Any]]) -> None:
        self.plan = plan
        self._bindings = bindings
        self.lasts = Lasts.BLOCK  # its answers (`remembering`)
        self.fill: tuple[str, Fill] | None = None  # the text and how to bind it, once it was run twice
        self._uses = 0

    # Any: whatever the columns take.
    def bind(self, values: Values) -> tuple[str, Any] | None:
        """As `Plan.bind`. A statement that is run again has its own values processed only once."""
        if self.fill is None:
            self._uses += 1
            if self._uses == 2:
                self.fill = self.plan.filler(self._bindings)
            return self.plan.bind(values, self._bindings)
        try:
            text, fill = self.fill
            return text, fill(values)
        except KeyError:
            return None


class Plans:
    """The plans of one dialect: by the statement itself where it is seen again, else by its shape."""

    def __init__(self, dialect: Dialect) -> None:
        self._compiler = compiler_of(dialect)
        self._shapes: dict[Any, Plan | None] = {}
        # By identity, to be compared with what the reference holds; a statement that ended is removed.
        self.known: dict[int, tuple[ref[Query], Prepared | None]] = {}
        self._writes: dict[Any, Plan | None] = {}
        # Queries that were built for a call and not met before. Tests watch it: building costs more than running.
        self.built_queries = 0

    def prepare(self, statement: Query, dialect: Dialect) -> Prepared | None:
        """The statement ready to run, or None where only the library can run it; the dialect is a live connection's."""
        number = id(statement)
        known = self.known.get(number)
        if known is not None and known[0]() is statement:
            return known[1]
        prepared = self._by_shape(statement, dialect)
        if prepared is not None:
            prepared.lasts = duration_of(statement)
        self.known[number] = ref(statement, lambda _: self.known.pop(number, None)), prepared
        return prepared

    def prepare_write(self, statement: UpdateBase, names: Iterable[str], dialect: Dialect) -> Prepared | None:
        """As `prepare`, for an insert, update or delete; the named parameters that are given decide its columns."""
        key = statement._generate_cache_key()  # noqa: SLF001 - what the library's own cache goes by
        if key is None or statement._execution_options:  # noqa: SLF001
            return None
        given = tuple(sorted(names))
        plan = self._writes.get((key.key, given), _UNKNOWN)
        if plan is _UNKNOWN:
            if len(self._writes) >= MOST_SHAPES:
                self._writes.clear()
            plan = self._writes[key.key, given] = self._compile_write(statement, key, given, dialect)
        return None if plan is None else Prepared(plan, key.bindparams)

    def _compile_write(
        self, statement: UpdateBase, key: CacheKey, given: tuple[str, ...], dialect: Dialect
    ) -> Plan | None:
        compiled = self._compiler(dialect, statement, cache_key=key, column_keys=list(given))
        if compiled.insert_prefetch or compiled.update_prefetch:
            return None  # values that the library would make up
        plan = self._plan(compiled, key, dialect)
        # A parameter that is neither bound nor given would keep the value of the first statement of this shape.
        return plan if plan is not None and plan.knows_all(given) else None

    def _by_shape(self, statement: Query, dialect: Dialect) -> Prepared | None:
        self.built_queries += 1
        key = statement._generate_cache_key()  # noqa: SLF001 - what the library's own cache goes by
        if key is None or statement._execution_options:  # noqa: SLF001
            return None
        plan = self._shapes.get(key.key, _UNKNOWN)
        if plan is _UNKNOWN:
            if len(self._shapes) >= MOST_SHAPES:
                self._shapes.clear()
            plan = self._shapes[key.key] = self._compile(statement, key, dialect)
        return None if plan is None else Prepared(plan, key.bindparams)

    def _compile(self, statement: Query, key: CacheKey, dialect: Dialect) -> Plan | None:
        return self._plan(self._compiler(dialect, statement, cache_key=key), key, dialect)

    def _plan(self, compiled: SQLCompiler, key: CacheKey, dialect: Dialect) -> Plan | None:
        if not compiled._ordered_columns or compiled._textual_ordered_columns or compiled.escaped_bind_names:  # noqa: SLF001
            return None
        if compiled.literal_execute_params or not all(map(is_plain, compiled.post_compile_params)):
            return None
        names = compiled.positiontup if compiled.positiontup is not None else list(compiled.binds)
        places = {parameter.key: place for place, parameter in enumerate(key.bindparams)}
        binds = [_bind(compiled, name, places) for name in names]
        if compiled.positiontup is not None and len(_LIST.findall(compiled.string)) != sum(b.is_list for b in binds):
            return None
        return Plan(dialect, compiled, binds)


def _bind(compiled: SQLCompiler, name: str, places: dict[str, int]) -> Bind:
    parameter = compiled.binds[name]
    process: Any = compiled._bind_processors.get(name)  # noqa: SLF001 - what the library's own execution uses
    if isinstance(parameter, OneValue):
        process = json_list if compiled.dialect.name == "sqlite" else list
    is_list = parameter in compiled.post_compile_params
    return Bind(name, parameter.key, places.get(parameter.key, -1), parameter, process, is_list)


_plans: dict[str, Plans] = {}


def plans_for(dialect: Dialect) -> Plans:
    """The plans that all connections of this process share."""
    return _plans.setdefault(dialect.name, Plans(dialect))


_UNKNOWN: Any = object()
