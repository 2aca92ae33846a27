"""How far exports and imports of groups are, for people who look at their pages."""

from datetime import datetime

import msgspec
from sqlalchemy import Connection, select

from ingot.features.transfer.group_archives.commands import EXPORT, IMPORT, find_export
from ingot.features.transfer.group_archives.tables import group_imports
from ingot.kit.jobs import find_job, list_steps

WORDS = {"queued": "scheduled", "running": "started"}


class GroupExportState(msgspec.Struct, frozen=True):
    """What a person exported of a group."""

    word: str  # none | scheduled | started | finished | failed
    has_file: bool = False  # also while a newer one is being written
    size: int = 0
    error: str = ""
    changed_at: datetime | None = None


class GroupImportState(msgspec.Struct, frozen=True):
    """The newest import into a group."""

    word: str  # scheduled | started | finished | failed
    error: str
    groups: int  # how many were made so far, with the group itself
    created_at: datetime
    changed_at: datetime


def export_state(conn: Connection, group_id: int, user_id: int) -> GroupExportState:
    """The state of the person's last export of a group."""
    row = find_export(conn, group_id, user_id)
    if row is None:
        return GroupExportState("none")
    job = find_job(conn, f"{EXPORT}-{row.id}")
    word = WORDS.get(job.state, "") if job is not None else ""
    word = word or ("failed" if row.error else "finished" if row.blob_key else "none")
    return GroupExportState(word, row.blob_key is not None, row.size, row.error or "", row.updated_at)


def import_state(conn: Connection, group_id: int) -> GroupImportState | None:
    """The state of the newest import into a group; None for groups that were not imported lately."""
    table = group_imports
    row = conn.execute(
        select(table).where(table.c.group_id == group_id).order_by(table.c.id.desc()).limit(1)
    ).one_or_none()
    if row is None:
        return None
    job = find_job(conn, f"{IMPORT}-{row.id}")
    steps = list_steps(conn, job.id) if job is not None else []
    is_running = job is not None and job.state == "running"
    word = ("failed" if row.error else "finished") if row.ended else "started" if is_running else "scheduled"
    groups = sum(name.startswith("group-") for name, _ in steps)
    return GroupImportState(word, row.error or "", groups, row.created_at, row.updated_at)
