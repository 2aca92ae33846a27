"""Searching the index. The caller's rights are conditions of the statements."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Connection, Select, func, select

from ingot.access.tables import projects
from ingot.features.code.code_search import trigrams
from ingot.features.code.code_search.hits import Hit, HitPage, chunks, unpack_beginning, unpack_text
from ingot.features.code.code_search.query import CodeQuery
from ingot.features.code.code_search.tables import code_contents, code_files, code_indexes

# Of files that have all trigrams, so many are read at most: most of them have the phrase, too.
MOST_READ = 2_000
READ_AT_ONCE = 100
BYTES_AT_ONCE = 2 << 20
BEGINNINGS_AT_ONCE = 20
MOST_BYTES = 64 << 20
# Beyond this many contents a walk over the files in their order finds a page sooner than looking each one up.
SELECTIVE = 5_000

Conditions = Sequence[ColumnElement[bool]]


def is_current(conn: Connection, project_id: int, head: str) -> bool:
    """The index has the files of this commit."""
    query = select(code_indexes.c.head).where(code_indexes.c.project_id == project_id)
    return conn.execute(query).scalar_one_or_none() == head


def find_in_index(conn: Connection, query: CodeQuery, conditions: Conditions, hits: HitPage) -> None:
    """Add the hits, those by path first; `conditions` on `projects` say which of them are searched."""
    if query.is_empty:
        return
    _find_by_path(conn, query, conditions, hits)
    if query.phrase and hits.missing:
        _find_by_content(conn, query, conditions, hits)


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


def _find_by_path(conn: Connection, query: CodeQuery, conditions: Conditions, hits: HitPage) -> None:
    files = _files(query, conditions)
    if query.phrase:
        likely = trigrams.matching(conn.dialect.name, trigrams.PATHS, query.phrase)
        if likely is not None:
            files = files.where(code_files.c.id.in_(likely))
        files = files.where(code_files.c.path_lower.contains(query.phrase, autoescape=True))
    for row in conn.execute(files.limit(hits.missing)):
        hits.add(Hit(row.project_id, row.path, row.default_branch or "", row.sha))


def _find_by_content(conn: Connection, query: CodeQuery, conditions: Conditions, hits: HitPage) -> None:
    files = _files(query, conditions).where(code_contents.c.text.is_not(None))
    likely = trigrams.matching(conn.dialect.name, trigrams.CONTENTS, query.phrase)
    if likely is not None:
        files = files.where(_content_id(conn, likely).in_(likely))
    rows = conn.execute(files.limit(MOST_READ)).all()
    read = 0
    for part in _parts(rows):
        texts = _texts(conn, {row.content_id for row in part})
        for row in part:
            for line, data in islice(chunks(texts.get(row.sha, ""), query.phrase), hits.missing):
                hits.add(Hit(row.project_id, row.path, row.default_branch or "", row.sha, line, data))
        read += sum(row.size for row in part)
        if not hits.missing or read > MOST_BYTES:
            return


class _FileRow(Protocol):
    """A file whose content may match."""

    project_id: int
    path: str
    default_branch: str | None
    sha: str
    content_id: int
    size: int


def _parts(rows: Sequence[_FileRow]) -> Iterator[list[_FileRow]]:
    """Files whose texts are in memory together."""
    part: list[_FileRow] = []
    size = 0
    for row in rows:
        part.append(row)
        size += row.size
        if len(part) == READ_AT_ONCE or size > BYTES_AT_ONCE:
            yield part
            part, size = [], 0
    if part:
        yield part


def _content_id(conn: Connection, likely: Select[tuple[int]]) -> ColumnElement[int]:
    """The column as it is compared: SQLite, which does not know how many there are, is told not to start from them."""
    column = code_files.c.content_id
    if conn.dialect.name != "sqlite":
        return column
    counted = select(func.count()).select_from(likely.limit(SELECTIVE + 1).subquery())
    return column if conn.execute(counted).scalar_one() <= SELECTIVE else column + 0


def read_beginnings(conn: Connection, shas: list[str]) -> dict[str, str]:
    """Beginnings of stored texts by the ids of their contents."""
    result: dict[str, str] = {}
    for start in range(0, len(shas), BEGINNINGS_AT_ONCE):
        query = _stored(code_contents.c.sha.in_(shas[start : start + BEGINNINGS_AT_ONCE]))
        result |= {row.sha: unpack_beginning(row.text) for row in conn.execute(query)}
    return result


def _texts(conn: Connection, content_ids: set[int]) -> dict[str, str]:
    return {row.sha: unpack_text(row.text) for row in conn.execute(_stored(code_contents.c.id.in_(content_ids)))}


def _stored(condition: ColumnElement[bool]) -> Select[Any]:
    return select(code_contents.c.sha, code_contents.c.text).where(condition, code_contents.c.text.is_not(None))
