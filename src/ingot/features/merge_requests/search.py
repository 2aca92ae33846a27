"""Searching titles and descriptions: every word must be found in one and the same field."""

import re
from typing import Any

from sqlalchemy import ColumnElement, and_, func, or_

from ingot.features.merge_requests.tables import merge_requests

_TERM = re.compile(r'(?:^|(?<=\s))"([^"]+)"(?=\s|$)|(\S+)')
FIELDS = {"title": merge_requests.c.title, "description": merge_requests.c.description}
LOOSE_ORDERS = ("created_at", "updated_at", "title")


def terms_of(text: str) -> list[str]:
    """Words, and phrases in double quotes."""
    return [phrase or word for phrase, word in _TERM.findall(" ".join(text.split()))]


def condition(text: str, fields: str, order_by: str) -> ColumnElement[bool] | None:
    """The search as a condition, or None where nothing is searched."""
    terms = terms_of(text)
    if not terms:
        return None
    columns: list[Any] = [FIELDS[name.strip()] for name in fields.split(",") if name.strip() in FIELDS]
    columns = columns or list(FIELDS.values())
    if order_by not in LOOSE_ORDERS:
        long = [term for term in terms if len(term) >= 3]
        if not long:
            return or_(*(func.lower(column) == text.strip().lower() for column in columns))
        terms = long
    return or_(*(and_(*(column.icontains(term, autoescape=True) for term in terms)) for column in columns))
