"""Options of a list, taken apart: the form of its statement, which is built once, and the values that are bound.

    form = form_of(options, CONVERSIONS, IGNORED)
    rows = shapes.get(form.key, lambda: build(options_of(form.key)))
    conn.execute(rows, form.values)

`options_of` gives options that read like the caller's, with a parameter in place of each value: a filter is written as
ever, and nothing that a caller sent can become part of a statement that others run. Part of the form are the names of
what was sent, switches, words that are documented (`one_of`, `None`, `Any`), and how many values a list has.
"""

from collections.abc import Callable, Collection, Mapping
from enum import Enum
from typing import Any, NamedTuple

from sqlalchemy import BindParameter

from ingot.kit.params import Field, Params, Sentinel
from ingot.kit.statements import WrittenOut

# Statements with a condition for each value of a longer list are built at each call.
MOST_VALUES = 8

Convert = Callable[..., object]  # takes what a caller sent; gives it as statements take it


class Word(str):
    """A text that stands for a condition of its own: part of the form."""

    __slots__ = ()


class AnyOf(list[Any]):
    """Values of which one has to fit: bound together, whatever their number."""


class Given(BindParameter[Any]):
    """A value that differs from call to call. It was sent, so it is true."""

    inherit_cache = True

    def __bool__(self) -> bool:
        return True


class GivenList(WrittenOut):
    """A list of which the same is true."""

    inherit_cache = True

    def __bool__(self) -> bool:
        return True


class _Bound(Enum):
    """How an option with a value is bound."""

    ONE = 0
    ANY = 1  # as a list


class _Each(NamedTuple):
    """Values of which each has a condition of its own."""

    number: int


class FormKey(NamedTuple):
    """What a statement depends on."""

    kind: type[Params]
    marks: frozenset[tuple[str, object]]
    is_common: bool  # a statement of this form is worth keeping


class Form(NamedTuple):
    """The options of one call."""

    key: FormKey
    values: dict[str, object]


def form_of(options: Params, convert: Mapping[str, Convert] | None = None, ignored: Collection[str] = ()) -> Form:
    """Take options apart. Names of a nested set are written behind its own: `not_author_id`."""
    values: dict[str, object] = {}
    return Form(_key_of(options, convert or {}, ignored, "", values), values)


def _key_of(
    options: Params, convert: Mapping[str, Convert], ignored: Collection[str], prefix: str, values: dict[str, object]
) -> FormKey:
    marks: list[tuple[str, object]] = []
    is_common = True
    fields = type(options).fields
    for name in options.sent:
        full = prefix + name
        if full in ignored:
            continue
        value = getattr(options, name)
        if value is not None and full in convert:
            value = convert[full](value)
        mark: object
        if isinstance(value, Params):
            mark = _key_of(value, convert, ignored, _prefix(full), values)
            is_common = is_common and mark.is_common
        elif isinstance(value, AnyOf):
            mark = _Bound.ANY if value else None
            values[full] = value
        elif isinstance(value, list):
            mark = _Each(len(value))
            is_common = is_common and len(value) <= MOST_VALUES
            values |= {f"{full}_{place}": part for place, part in enumerate(value)}
        elif _is_part(value, fields[name]):
            mark = value
        else:
            mark = _Bound.ONE
            values[full] = value
        marks.append((name, mark))
    return FormKey(type(options), frozenset(marks), is_common)


def _prefix(name: str) -> str:
    return f"{name.rstrip('_')}_"


def _is_part(value: object, field: Field) -> bool:
    return value is None or value == "" or isinstance(value, bool | Sentinel | Word) or field.one_of is not None


def options_of(key: FormKey) -> Any:
    """Options of this form, with parameters in place of values."""
    return _options_of(key, "")


def _options_of(key: FormKey, prefix: str) -> Params:
    options = key.kind.unsent()
    for name, mark in key.marks:
        full = prefix + name
        value: object = mark
        match mark:
            case FormKey():
                value = _options_of(mark, _prefix(full))
            case _Bound.ONE:
                value = Given(full)
            case _Bound.ANY:
                value = GivenList(full, expanding=True)
            case _Each():
                value = [Given(f"{full}_{place}") for place in range(mark.number)]
            case None if key.kind.fields[name].kind == "list":
                value = []
        setattr(options, name, value)
    options.sent = frozenset(name for name, _ in key.marks)
    return options
