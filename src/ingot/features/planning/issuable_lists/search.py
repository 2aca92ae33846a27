"""Searching titles and descriptions: one field must contain every word."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Table, and_, or_

from ingot.kit.letter_case import contains
from ingot.kit.search_terms import split_terms

FIELDS = ("title", "description")


def terms_of(words: str) -> list[str]:
    """Words, and phrases in double quotes."""
    return [term.text for term in split_terms(words)]


def columns_of(table: Table, fields: str) -> list[ColumnElement[str]]:
    """The columns named by `in`; unknown names are ignored, and without any both are used."""
    names = [name.strip() for name in fields.split(",") if name.strip() in FIELDS]
    return [table.c[name] for name in names or FIELDS]


def contains_all(columns: Sequence[ColumnElement[str]], terms: Sequence[str]) -> ColumnElement[bool]:
    """One of the columns contains all of the terms."""
    return or_(*(and_(*(contains(column, term) for term in terms)) for column in columns))
