"""Requesting the import of one relation: one import of a project at a time."""

from typing import Any

from sqlalchemy import Connection, Select, insert, select

from ingot.access.rows import ProjectRow
from ingot.features.transfer.project_imports.tables import relation_imports
from ingot.kit.clock import now
from ingot.kit.errors import Conflict, Failure
from ingot.kit.jobs import enqueue

BUSY = "A relation import is already in progress for this project"
IMPORTING = (
    "Relation import could not be created: Relation import tracker cannot be created for project with ongoing import"
)


def require_idle(conn: Connection, project: ProjectRow) -> None:
    """Refuse while the project is being imported, as a whole or in part."""
    if project.import_status == "started" or conn.execute(_unfinished(project.id)).first() is not None:
        raise Conflict(BUSY)
    if project.import_status == "scheduled":
        raise Failure(400, IMPORTING)


def schedule_relation_import(
    tx: Connection, project_id: int, user_id: int, relation: str, *, blob_key: str, correlation_id: str
) -> int:
    """Store the import with its job; returns its id."""
    if tx.execute(_unfinished(project_id)).first() is not None:
        raise Conflict(BUSY)
    moment = now()
    statement = insert(relation_imports).values(
        project_id=project_id,
        user_id=user_id,
        relation=relation,
        status="created",
        blob_key=blob_key,
        correlation_id=correlation_id,
        created_at=moment,
        updated_at=moment,
    )
    created = int(tx.execute(statement.returning(relation_imports.c.id)).scalar_one())
    enqueue(
        tx,
        "relation_import",
        key=f"relation-import-{created}",
        args={"relation_import_id": created},
        subject=f"project:{project_id}",
    )
    return created


def _unfinished(project_id: int) -> Select[Any]:
    table = relation_imports
    return select(table.c.id).where(table.c.project_id == project_id, table.c.status.in_(("created", "started")))
