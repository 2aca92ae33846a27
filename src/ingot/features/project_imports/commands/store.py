"""Storing a tree: batches of records, each a transaction that also says how far it got."""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from ingot.features.project_exports import keep
from ingot.features.project_imports.builders import BUILDERS, DROPPED
from ingot.features.project_imports.context import ImportContext
from ingot.features.project_imports.tables import import_progress
from ingot.features.project_imports.tree import Tree

BATCH = 100
SOURCE = "process_relation_item!"
Progress = Callable[[str, int], None]


def store_relation(context: ImportContext, tree: Tree, relation: str, owner: str, progress: Progress) -> int:
    """Store one relation from where an earlier attempt stopped; returns how many records went in."""
    build = BUILDERS.get(relation)
    with context.services.db.read() as conn:
        done = conn.execute(
            select(import_progress).where(import_progress.c.owner == owner, import_progress.c.relation == relation)
        ).one_or_none()
    first, stored = (done.next_line, done.stored) if done is not None else (0, 0)
    lines = ((index, record) for index, record in tree.lines(relation) if index >= first)
    while batch := list(islice(lines, BATCH)):
        with context.services.db.write() as tx:
            stored += _store_batch(context, tx, relation, build, batch)
            _mark(tx, owner, relation, batch[-1][0] + 1, stored)
        progress(relation, stored)
    return stored


def _store_batch(
    context: ImportContext, tx: Connection, relation: str, build: Any, batch: Iterable[tuple[int, dict[str, Any]]]
) -> int:
    stored = 0
    context.relation = relation
    for index, record in batch:
        context.line = index
        before = context.failures
        with context.sparing(tx, SOURCE):
            if build is None:
                keep(tx, context.project.id, relation, None, context.translated(record))
            else:
                build(context, tx, record)
            stored += 1
        if context.failures > before and build is None:
            stored = max(0, stored)
    return stored


def _mark(tx: Connection, owner: str, relation: str, next_line: int, stored: int) -> None:
    table = import_progress
    tx.execute(delete(table).where(table.c.owner == owner, table.c.relation == relation))
    tx.execute(insert(table).values(owner=owner, relation=relation, next_line=next_line, stored=stored))


def relations_in_order(tree: Tree) -> list[str]:
    """What the tree holds, in the order in which records name each other; unknown relations last."""
    present = set(tree.relations()) - DROPPED
    known = [name for name in BUILDERS if name in present]
    return known + sorted(present - set(BUILDERS))
