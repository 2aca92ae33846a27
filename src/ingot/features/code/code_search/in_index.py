"""Searching the index. The caller's rights are conditions of the statements."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, select

from ingot.access.tables import projects
from ingot.features.code.code_search import trigrams
from ingot.features.code.code_search.hits import Hit, chunks, unpack_text
from ingot.features.code.code_search.query import CodeQuery
from ingot.features.code.code_search.tables import code_contents, code_files, code_indexes

# Of files that have all trigrams, so many are read at most: most of them have the phrase, too.
MOST_READ = 2_000
READ_AT_ONCE = 100
MOST_BYTES = 64 << 20
# Beyond this many contents a walk over the files in their order finds a page sooner than looking each one up.
SELECTIVE = 5_000

Conditions = Sequence[ColumnElement[bool]]


def is_current(conn: Connection, project_id: int, head: str) -> bool:
    """The index has the files of this commit."""
    query = select(code_indexes.c.head).where(code_indexes.c.project_id == project_id)
    return conn.execute(query).scalar_one_or_none() == head


def find_in_index(conn: Connection, query: CodeQuery, conditions: Conditions, most: int) -> list[Hit]:
    """At most so many hits, those by path first; `conditions` on `projects` say which of them are searched."""
    if query.is_empty:
        return []
    hits = _by_path(conn, query, conditions, most)
    return hits + (_by_content(conn, query, conditions, most - len(hits)) if query.phrase else [])


def _files(query: CodeQuery, conditions: Conditions) -> Select[Any]:
    files, contents = code_files.c, code_contents.c
    columns = (files.project_id, files.path, files.content_id, contents.sha, contents.size, projects.c.default_branch)
    return (
        select(*columns)
        .join_from(code_files, code_contents, contents.id == files.content_id)
        .join(projects, projects.c.id == files.project_id)
        .where(*conditions, *query.conditions())
        .order_by(files.project_id, files.path)
    )


def _by_path(conn: Connection, query: CodeQuery, conditions: Conditions, most: int) -> list[Hit]:
    files = _files(query, conditions)
    if query.phrase:
        likely = trigrams.matching(conn.dialect.name, trigrams.PATHS, query.phrase)
        if likely is not None:
            files = files.where(code_files.c.id.in_(likely))
        files = files.where(code_files.c.path_lower.contains(query.phrase, autoescape=True))
    rows = conn.execute(files.limit(most))
    return [Hit(row.project_id, row.path, row.default_branch or "", row.sha) for row in rows]


def _by_content(conn: Connection, query: CodeQuery, conditions: Conditions, most: int) -> list[Hit]:
    if most <= 0:
        return []
    files = _files(query, conditions).where(code_contents.c.text.is_not(None))
    likely = trigrams.matching(conn.dialect.name, trigrams.CONTENTS, query.phrase)
    if likely is not None:
        files = files.where(_content_id(conn, likely).in_(likely))
    rows = conn.execute(files.limit(MOST_READ)).all()
    hits: list[Hit] = []
    read = 0
    for start in range(0, len(rows), READ_AT_ONCE):
        part = rows[start : start + READ_AT_ONCE]
        read += sum(row.size for row in part)
        texts = _texts(conn, code_contents.c.id, {row.content_id for row in part})
        for row in part:
            for line, data in chunks(texts.get(row.sha, ""), query.phrase):
                hits.append(Hit(row.project_id, row.path, row.default_branch or "", row.sha, line, data))
                if len(hits) == most:
                    return hits
        if read > MOST_BYTES:
            break
    return hits


def _content_id(conn: Connection, likely: Select[tuple[int]]) -> ColumnElement[int]:
    """The column as it is compared: SQLite, which does not know how many there are, is told not to start from them."""
    column = code_files.c.content_id
    if conn.dialect.name != "sqlite":
        return column
    counted = select(func.count()).select_from(likely.limit(SELECTIVE + 1).subquery())
    return column if conn.execute(counted).scalar_one() <= SELECTIVE else column + 0


def read_texts(conn: Connection, shas: list[str]) -> dict[str, str]:
    """Stored texts by the ids of their contents."""
    return _texts(conn, code_contents.c.sha, set(shas))


def _texts(conn: Connection, column: ColumnElement[Any], values: set[Any]) -> dict[str, str]:
    if not values:
        return {}
    query = select(code_contents.c.sha, code_contents.c.text).where(
        column.in_(values), code_contents.c.text.is_not(None)
    )
    return {row.sha: unpack_text(row.text) for row in conn.execute(query)}
