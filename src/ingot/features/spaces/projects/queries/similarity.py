"""Trigram similarity, the same on both databases: this function on SQLite, its twin in SQL on PostgreSQL."""

import sqlite3

from sqlalchemy import BindParameter, ColumnElement, Engine, Float, cast, event, func

from ingot.access.tables import projects
from ingot.kit.patterns import pattern

_WORD = pattern(r"[\p{L}\p{N}]+")
WEIGHTS = ((projects.c.path, 1.0), (projects.c.name, 0.7), (projects.c.description, 0.2))


def score(query: BindParameter[str]) -> ColumnElement[float]:
    """How well path, name and description match the query."""
    parts = [
        cast(func.ingot_similarity(func.coalesce(column, ""), query), Float) * weight for column, weight in WEIGHTS
    ]
    total: ColumnElement[float] = parts[0] + parts[1] + parts[2]
    return total


def trigrams(text: str) -> set[str]:
    """As PostgreSQL counts them: words lower-cased, two blanks before and one behind each."""
    result: set[str] = set()
    for word in _WORD.findall(text.lower()):
        padded = f"  {word} "
        result.update(padded[start : start + 3] for start in range(len(padded) - 2))
    return result


def similarity(left: str | None, right: str | None) -> float:
    """Shared trigrams over all trigrams."""
    one, other = trigrams(left or ""), trigrams(right or "")
    together = len(one | other)
    return len(one & other) / together if together else 0.0


@event.listens_for(Engine, "connect")
def _register_functions(raw: object, _record: object) -> None:
    if isinstance(raw, sqlite3.Connection):
        raw.create_function("ingot_similarity", 2, similarity, deterministic=True)
