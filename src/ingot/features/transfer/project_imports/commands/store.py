"""Storing a tree: batches of records, each in a transaction that also records the progress."""

from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from ingot.archives.unpack import ArchiveRefused
from ingot.features.planning.issues import issues
from ingot.features.transfer.project_imports.batching import Batch, NeedsCare
from ingot.features.transfer.project_imports.builders import DROPPED, Build, builders
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.forks import restore_branches
from ingot.features.transfer.project_imports.tables import import_progress
from ingot.features.transfer.project_imports.tree import KNOWN, Tree
from ingot.kit.jobs.errors import is_transient
from ingot.kit.patterns import pattern

BATCH = 100
HEAVY = 2 * 1024 * 1024
Lines = list[tuple[int, dict[str, object]]]
SOURCE = "process_relation_item!"
NAME = pattern(r"[a-z][a-z0-9_]{0,63}")
Progress = Callable[[str, int], None]


def store_relation(context: ImportContext, tree: Tree, relation: str, owner: str, progress: Progress) -> list[int]:
    """Store one relation from where an earlier attempt stopped; returns the numbers of lines and of stored records."""
    build = builders().get(relation)
    with context.services.db.read() as conn:
        done = conn.execute(
            select(import_progress).where(import_progress.c.owner == owner, import_progress.c.relation == relation)
        ).one_or_none()
        if relation == "issues":
            context.last_position = _last_position(conn, context.project.id)
    first, stored = (done.next_line, done.stored) if done is not None else (0, 0)
    start = first
    lines = ((index, record) for index, record in _lines(tree, relation) if index >= start)
    for batch in _batches(tree, lines):
        if relation == "merge_requests":  # before they are marked as stored, so that a crash repeats it
            restore_branches(context.repository, batch)
        with context.services.db.write() as tx:
            stored += _store_batch(context, tx, relation, build, batch)
            first = batch[-1][0] + 1
            _mark(tx, owner, relation, first, stored)
        progress(relation, stored)
    return [first, stored]


def _batches(tree: Tree, lines: Iterator[tuple[int, dict[str, object]]]) -> Iterator[Lines]:
    """Batches of records, fewer if they are large: memory does not grow with the archive."""
    batch: Lines = []
    began = tree.weight
    for line in lines:
        batch.append(line)
        if len(batch) == BATCH or tree.weight - began > HEAVY:
            yield batch
            batch, began = [], tree.weight
    if batch:
        yield batch


def _last_position(conn: Connection, project_id: int) -> int:
    query = select(func.max(issues.c.relative_position)).where(issues.c.project_id == project_id)
    return conn.execute(query).scalar_one() or 0


def _lines(tree: Tree, relation: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records; of unknown relations, only readable ones."""
    try:
        yield from tree.lines(relation)
    except ArchiveRefused:
        if relation in KNOWN:
            raise


def _store_batch(context: ImportContext, tx: Connection, relation: str, build: Build | None, lines: Lines) -> int:
    """Store all at once; on an error one by one, so that only invalid records are lost."""
    context.relation = relation
    context.batch = Batch()
    try:
        with tx.begin_nested():
            for index, record in lines:
                context.line = index
                with context.sparing(tx, SOURCE):
                    _store(context, tx, relation, build, record)
            context.batch.write(tx, context.owner)
    except (NeedsCare, SQLAlchemyError, ValueError, TypeError) as problem:
        if is_transient(problem):
            raise
        context.forget()
    else:
        context.batch = None
        return len(lines)
    stored = 0
    for index, record in lines:
        context.line = index
        with context.sparing(tx, SOURCE):
            _store(context, tx, relation, build, record)
            stored += 1
    return stored


def _store(
    context: ImportContext, tx: Connection, relation: str, build: Build | None, record: dict[str, object]
) -> None:
    if build is None:
        context.keep(tx, relation, None, context.translated(record))
    else:
        build(context, tx, record)


def _mark(tx: Connection, owner: str, relation: str, next_line: int, stored: int) -> None:
    table = import_progress
    tx.execute(delete(table).where(table.c.owner == owner, table.c.relation == relation))
    tx.execute(insert(table).values(owner=owner, relation=relation, next_line=next_line, stored=stored))


def relations_in_order(tree: Tree) -> list[str]:
    """The relations of the tree, in the order of their dependencies; unknown ones last."""
    present = {name for name in tree.relations() if NAME.fullmatch(name)} - DROPPED
    known = [name for name in builders() if name in present]
    return known + sorted(present.difference(known))
