"""Searching titles and descriptions: one field must contain every word."""

from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, false, literal_column, or_, select, table, text

from ingot.features.planning.issuable_lists import (
    COMMON_WORDS,
    WordsForm,
    columns_of,
    contains_all,
    form_of_words,
    terms_of,
)
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.kit.letter_case import equals_given
from ingot.kit.statements import WrittenOut

LOOSE_ORDERS = ("created_at", "updated_at", "title")
INDEXED_LENGTH = 3
# Beyond this many hits a scan in the requested order reaches a full page sooner than sorting all hits.
SELECTIVE = 2000

_MATCHING: Any = (
    select(literal_column("rowid"))
    .select_from(table("merge_request_search"))
    .where(text("merge_request_search MATCH :index_query"))
    .limit(SELECTIVE + 1)
)


class SearchForm(NamedTuple):
    """What the condition depends on."""

    words: WordsForm
    is_whole: bool = False  # a field is compared with the only text as a whole
    hits: int | None = None  # of the index: 0, or so few that they are bound; None: it was not asked, or has too many

    @property
    def is_common(self) -> bool:
        """A statement with it is worth keeping."""
        return len(self.words) <= COMMON_WORDS


class Searched(NamedTuple):
    """The search of one call."""

    form: SearchForm
    values: dict[str, object]


def find(conn: Connection, words: str | None, order_by: str) -> Searched | None:
    """Ask the index; None where nothing is searched."""
    terms = terms_of(words or "")
    if not terms or words is None:
        return None
    if order_by not in LOOSE_ORDERS:
        long = [term for term in terms if len(term) >= INDEXED_LENGTH]
        if not long:
            return Searched(SearchForm((words.isascii(),), is_whole=True), {"words": words.strip().lower()})
        terms = long
    form, values = form_of_words(terms)
    few = _few(conn, terms) if conn.dialect.name == "sqlite" else None
    if few is None:
        return Searched(SearchForm(form), values)
    return Searched(SearchForm(form, hits=min(len(few), 1)), {**values, "found_ids": few})


def condition(form: SearchForm, fields: str) -> ColumnElement[bool]:
    """The search as a condition."""
    columns = columns_of(merge_requests, fields)
    if form.is_whole:
        return or_(*(equals_given(column, "words", is_ascii=form.words[0]) for column in columns))
    if form.hits == 0:
        return false()
    compared = contains_all(columns, form.words)
    return compared if form.hits is None else and_(merge_requests.c.id.in_(_FOUND), compared)


_FOUND = WrittenOut("found_ids", expanding=True)


def _few(conn: Connection, terms: list[str]) -> list[int] | None:
    """The requests that the index finds, unless they are so many that a scan in order is better."""
    query = " AND ".join('"' + term.replace('"', '""') + '"' for term in terms if len(term) >= INDEXED_LENGTH)
    if not query:
        return None
    ids = list(conn.execute(_MATCHING, {"index_query": query}).scalars())
    return None if len(ids) > SELECTIVE else ids
