"""Parameters of an endpoint, declared once: types, defaults, allowed values, sets, and their error texts.

    class ListFilters(Params):
        state: str = Param("Only requests in this state.", default="all", one_of=("opened", "closed", "all"))
        author_id: int | None = Param("Author's user id.")
        iids: list[int] = Param("Only these.", comma=True)
        exclusive = (("author_id", "author_username"),)

The annotation is the type. Without `default` or `required=True`, a parameter that was not sent is None (lists: []).
`params.sent` holds the names that the caller sent, so that an update can tell "absent" from "empty".
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from inspect import get_annotations
from types import NoneType, UnionType
from typing import Any, ClassVar, NamedTuple, Self, TypedDict, Union, Unpack, final, get_args, get_origin

import msgspec

from ingot.kit import coercion
from ingot.kit.coercion import Unfit
from ingot.kit.errors import ParamError
from ingot.kit.patterns import Pattern, pattern
from ingot.kit.request_limits import search_problem
from ingot.kit.spool import Spool


class Sentinel(str):
    """The words `None` and `Any` where a parameter documents them (case-insensitive on the wire)."""

    __slots__ = ()


NONE = Sentinel("None")
ANY = Sentinel("Any")


class UploadedFile(msgspec.Struct):
    """A file part of a multipart body, on disk once it is larger than a megabyte."""

    filename: str
    content_type: str
    file: Any
    size: int


MAX_INDEX = 9  # digits of an index in `v[0][k]`


class Field(msgspec.Struct):
    """One declared parameter."""

    doc: str
    default: Any = None
    required: bool = False
    one_of: Sequence[Any] | None = None
    none_of: Sequence[Any] | None = None
    blank: bool = True
    comma: bool = False
    words: bool = False  # accepts None and Any
    max_length: int | None = None
    pattern: str | None = None
    check: Callable[[Any], str | None] | None = None
    wire: str = ""  # the name on the wire where Python's differs (`in`)
    aliases: tuple[str, ...] = ()
    nested: "type[Params] | None" = None
    spooled: bool = False  # a text of more than a megabyte comes as a `Spool`
    name: str = ""
    kind: str = "string"
    item: str = ""
    in_path: bool = False


class FieldOptions(TypedDict, total=False):
    """What a declaration may say about its parameter; see `Field`."""

    default: object
    required: bool
    one_of: Sequence[object] | None
    none_of: Sequence[object] | None
    blank: bool
    comma: bool
    words: bool
    max_length: int | None
    pattern: str | None
    check: Callable[[Any], str | None] | None
    wire: str
    aliases: tuple[str, ...]
    spooled: bool


def Param(doc: str, **options: Unpack[FieldOptions]) -> Any:  # noqa: N802 - reads as the declaration it is
    """Declare a parameter; see `Field` for the options."""
    return Field(doc, **options)


_KINDS: dict[Any, str] = {
    int: "integer", float: "float", str: "string", bool: "boolean", datetime: "datetime", date: "date",
    dict: "hash", UploadedFile: "file", Any: "any",
}  # fmt: skip

_COERCE: dict[str, Callable[[Any], Any]] = {
    "integer": coercion.to_integer, "float": coercion.to_float, "string": coercion.to_string,
    "boolean": coercion.to_boolean, "datetime": coercion.to_datetime, "date": coercion.to_date,
    "hash": coercion.to_hash, "any": lambda value: value,
}  # fmt: skip


def _own_fields(params: type) -> Iterator[tuple[str, Field]]:
    return ((name, value) for name, value in vars(params).items() if isinstance(value, Field))


# What was read of values that came before, by the parameter set and the values.
_parsed: dict[tuple[object, ...], dict[str, object]] = {}
MOST_PARSED = 1000
LONGEST_PARSED = 100  # characters of a value


class Params:
    """Base of parameter sets; sets are combined by inheritance."""

    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = ()
    at_least_one: ClassVar[tuple[str, ...]] = ()
    exactly_one: ClassVar[tuple[str, ...]] = ()
    all_or_none: ClassVar[tuple[tuple[str, ...], ...]] = ()
    fields: ClassVar[dict[str, Field]] = {}
    spooled: ClassVar[frozenset[str]] = frozenset()  # names on the wire, at any depth
    sent: frozenset[str]

    def __init_subclass__(cls) -> None:
        # Only its own: reading the types of inherited fields again for every set takes a tenth of the start-up time.
        hints = get_annotations(cls, eval_str=True)
        for name, field in _own_fields(cls):
            _set_type(field, name, hints[name])
        cls.fields = {name: field for base in reversed(cls.__mro__) for name, field in _own_fields(base)}
        below = (field.nested.spooled for field in cls.fields.values() if field.nested)
        cls.spooled = frozenset(field.wire for field in cls.fields.values() if field.spooled).union(*below)

    @classmethod
    def parse(cls, values: Mapping[str, object], prefix: str = "") -> Self:
        """Read raw wire values; raises one `ParamError` naming every problem in declaration order."""
        problems: list[str] = []
        instance = cls.unsent()
        names = _names(cls)
        given = {name for wire in values if wire in names.wire for name in names.wire[wire]}
        sent: set[str] = set()
        # Of fifty parameters a request gives three.
        for name in sorted(given | names.required, key=names.order.__getitem__):
            field = cls.fields[name]
            if name not in given:
                problems.extend(_missing(field, f"{prefix}[{field.wire}]" if prefix else field.wire))
                continue
            raw = next(values[wire] for wire in (field.wire, *field.aliases) if wire in values)
            label = f"{prefix}[{field.wire}]" if prefix else field.wire
            sent.add(name)
            value, value_problems = _read(field, raw, label)
            problems.extend(value_problems)
            setattr(instance, name, _default(field) if value is None and field.default is not None else value)
        instance.sent = frozenset(sent)
        problems.extend(cls._set_problems(sent, prefix))
        if problems:
            raise ParamError(", ".join(problems))
        return instance

    @classmethod
    def unsent(cls) -> Self:
        """The set as it is where nothing was sent."""
        names = _names(cls)
        instance = cls()
        vars(instance).update(names.defaults)
        for name in names.lists:
            setattr(instance, name, [])
        instance.sent = frozenset()
        return instance

    @classmethod
    def parse_again(cls, values: Mapping[str, object]) -> Self:
        """As `parse`, for reads: most repeat the short values of others, of which the result is known."""
        names = _names(cls)
        # Nothing else is kept: it may be a token.
        given = [pair for pair in values.items() if pair[0] in names.wire] if values else []
        key = (cls, *given)
        is_short = not given or all(type(value) is str and len(value) <= LONGEST_PARSED for _, value in given)
        known = _parsed.get(key) if is_short else None
        if known is None:
            instance = cls.parse(values)
            if is_short and names.plain.issuperset(instance.sent):
                if len(_parsed) >= MOST_PARSED:
                    _parsed.clear()
                _parsed[key] = dict(vars(instance))
            return instance
        instance = cls()
        vars(instance).update(known)
        for name in names.lists:
            setattr(instance, name, [])
        return instance

    @classmethod
    def _set_problems(cls, sent: set[str], prefix: str) -> list[str]:
        if not (cls.exclusive or cls.at_least_one or cls.exactly_one or cls.all_or_none):
            return []
        wire = {name: f"{prefix}[{field.wire}]" if prefix else field.wire for name, field in cls.fields.items()}
        result = []
        for names in cls.exclusive:
            both = [wire[name] for name in names if name in sent]
            if len(both) > 1:
                result.append(f"{', '.join(both)} are mutually exclusive")
        if cls.at_least_one and not sent.intersection(cls.at_least_one):
            # A name without a field is documented and has no effect: old clients know it, and it changes nothing.
            listed = ", ".join(wire.get(name, name) for name in cls.at_least_one)
            result.append(f"{listed} are missing, at least one parameter must be provided")
        if cls.exactly_one:
            given = [wire[name] for name in cls.exactly_one if name in sent]
            if not given:
                listed = ", ".join(wire[name] for name in cls.exactly_one)
                result.append(f"{listed} are missing, exactly one parameter must be provided")
            elif len(given) > 1:
                result.append(f"{', '.join(given)} are mutually exclusive")
        for names in cls.all_or_none:
            given = [name for name in names if name in sent]
            if given and len(given) < len(names):
                result.append(f"{', '.join(wire[name] for name in names)} provide all or none of parameters")
        return result

    def given(self) -> dict[str, Any]:
        """Only what the caller sent, by Python name."""
        return {name: getattr(self, name) for name in type(self).fields if name in self.sent}


@final
class NoParams(Params):
    """An endpoint without parameters of its own."""

    @classmethod
    def parse_again(cls, values: Mapping[str, object]) -> "NoParams":  # noqa: ARG003 - as every set is asked
        """Nothing is read: all calls share one."""
        return _NOTHING


def _set_type(field: Field, name: str, hint: object) -> None:
    field.name = name
    field.wire = field.wire or name
    if field.wire == "search" and field.check is None:
        field.check = search_problem
    if get_origin(hint) in (Union, UnionType):
        options = [option for option in get_args(hint) if option not in (NoneType, Sentinel)]
        hint = options[0]
    origin = get_origin(hint)
    if origin is list:
        inner = get_args(hint)[0]
        field.kind = "list"
        if isinstance(inner, type) and issubclass(inner, Params):
            field.nested, field.item = inner, "hash"
        else:
            field.item = _KINDS.get(get_origin(inner) or inner, "any")
    elif isinstance(hint, type) and issubclass(hint, Params):
        field.nested, field.kind = hint, "hash"
    else:
        field.kind = _KINDS[origin or hint]


class _Names(NamedTuple):
    """What is known of a parameter set before it is read."""

    wire: dict[str, list[str]]  # the fields by their names on the wire, aliases included
    order: dict[str, int]
    required: frozenset[str]
    defaults: dict[str, object]
    lists: list[str]  # whose default is a list of the set's own
    plain: frozenset[str]  # whose values follow from their texts alone, and never change


_known_names: dict[type[Params], _Names] = {}


def _names(params: type[Params]) -> _Names:
    result = _known_names.get(params)
    if result is None:
        result = _known_names[params] = _read_names(params)
    return result


def _read_names(params: type[Params]) -> _Names:
    wire: dict[str, list[str]] = {}
    for name, field in params.fields.items():
        for known in (field.wire, *field.aliases):
            wire.setdefault(known, []).append(name)
    defaults = {name: _default(field) for name, field in params.fields.items()}
    return _Names(
        wire,
        {name: place for place, name in enumerate(params.fields)},
        frozenset(name for name, field in params.fields.items() if field.required),
        defaults,
        [name for name, value in defaults.items() if value == [] and params.fields[name].default is None],
        frozenset(
            name
            for name, field in params.fields.items()
            if field.kind in ("integer", "string", "boolean") and field.nested is None and field.check is None
        ),
    )


def _default(field: Field) -> Any:
    if field.default is None and field.kind == "list":
        return []
    return field.default


def _missing(field: Field, label: str) -> list[str]:
    if not field.required:
        return []
    texts = [f"{label} is missing"]
    if not field.blank:
        texts.append(f"{label} is empty")
    if field.one_of is not None and field.default is None:
        texts.append(f"{label} does not have a valid value")
    return texts


def _read(field: Field, raw: object, label: str) -> tuple[Any, list[str]]:
    """The value and its problems, each with the parameter's label."""
    if field.words and isinstance(raw, str) and raw.lower() in ("none", "any"):
        return (NONE if raw.lower() == "none" else ANY), []
    try:
        value = _coerce(field, raw, label)
    except Unfit:
        if field.words and field.kind == "integer":
            return None, [f"{label} should be an integer, none, or any, however got {raw}"]
        if field.words and field.kind == "list":
            return None, [f"{label} should be an array, 'None' or 'Any'"]
        return None, [f"{label} is invalid"]
    except ParamError as error:
        return None, [error.text]  # of a nested set, with its own labels
    if field.words and field.kind == "list" and len(value) == 1 and str(value[0]).lower() in ("none", "any"):
        return (NONE if str(value[0]).lower() == "none" else ANY), []
    return value, [f"{label} {phrase}" for phrase in _value_problems(field, value, label)]


