"""Searching titles and descriptions: one field must contain every word."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Table, and_, or_

from ingot.features.planning.issuable_lists.options import FIELDS
from ingot.kit.letter_case import contains_given, part_of_pattern
from ingot.kit.search_terms import split_terms

# Of each of the words: it has letters of ASCII alone. The words are bound.
WordsForm = tuple[bool, ...]
# Statements that search more words are built at each call.
COMMON_WORDS = 4


def terms_of(words: str) -> list[str]:
    """Words, and phrases in double quotes."""
    return [term.text for term in split_terms(words)]


def columns_of(table: Table, fields: str) -> list[ColumnElement[str]]:
    """The columns named by `in`; unknown names are ignored, and without any both are used."""
    names = [name.strip() for name in fields.split(",") if name.strip() in FIELDS]
    return [table.c[name] for name in names or FIELDS]


def form_of_words(terms: Sequence[str]) -> tuple[WordsForm, dict[str, object]]:
    """What a condition on these words depends on, and its values."""
    values: dict[str, object] = {f"word_{place}": part_of_pattern(term) for place, term in enumerate(terms)}
    return tuple(term.isascii() for term in terms), values


def contains_all(columns: Sequence[ColumnElement[str]], form: WordsForm) -> ColumnElement[bool]:
    """One of the columns contains all of the words."""
    return or_(
        *(
            and_(*(contains_given(column, f"word_{place}", is_ascii=is_ascii) for place, is_ascii in enumerate(form)))
            for column in columns
        )
    )
