"""The status of an export for one user: computed from the queued work and the stored archive."""

from typing import Any

import msgspec
from sqlalchemy import Connection, select

from ingot.features.transfer.project_exports.tables import project_export_files, project_exports


class ExportStatus(msgspec.Struct, frozen=True):
    """The word on the wire, the archive if there is one, and why the last export failed."""

    word: str
    file: Any
    error: str | None


def status_of(conn: Connection, project_id: int, user_id: int) -> ExportStatus:
    """The first that applies: regeneration, queued, started, finished, failed, none."""
    files, jobs = project_export_files, project_exports
    file = conn.execute(select(files).where(files.c.project_id == project_id, files.c.user_id == user_id)).one_or_none()
    newest = conn.execute(
        select(jobs.c.status, jobs.c.error)
        .where(jobs.c.project_id == project_id, jobs.c.user_id == user_id)
        .order_by(jobs.c.id.desc())
        .limit(20)
    ).all()
    open_states = {row.status for row in newest} & {"queued", "started"}
    if open_states and file is not None:
        return ExportStatus("regeneration_in_progress", file, None)
    for state in ("queued", "started"):
        if state in open_states:
            return ExportStatus(state, file, None)
    if newest and newest[0].status == "failed":
        return ExportStatus("failed", file, newest[0].error)
    return ExportStatus("finished" if file is not None else "none", file, None)