def _value_problems(field: Field, value: object, label: str) -> list[str]:
    if not field.blank and (value is None or value == [] or (isinstance(value, str) and not value.strip())):
        return ["is empty"]
    if value is None:
        if not field.required:
            return []
        if field.one_of is not None and field.default is None:
            return ["does not have a valid value"]
        return ["is missing" if field.kind == "file" else "is empty"]
    result = []
    parts = value if field.kind == "list" and isinstance(value, list) else [value]
    if field.one_of is not None and any(part not in field.one_of for part in parts):
        result.append("does not have a valid value")
    if field.none_of is not None and value in field.none_of:
        result.append("has a value not allowed")
    if field.max_length is not None and isinstance(value, str) and len(value) > field.max_length:
        # The name really appears twice on the wire.
        result.append(f"{label} must be less than {field.max_length} characters")
    if field.check is not None and (phrase := field.check(value)) is not None:
        result.append(phrase)
    return result


def _coerce(field: Field, raw: object, label: str) -> Any:
    if field.kind == "file":
        if isinstance(raw, UploadedFile):
            return raw
        if raw in ("", None):
            return None  # an empty text removes a file
        raise Unfit
    if field.kind == "list":
        return _coerce_list(field, raw, label)
    if isinstance(raw, UploadedFile):
        raise Unfit
    if field.nested is not None:
        result = coercion.to_hash(raw)
        return None if result is None else field.nested.parse(result, label)
    if field.kind == "any" or (field.spooled and isinstance(raw, Spool)):
        return raw
    value = _COERCE[field.kind](raw)
    if value is None and field.required and field.kind == "string":
        value = ""  # null counts as sent and blank: the handler decides what it means
    if isinstance(value, str) and field.pattern is not None and not _matches(field.pattern, value):
        raise Unfit
    return value


