"""Requesting an export: the row and its job in one transaction; a repeated request waits for the same job."""

import msgspec
from sqlalchemy import insert, select

from ingot.features.transfer.project_exports.tables import project_exports
from ingot.kit.clock import now
from ingot.kit.jobs import enqueue
from ingot.kit.sealing import seal
from ingot.kit.services import Services


class ExportOptions(msgspec.Struct, frozen=True):
    """What the caller asked for."""

    description: str | None = None
    upload_url: str | None = None
    upload_method: str | None = None


def schedule_export(services: Services, project_id: int, user_id: int, options: ExportOptions) -> int:
    """Queue the export; returns its id. A plain request that still waits serves a second one too."""
    moment = now()
    table = project_exports
    with services.db.write() as tx:
        if options.upload_url is None:
            waiting = tx.execute(
                select(table.c.id).where(
                    table.c.project_id == project_id,
                    table.c.user_id == user_id,
                    table.c.status == "queued",
                    table.c.sealed_upload_url.is_(None),
                    table.c.description.is_(None)
                    if options.description is None
                    else table.c.description == options.description,
                )
            ).scalar_one_or_none()
            if waiting is not None:
                return int(waiting)
        created = tx.execute(
            insert(table)
            .values(
                project_id=project_id,
                user_id=user_id,
                status="queued",
                description=options.description,
                sealed_upload_url=None if options.upload_url is None else seal(services, options.upload_url),
                upload_method=options.upload_method,
                created_at=moment,
                updated_at=moment,
            )
            .returning(table.c.id)
        ).scalar_one()
        enqueue(
            tx,
            "project_export",
            key=f"export-{created}",
            args={"export_id": int(created)},
            subject=f"project:{project_id}",
        )
    return int(created)
