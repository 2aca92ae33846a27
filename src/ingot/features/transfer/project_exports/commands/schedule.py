"""Asking for an export: the row and its job in one transaction; the same wish twice waits once."""

from dataclasses import dataclass

from sqlalchemy import insert, select

from ingot.features.transfer.project_exports.tables import project_exports
from ingot.kit.clock import now
from ingot.kit.jobs import enqueue
from ingot.kit.sealing import seal
from ingot.kit.services import Services


@dataclass(frozen=True, slots=True)
class ExportWish:
    """What the caller asked for."""

    description: str | None = None
    upload_url: str | None = None
    upload_method: str | None = None


def schedule_export(services: Services, project_id: int, user_id: int, wish: ExportWish) -> int:
    """Queue the export; returns its id. A plain wish that still waits serves a second one too."""
    moment = now()
    table = project_exports
    with services.db.write() as tx:
        if wish.upload_url is None:
            waiting = tx.execute(
                select(table.c.id).where(
                    table.c.project_id == project_id,
                    table.c.user_id == user_id,
                    table.c.status == "queued",
                    table.c.sealed_upload_url.is_(None),
                    table.c.description.is_(None)
                    if wish.description is None
                    else table.c.description == wish.description,
                )
            ).scalar_one_or_none()
            if waiting is not None:
                return int(waiting)
        made = tx.execute(
            insert(table)
            .values(
                project_id=project_id,
                user_id=user_id,
                status="queued",
                description=wish.description,
                sealed_upload_url=None if wish.upload_url is None else seal(services, wish.upload_url),
                upload_method=wish.upload_method,
                created_at=moment,
                updated_at=moment,
            )
            .returning(table.c.id)
        ).scalar_one()
        enqueue(
            tx,
            "project_export",
            key=f"export-{made}",
            args={"export_id": int(made)},
            subject=f"project:{project_id}",
        )
    return int(made)
