"""Requesting relation exports, and creating the file of one."""

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

from isal import igzip
from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from ingot.access.subjects import Project
from ingot.features.transfer.relation_exports.contents import FILES, lines, relations, write_files
from ingot.features.transfer.relation_exports.rows import RelationExportRow
from ingot.features.transfer.relation_exports.tables import relation_export_batches, relation_exports
from ingot.kit.clock import now
from ingot.kit.jobs import enqueue
from ingot.kit.services import Services

STARTED, FINISHED, FAILED = 0, 1, -1
BATCH = 1000


def schedule(tx: Connection, project_id: int, user_id: int, *, batched: bool) -> list[str]:
    """Start a new export of every relation; returns the keys of the previous files."""
    table, run = relation_exports, uuid4().hex
    own_exports = (table.c.project_id == project_id) & (table.c.user_id == user_id)
    old = keys_of(tx, own_exports)
    tx.execute(delete(table).where(own_exports))
    moment = now()
    fresh = {
        "project_id": project_id, "user_id": user_id, "run": run, "status": STARTED, "batched": batched,
        "batches_count": 0, "total_objects_count": 0, "updated_at": moment,
    }  # fmt: skip
    tx.execute(insert(table), [{**fresh, "relation": relation} for relation in relations()])
    enqueue(
        tx,
        "relation_exports",
        key=f"relation-exports-{run}",
        args={"project_id": project_id, "user_id": user_id, "run": run},
        subject=f"project:{project_id}",
    )
    return old


def keys_of(conn: Connection, chosen: ColumnElement[bool]) -> list[str]:
    """The stored files of these exports and of their batches."""
    table, parts = relation_exports, relation_export_batches
    whole = select(table.c.blob_key).where(chosen, table.c.blob_key.is_not(None))
    inside = (
        select(parts.c.blob_key)
        .join_from(parts, table, table.c.id == parts.c.export_id)
        .where(chosen, parts.c.blob_key.is_not(None))
    )
    return [*conn.execute(whole).scalars(), *conn.execute(inside).scalars()]


def export_relation(services: Services, project: Project, export: RelationExportRow, folder: Path) -> None:
    """The file of one relation, or one file per batch. A second attempt writes the same files again."""
    place = folder / "relation.gz"
    with services.db.write() as tx:
        tx.execute(delete(relation_export_batches).where(relation_export_batches.c.export_id == export.id))
    count, parts = 0, 0
    with services.db.scan() as conn:
        portions = _portions(services, conn, project, export)
        for number, portion in enumerate(portions, start=1):
            if portion is None:
                with place.open("wb") as target:
                    objects = write_files(services, project, export.relation, target)
            else:
                objects = _write_lines(place, portion)
            key = f"relation-exports/{export.project_id}/{export.run}/{export.relation}-{number}"
            size = services.blobs.take_file(key, place)
            count, parts = count + objects, number
            _store(services, export, number, key, size, objects)
    with services.db.write() as tx:
        values = {"status": FINISHED, "error": None, "total_objects_count": count, "updated_at": now()}
        batches = parts if export.batched else 0
        tx.execute(
            update(relation_exports).where(relation_exports.c.id == export.id).values(**values, batches_count=batches)
        )


def _portions(
    services: Services, conn: Connection, project: Project, export: RelationExportRow
) -> Iterator[Iterator[bytes] | None]:
    """The records of each file: all, or a thousand at a time; None for files in a tar."""
    if export.relation in FILES:
        yield None
        return
    records = lines(services, conn, project, export.relation)
    if not export.batched:
        yield records
        return
    while (first := next(records, None)) is not None:
        yield chain([first], islice(records, BATCH - 1))


def _write_lines(place: Path, records: Iterator[bytes]) -> int:
    count = 0
    with cast("Any", igzip.open(place, "wb", compresslevel=2)) as out:  # type: ignore[no-untyped-call]
        for record in records:
            out.write(record)
            out.write(b"\n")
            count += 1
    return count


def _store(services: Services, export: RelationExportRow, number: int, key: str, size: int, objects: int) -> None:
    moment = now()
    with services.db.write() as tx:
        if not export.batched:
            condition = relation_exports.c.id == export.id
            tx.execute(update(relation_exports).where(condition).values(blob_key=key, size=size, updated_at=moment))
            return
        tx.execute(
            insert(relation_export_batches).values(
                export_id=export.id,
                batch_number=number,
                status=FINISHED,
                objects_count=objects,
                blob_key=key,
                size=size,
                updated_at=moment,
            )
        )
