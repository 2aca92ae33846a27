"""Case-insensitive texts, the same on both databases: SQLite's own `lower` knows ASCII only."""

import sqlite3
from typing import Any

from sqlalchemy import ColumnElement, Engine, String, event, func
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
    return func.lower(column) if text.isascii() else _LoweredLetters(column)


def contains(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    """The column contains the text."""
    return lowered(column, text).contains(text.lower(), autoescape=True)
