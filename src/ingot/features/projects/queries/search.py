"""Text search: every term must be found somewhere, as a substring, without regard to case.

Terms of three and more characters use the trigram index (FTS5 on SQLite, pg_trgm on PostgreSQL); shorter ones are
compared with the same lower-cased texts, so both databases give the same results.
"""

import re
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, literal_column, or_, select, table, text

from ingot.access.tables import projects

_PHRASE = re.compile(r'(?<!\S)"([^"]+)"(?!\S)')
INDEXED_LENGTH = 3
# Beyond this many hits a scan in the wanted order reaches a full page sooner than sorting all hits.
SELECTIVE = 2000


def terms_of(search: str | None) -> list[str]:
    """The words and quoted phrases of a query, lower-cased."""
    query = " ".join((search or "").split()).lower()
    phrases = [phrase.strip() for phrase in _PHRASE.findall(query)]
    words = _PHRASE.sub(" ", query).split()
    return [term for term in (*phrases, *words) if term]


def matching(conn: Connection, search: str | None, *, namespaces: bool) -> ColumnElement[bool] | None:
    """Condition on `projects`, or None where nothing is searched for."""
    terms = terms_of(search)
    if not terms:
        return None
    indexed = [term for term in terms if len(term) >= INDEXED_LENGTH]
    if conn.dialect.name == "sqlite" and indexed:
        found = _hits(indexed, namespaces=namespaces)
        if len(conn.execute(found.limit(SELECTIVE + 1)).all()) <= SELECTIVE:
            rest = [term for term in terms if len(term) < INDEXED_LENGTH]
            return and_(projects.c.id.in_(found), *(_contains(term, namespaces=namespaces) for term in rest))
    return and_(*(_contains(term, namespaces=namespaces) for term in terms))


def _hits(terms: list[str], *, namespaces: bool) -> Select[Any]:
    quoted = " AND ".join('"' + term.replace('"', '""') + '"' for term in terms)
    query = f"({quoted})" if namespaces else f"search_text : ({quoted})"
    return (
        select(literal_column("rowid").label("id"))
        .select_from(table("project_search"))
        .where(text("project_search MATCH :project_query").bindparams(project_query=query))
    )


def _contains(term: str, *, namespaces: bool) -> ColumnElement[bool]:
    here = projects.c.search_text.contains(term, autoescape=True)
    return or_(here, projects.c.full_path_lower.contains(term, autoescape=True)) if namespaces else here
