"""How large the index is."""

from typing import NamedTuple

from sqlalchemy import Connection, column, func, select, table

from ingot.features.code.code_search import trigrams
from ingot.features.code.code_search.tables import code_contents, code_files


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
