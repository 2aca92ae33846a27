"""How far exports and imports of groups are, for people who look at their pages."""

from datetime import datetime

import msgspec
from sqlalchemy import Connection, select

from ingot.archives.pace import counted
from ingot.archives.stages import TransferProgress, list_stages
from ingot.features.transfer.group_archives.commands import EXPORT, IMPORT, find_export
from ingot.features.transfer.group_archives.storing import RELATIONS, StoredGroup
from ingot.features.transfer.group_archives.tables import group_imports
from ingot.features.transfer.project_exports import RECORDS, STAGES, STORE, ExportProgress, progress_of_job
from ingot.kit.jobs import JobView, find_job, list_results

WORDS = {"queued": "scheduled", "running": "started"}
GROUPS = "Groups and their records"
EXPORT_STAGES = {RECORDS: GROUPS, STORE: STAGES[STORE]}
IMPORT_STAGES = {"unpack": "Unpack the archive", "groups": GROUPS, "end": "Finish"}
JOB_GONE = "The import stopped unexpectedly."


class GroupExportState(msgspec.Struct, frozen=True):
    """What a person exported of a group."""

    word: str  # none | scheduled | started | finished | failed
    has_file: bool = False  # also while a newer one is being written
    size: int = 0
    error: str = ""
    changed_at: datetime | None = None
    progress: ExportProgress | None = None  # while one is being written


class GroupImportState(msgspec.Struct, frozen=True):
    """The newest import into a group."""

    word: str  # scheduled | started | finished | failed | canceled
    error: str
    created_at: datetime
    changed_at: datetime
    progress: TransferProgress
    groups: int  # how many of the archive's were stored so far
    groups_total: int  # 0 as long as nobody knows
    relations: list[tuple[str, int, int]]  # relation, records in the archive, and those that were stored


def export_state(conn: Connection, group_id: int, user_id: int) -> GroupExportState:
    """The state of the person's last export of a group."""
    row = find_export(conn, group_id, user_id)
    if row is None:
        return GroupExportState("none")
    job = find_job(conn, f"{EXPORT}-{row.id}")
    word = WORDS.get(job.state, "") if job is not None else ""
    progress = progress_of_job(conn, job, EXPORT_STAGES) if word else None
    word = word or ("failed" if row.error else "finished" if row.blob_key else "none")
    return GroupExportState(word, row.blob_key is not None, row.size, row.error or "", row.updated_at, progress)


def import_state(conn: Connection, group_id: int) -> GroupImportState | None:
    """The state of the newest import into a group; None for groups that were not imported lately."""
    table = group_imports
    row = conn.execute(
        select(table).where(table.c.group_id == group_id).order_by(table.c.id.desc()).limit(1)
    ).one_or_none()
    if row is None:
        return None
    job = find_job(conn, f"{IMPORT}-{row.id}")
    results = list_results(conn, job.id) if job is not None else {}
    groups = [StoredGroup.read(result) for name, result in results.items() if name.startswith("group-")]
    word, error = _outcome(job, row.ended, row.error)
    # Short jobs end before their counters are written.
    total = len(groups) if word == "finished" else int(job.counters.get("total", 0)) if job is not None else 0
    return GroupImportState(
        word, error, row.created_at, row.updated_at, _progress(job, word, len(groups), total),
        sum(group.group_id != 0 for group in groups), total, _relations(groups),
    )  # fmt: skip


def _outcome(job: JobView | None, has_ended: bool, error: str | None) -> tuple[str, str]:
    state = job.state if job is not None else ""
    if has_ended:
        return ("finished", "") if not error else ("canceled" if state == "cancelled" else "failed", error)
    return (WORDS[state], "") if state in WORDS else ("failed", JOB_GONE)


def _progress(job: JobView | None, word: str, groups: int, total: int) -> TransferProgress:
    is_running = job is not None and job.state == "running"
    steps = {"unpack": total > 0, "groups": 0 < total <= groups, "end": word == "finished"}
    done = {name for name, is_done in steps.items() if is_done or word == "finished"}
    part = counted(job.counters if job is not None else {})
    stages = list_stages(IMPORT_STAGES, done, is_running=is_running)
    return TransferProgress(job.state if job else "", stages, part, part.seconds_left if is_running else None)


def _relations(groups: list[StoredGroup]) -> list[tuple[str, int, int]]:
    rows = []
    for name in RELATIONS:
        held = sum(group.held.get(name, 0) for group in groups)
        rows.append((name, held, sum(group.stored.get(name, 0) for group in groups)))
    return [row for row in rows if row[1]]
