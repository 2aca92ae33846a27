"""Searching titles and descriptions: one field must contain every word."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, literal_column, or_, select, table, text

from ingot.features.planning.issuable_lists import columns_of, contains_all, terms_of
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.kit.letter_case import lowered

LOOSE_ORDERS = ("created_at", "updated_at", "title")
INDEXED_LENGTH = 3
# Beyond this many hits a scan in the requested order reaches a full page sooner than sorting all hits.
SELECTIVE = 2000


def condition(conn: Connection, words: str, fields: str, order_by: str) -> ColumnElement[bool] | None:
    """The search as a condition, or None where nothing is searched."""
    terms = terms_of(words)
    if not terms:
        return None
    columns = columns_of(merge_requests, fields)
    if order_by not in LOOSE_ORDERS:
        long = [term for term in terms if len(term) >= INDEXED_LENGTH]
        if not long:
            return or_(*(lowered(column, words) == words.strip().lower() for column in columns))
        terms = long
    result = contains_all(columns, terms)
    few = _few(conn, terms) if conn.dialect.name == "sqlite" else None
    return result if few is None else and_(merge_requests.c.id.in_(few), result)


def _few(conn: Connection, terms: list[str]) -> list[int] | None:
    """The requests that the index finds, unless they are so many that a scan in order is better."""
    query = " AND ".join('"' + term.replace('"', '""') + '"' for term in terms if len(term) >= INDEXED_LENGTH)
    if not query:
        return None
    statement: Any = (
        select(literal_column("rowid"))
        .select_from(table("merge_request_search"))
        .where(text("merge_request_search MATCH :words").bindparams(words=query))
        .limit(SELECTIVE + 1)
    )
    ids = list(conn.execute(statement).scalars())
    return None if len(ids) > SELECTIVE else ids
