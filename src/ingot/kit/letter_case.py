"""Case-insensitive texts, the same on both databases: SQLite's own `lower` knows ASCII only."""

import sqlite3
from typing import Any

from sqlalchemy import ColumnElement, Engine, String, bindparam, event, func
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class _LoweredLetters(FunctionElement[str]):
    """`lower()` that knows the letters of every language."""

    inherit_cache = True
    name = "lowered_letters"
    type = String()


@compiles(_LoweredLetters)
def _as_lower(element: _LoweredLetters, compiler: SQLCompiler, **options: object) -> str:
    return f"lower({compiler.process(element.clauses, **options)})"


@compiles(_LoweredLetters, "sqlite")
def _compile_for_sqlite(element: _LoweredLetters, compiler: SQLCompiler, **options: object) -> str:
    return f"ingot_lower({compiler.process(element.clauses, **options)})"


@event.listens_for(Engine, "connect")
def _add_functions(raw: object, _record: object) -> None:
    if isinstance(raw, sqlite3.Connection):
        raw.create_function(
            "ingot_lower", 1, lambda text: None if text is None else str(text).lower(), deterministic=True
        )


def lowered(column: ColumnElement[Any], text: str) -> ColumnElement[str]:
    """The column in lower case, fit to be compared with `text.lower()`.

    Rows call into Python only where the text has letters that SQLite does not know.
    """
    return _lowered(column, is_ascii=text.isascii())


def _lowered(column: ColumnElement[Any], *, is_ascii: bool) -> ColumnElement[str]:
    return func.lower(column) if is_ascii else _LoweredLetters(column)


def contains(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    """The column contains the text."""
    return lowered(column, text).contains(text.lower(), autoescape=True)


def contains_given(column: ColumnElement[Any], name: str, *, is_ascii: bool) -> ColumnElement[bool]:
    """The column contains the text that is bound by this name, as `part_of_pattern` gives it."""
    return _lowered(column, is_ascii=is_ascii).contains(bindparam(name, type_=String), escape="/")


def equals_given(column: ColumnElement[Any], name: str, *, is_ascii: bool) -> ColumnElement[bool]:
    """The column is the text that is bound by this name, in lower case."""
    return _lowered(column, is_ascii=is_ascii) == bindparam(name, type_=String)


def part_of_pattern(text: str) -> str:
    """The text in lower case, as a part of a pattern in which `%` and `_` stand for themselves."""
    return text.lower().replace("/", "//").replace("%", "/%").replace("_", "/_")