def _coerce_list(field: Field, raw: object, label: str) -> list[Any]:
    if isinstance(raw, dict) and all(len(key) <= MAX_INDEX and key.isdecimal() for key in raw):
        raw = [raw[key] for key in sorted(raw, key=int)]  # indexed form: v[0][k]=a
    if field.nested is not None:
        if not isinstance(raw, list) or not all(isinstance(part, dict) for part in raw):
            raise Unfit
        return [field.nested.parse(part, f"{label}[{index}]") for index, part in enumerate(raw)]
    item = _COERCE[field.item]
    if field.one_of is not None and isinstance(raw, dict):
        return [raw]  # `scope[hello]=pending` is none of the allowed values, whatever the list's form
    if field.comma:
        return coercion.to_comma_list(raw, item)
    return coercion.to_strict_list(raw, item)


def _matches(text: str, value: str) -> bool:
    return _compiled(text).fullmatch(value) is not None


@cache
def _compiled(text: str) -> Pattern:
    return pattern(text)


class Paging(Params):
    """Offset and keyset paging, shared by every list."""

    most_per_page: ClassVar[int] = 100

    page: int = Param("Page number.", default=1)
    per_page: int = Param("Records per page, at most 100.", default=20, none_of=(0,))
    pagination: str | None = Param("`keyset` where the list offers it.")


class CursorPaging(Paging):
    """Paging of lists whose keyset form continues by an opaque cursor."""

    cursor: str | None = Param("Where the next keyset page starts; taken from the `Link` header.")


def combined(number: type[Params], *bases: type[Params]) -> type[Params]:
    """Combine several parameter sets, in this order: the number in the path first."""
    name = "".join(base.__name__ for base in (number, *bases))
    return type(name, (number, *bases), {"__doc__": bases[0].__doc__ if bases else number.__doc__})


_NOTHING = NoParams.parse({})
