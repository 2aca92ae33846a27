"""Searching titles and descriptions: every word must be found in one and the same field."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Table, and_, or_

from ingot.kit.letter_case import contains
from ingot.kit.search_terms import split_terms

FIELDS = ("title", "description")


def terms_of(words: str) -> list[str]:
    """Words, and phrases in double quotes."""
    return [term.text for term in split_terms(words)]


def columns_of(table: Table, fields: str) -> list[Any]:
    """The columns that `in` names; unknown words are dropped, and where none is left both are meant."""
    names = [name.strip() for name in fields.split(",") if name.strip() in FIELDS]
    return [table.c[name] for name in names or FIELDS]


def contains_all(columns: Sequence[Any], terms: Sequence[str]) -> ColumnElement[bool]:
    """One of the columns contains all of the terms."""
    return or_(*(and_(*(contains(column, term) for term in terms)) for column in columns))
