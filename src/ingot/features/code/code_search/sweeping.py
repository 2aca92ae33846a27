"""Removing contents that no file has any more."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, delete, exists, select

from ingot.features.code.code_search import trigrams
from ingot.features.code.code_search.hits import unpack_text
from ingot.features.code.code_search.tables import code_contents, code_files

PER_STEP = 200

_UNUSED = ~exists().where(code_files.c.content_id == code_contents.c.id)


def unused(after: int = 0) -> Select[Any]:
    """Ids of contents without a file, some at a time."""
    return (
        select(code_contents.c.id)
        .where(code_contents.c.id > after, _UNUSED)
        .order_by(code_contents.c.id)
        .limit(PER_STEP)
    )


def remove_unused(tx: Connection, ids: Sequence[int]) -> None:
    """Remove those of the contents that no file has; the caller has the turn of the index."""
    query = select(code_contents.c.id, code_contents.c.text).where(code_contents.c.id.in_(ids), _UNUSED)
    rows = tx.execute(query).all()
    trigrams.remove(tx, trigrams.CONTENTS, ((row.id, unpack_text(row.text)) for row in rows if row.text is not None))
    tx.execute(delete(code_contents).where(code_contents.c.id.in_([row.id for row in rows])))
