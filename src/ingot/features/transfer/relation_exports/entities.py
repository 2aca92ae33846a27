"""The status of relation exports."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, select

from ingot.features.transfer.relation_exports.rows import RelationExportRow
from ingot.features.transfer.relation_exports.tables import relation_export_batches
from ingot.kit.entity import UNSET, Entity, UnsetType, group_by, wire


class BatchStatus(Entity, kw_only=True):
    """One part of a relation."""

    status: int
    batch_number: int
    objects_count: int
    error: str | None
    updated_at: datetime


class RelationStatus(Entity, kw_only=True):
    """One relation; its parts are listed where it was exported in batches."""

    relation: str
    status: int
    error: str | None
    updated_at: datetime
    batched: bool
    batches_count: int
    total_objects_count: int
    batches: list[BatchStatus] | UnsetType = UNSET


def statuses(conn: Connection, rows: Sequence[RelationExportRow]) -> list[RelationStatus]:
    """The rows as they are shown."""
    table = relation_export_batches
    query = select(table).where(table.c.export_id.in_([row.id for row in rows])).order_by(table.c.batch_number)
    parts = group_by(conn.execute(query), lambda part: part.export_id)
    return [
        RelationStatus(
            relation=row.relation,
            status=row.status,
            error=row.error,
            updated_at=wire(row.updated_at),
            batched=row.batched,
            batches_count=row.batches_count,
            total_objects_count=row.total_objects_count,
            batches=[
                BatchStatus(
                    status=part.status,
                    batch_number=part.batch_number,
                    objects_count=part.objects_count,
                    error=part.error,
                    updated_at=wire(part.updated_at),
                )
                for part in parts.get(row.id, [])
            ]
            if row.batched
            else UNSET,
        )
        for row in rows
    ]
