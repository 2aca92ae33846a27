"""Lists of values: as one bound value where that is possible."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

import msgspec
from sqlalchemy import ARRAY, BigInteger, BindParameter, Enum, Integer, String, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import OPERATORS, SQLCompiler
from sqlalchemy.sql.elements import BinaryExpression
from sqlalchemy.sql.operators import OperatorType, in_op
from sqlalchemy.types import TypeEngine

json_text = msgspec.json.Encoder().encode


def compiler_of(dialect: Dialect) -> type[SQLCompiler]:
    """The dialect's compiler, with lists as one value."""
    kind = _JsonLists if dialect.name == "sqlite" else _ArrayLists
    return type("OneValueLists", (kind, dialect.statement_compiler), {})


def json_list(values: Iterable[int | str]) -> str:
    """The list as SQLite's `json_each` reads it."""
    return json_text(values if isinstance(values, list) else list(values)).decode()


def is_plain(parameter: object) -> TypeGuard[BindParameter[Any]]:
    """A list of numbers or texts."""
    return (
        isinstance(parameter, BindParameter)
        and bool(parameter.expanding)
        and isinstance(parameter.type, Integer | String)
        and not isinstance(parameter.type, Enum)
        and not parameter.literal_execute
    )


class OneValue(BindParameter[Any]):
    """A list that is bound as one value."""

    inherit_cache = True


class WrittenOut(BindParameter[Any]):
    """A list that is given at each call, and that SQLite still gets value by value: its planner goes by their number.

    With `json_each` it assumes 25, and reads a project from its newest issue on rather than the one that is named.
    """

    inherit_cache = True


def _as_one(listed: BindParameter[Any], kind: TypeEngine[Any]) -> OneValue:
    return OneValue(listed.key, listed.value, type_=kind, required=listed.required)


class _Lists(SQLCompiler):
    """Asks for the text of a list that is bound as one value; an empty text leaves it to the library."""

    def visit_in_op_binary(self, binary: BinaryExpression[Any], operator: OperatorType, **options: object) -> str:
        """`column IN (…)`."""
        return self._with_list(binary, operator, options)

    def visit_not_in_op_binary(self, binary: BinaryExpression[Any], operator: OperatorType, **options: object) -> str:
        """`column NOT IN (…)`, in brackets as the library puts it."""
        return f"({self._with_list(binary, operator, options)})"

    # Any: options of the library, which are handed on.
    def _with_list(self, binary: BinaryExpression[Any], operator: OperatorType, options: dict[str, Any]) -> str:
        condition = ""
        if is_plain(binary.right):
            condition = self._one_value(binary.right, is_in=operator is in_op, options=options)
        if condition:
            return f"{self.process(binary.left, **options)} {condition}"
        text: str = self._generate_generic_binary(binary, OPERATORS[operator], **options)
        return text

    def _one_value(self, listed: BindParameter[Any], *, is_in: bool, options: Mapping[str, object]) -> str:  # noqa: ARG002
        """The text that follows the column; a database without such a form leaves lists to the library."""
        return ""


class _JsonLists(_Lists):
    """On SQLite: `IN (SELECT value FROM json_each(?))`, for lists that the statement names.

    Lists that are part of the statement are few and short (states, levels), and the planner does better knowing them.
    """

    def _one_value(self, listed: BindParameter[Any], *, is_in: bool, options: Mapping[str, object]) -> str:
        if listed.unique or isinstance(listed, WrittenOut):
            return ""
        value = self.process(_as_one(listed, String()), **options)
        return f"{'IN' if is_in else 'NOT IN'} (SELECT value FROM json_each({value}))"  # noqa: S608 - compiled parts


class _ArrayLists(_Lists):
    """On PostgreSQL: `= ANY (…)`, for every list; it plans both forms alike."""

    def _one_value(self, listed: BindParameter[Any], *, is_in: bool, options: Mapping[str, object]) -> str:
        kind = BigInteger() if isinstance(listed.type, Integer) else Text()
        value = self.process(_as_one(listed, ARRAY(kind)), **options)
        return f"{'= ANY' if is_in else '!= ALL'} ({value})"
