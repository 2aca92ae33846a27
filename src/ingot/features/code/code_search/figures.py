"""How large the index is, and which projects it is behind."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection, column, func, select, table

from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.features.code.code_search import trigrams
from ingot.features.code.code_search.indexing import head_of
from ingot.features.code.code_search.tables import code_contents, code_files, code_indexes
from ingot.features.spaces.projects import repository_of
from ingot.kit.services import Services


class IndexSize(NamedTuple):
    """What the index holds and takes."""

    files: int
    contents: int
    source_bytes: int
    stored_bytes: int


def measure_index(conn: Connection) -> IndexSize:
    """Count everything; for the command line, not for requests."""
    files = conn.execute(select(func.count()).select_from(code_files)).scalar_one()
    size, stored = func.coalesce(func.sum(code_contents.c.size), 0), func.length(code_contents.c.text)
    figures = conn.execute(select(func.count(), size, func.coalesce(func.sum(stored), 0)).select_from(code_contents))
    contents, source, packed = figures.one()
    if conn.dialect.name == "sqlite":
        blocks = func.coalesce(func.sum(func.length(column("block"))), 0)
        taken = packed + sum(
            conn.execute(select(blocks).select_from(table(f"{name}_data"))).scalar_one() for name in trigrams.INDEXES
        )
    else:
        names = (code_contents.name, code_files.name, *trigrams.INDEXES)
        taken = sum(conn.execute(select(func.pg_total_relation_size(name))).scalar_one() for name in names)
    return IndexSize(files, contents, int(source), int(taken))


def stale_projects(services: Services) -> Iterator[ProjectRow]:
    """Projects whose index has another commit than the head of their default branch."""
    with services.db.read() as conn:
        known = dict(conn.execute(select(code_indexes.c.project_id, code_indexes.c.head)).tuples().all())
        rows = conn.execute(select(projects).where(projects.c.pending_delete.is_(False))).all()
    for row in rows:
        if row.repository_storage not in services.storages.roots:
            continue  # reported by the check of repositories
        if head_of(repository_of(services, row), row.default_branch) != known.get(row.id):
            yield row
