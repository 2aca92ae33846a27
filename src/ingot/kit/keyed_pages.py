"""Places in long lists by the keys of their rows: what people page through has no end that numbers of pages reach.

A list can be read from such a place, in both directions and from its end, if its order ends in a unique id and nothing
in it can be absent, unless what is absent is ordered apart.
"""

import base64
import binascii
import zlib
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    BinaryExpression,
    Column,
    ColumnElement,
    Row,
    ScalarSelect,
    Select,
    UnaryExpression,
    and_,
    false,
    literal,
    or_,
)
from sqlalchemy.sql import operators
from sqlalchemy.sql.functions import Function
from sqlalchemy.types import TypeEngine

from ingot.kit.db import UtcDateTime

LABEL = "page_key_{}"
LARGEST = 2**63
TYPES = (int, bool, str, float, date, datetime)


class Place(msgspec.Struct, frozen=True):
    """Where in a list a visitor is: at its beginning, after or before a row, or at its end."""

    after: str = ""
    before: str = ""
    is_end: bool = False

    @property
    def is_beginning(self) -> bool:
        """Nothing was named."""
        return not (self.after or self.before or self.is_end)


class Key(NamedTuple):
    """What a list is ordered by, from left to right."""

    expression: ColumnElement[Any]
    descending: bool


Values = tuple[object, ...]


def keys_of(statement: Select[Any]) -> list[Key] | None:
    """The order of a statement; None where a row's place in it cannot be told by values."""
    if statement._distinct or statement._group_by_clauses:  # noqa: SLF001 - there is no public way to ask
        return None
    keys: list[Key] = []
    for clause in statement._order_by_clauses:  # noqa: SLF001 - as above
        key = _key(_bare(clause))
        if key is None or _type_of(_kind(key)) not in TYPES:
            return None
        if not (_is_absence(key.expression) or _is_present(key.expression, keys)):
            return None
        keys.append(key)
    is_unique = bool(keys) and getattr(keys[-1].expression, "primary_key", False)
    return keys if is_unique else None


def _key(clause: ColumnElement[Any]) -> Key | None:
    if isinstance(clause, UnaryExpression) and clause.modifier in (operators.desc_op, operators.asc_op):
        return Key(_bare(clause.element), clause.modifier is operators.desc_op)
    return None if isinstance(clause, UnaryExpression) or not isinstance(clause, ColumnElement) else Key(clause, False)


def _bare(clause: ColumnElement[Any]) -> ColumnElement[Any]:
    """Without what stands around it for the compiler only."""
    while getattr(clause, "__visit_name__", "") in ("label_reference", "grouping") and not isinstance(
        clause, ScalarSelect
    ):
        clause = clause.element
    return clause


def _is_absence(expression: ColumnElement[Any]) -> bool:
    """`x IS NULL`."""
    return isinstance(expression, BinaryExpression) and expression.operator is operators.is_


def _is_present(expression: ColumnElement[Any], before: Sequence[Key]) -> bool:
    inner = _lowered(expression)
    if isinstance(inner, Column) and not inner.nullable:
        return True
    last = before[-1].expression if before else None
    return isinstance(last, BinaryExpression) and _is_absence(last) and _bare(last.left).compare(expression)


def _lowered(expression: ColumnElement[Any]) -> ColumnElement[Any]:
    """What is in lower case there; else the expression itself."""
    if isinstance(expression, Function) and expression.name == "lower":
        inner: ColumnElement[Any] = next(iter(expression.clauses))
        return inner
    return expression


def _kind(key: Key) -> TypeEngine[Any]:
    return _lowered(key.expression).type


def with_keys(statement: Select[Any], keys: Sequence[Key]) -> Select[Any]:
    """The rows with the values that tell their places."""
    return statement.add_columns(*_labelled(keys))


def only_keys(statement: Select[Any], keys: Sequence[Key]) -> Select[Any]:
    """These values alone."""
    return statement.with_only_columns(*_labelled(keys), maintain_column_froms=True)


def _labelled(keys: Sequence[Key]) -> list[Any]:
    return [key.expression.label(LABEL.format(number)) for number, key in enumerate(keys)]


def values_of(row: Row[Any], keys: Sequence[Key]) -> Values:
    """The place of a row."""
    return tuple(getattr(row, LABEL.format(number)) for number in range(len(keys)))


def backwards(statement: Select[Any], keys: Sequence[Key]) -> tuple[Select[Any], list[Key]]:
    """The same rows from the last to the first."""
    turned = [Key(key.expression, not key.descending) for key in keys]
    order = [key.expression.desc() if key.descending else key.expression.asc() for key in turned]
    return statement.order_by(None).order_by(*order), turned


def beyond(keys: Sequence[Key], values: Values, *, with_row: bool = False) -> ColumnElement[bool]:
    """The rows that follow one, and it too if that is wanted."""
    further: list[ColumnElement[bool]] = []
    equal: list[ColumnElement[bool]] = []
    for number, (key, value) in enumerate(zip(keys, values, strict=True)):
        if value is None:  # these come last, and are told apart by the keys that follow
            equal.append(key.expression.is_(None))
            continue
        bound = literal(value, _kind(key))
        is_whole = with_row and number == len(keys) - 1
        further.append(and_(*equal, _follows(key, bound, or_equal=is_whole)))
        equal.append(key.expression == bound)
    first = keys[0]
    if values[0] is None:
        return or_(false(), *further)
    # Said again for the sake of an index.
    return and_(_follows(first, literal(values[0], _kind(first)), or_equal=True), or_(*further))


def _follows(key: Key, bound: ColumnElement[Any], *, or_equal: bool) -> ColumnElement[bool]:
    expression = key.expression
    if key.descending:
        return expression <= bound if or_equal else expression < bound
    return expression >= bound if or_equal else expression > bound


def encode(keys: Sequence[Key], values: Values) -> str:
    """A place for an address."""
    return base64.urlsafe_b64encode(msgspec.json.encode([_order(keys), [_text(value) for value in values]])).decode()


def decode(keys: Sequence[Key], text: str) -> Values | None:
    """The place that an address names; None for one of another order, or none at all."""
    try:
        order, texts = msgspec.json.decode(base64.urlsafe_b64decode(text.encode()), type=tuple[int, list[str | None]])
        if order != _order(keys) or len(texts) != len(keys):
            return None
        return tuple(_value(_kind(key), one) for key, one in zip(keys, texts, strict=True))
    except (ValueError, binascii.Error, msgspec.MsgspecError):
        return None


def _order(keys: Sequence[Key]) -> int:
    return zlib.crc32("|".join(f"{key.expression} {key.descending}" for key in keys).encode())


def _text(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return str(int(value))
    return value.isoformat() if isinstance(value, date) else str(value)


def _type_of(kind: TypeEngine[Any]) -> type[Any]:
    if isinstance(kind, UtcDateTime):
        return datetime
    try:
        return kind.python_type
    except NotImplementedError:
        return object


def _value(kind: TypeEngine[Any], text: str | None) -> Any:
    if text is None:
        return None
    wanted = _type_of(kind)
    if wanted in (int, bool):
        number = int(text)
        if abs(number) >= LARGEST:
            raise ValueError(text)
        return wanted(number)
    if wanted is datetime:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise ValueError(text)
        return moment
    if "\0" in text:
        raise ValueError(text)
    return date.fromisoformat(text) if wanted is date else float(text) if wanted is float else text
