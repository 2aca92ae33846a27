"""How far an export is, for its page: stages, counts, bytes, and the time left where it can be told."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, select

from ingot.archives.pace import Counted as CountedBytes
from ingot.archives.pace import counted as counted_bytes
from ingot.archives.stages import Stage, TransferProgress, list_stages
from ingot.features.transfer.project_exports.stages import FINISH, STAGES, STORE, UPLOAD, Counted
from ingot.features.transfer.project_exports.tables import project_exports
from ingot.kit.jobs import JobView, find_job, list_steps


class ExportProgress(TransferProgress, frozen=True):
    """The work behind an export."""

    is_tried_again: bool
    counted: Counted


def export_progress(conn: Connection, project_id: int, user_id: int) -> ExportProgress | None:
    """How far the oldest export is that the person waits for; None where there is none."""
    table = project_exports
    mine = (table.c.project_id == project_id) & (table.c.user_id == user_id)
    waiting = select(table.c.id, table.c.sealed_upload_url).where(mine, table.c.status.in_(("queued", "started")))
    export = conn.execute(waiting.order_by(table.c.id).limit(1)).one_or_none()
    if export is None:
        return None
    is_sent = export.sealed_upload_url is not None
    words = {name: text for name, text in STAGES.items() if name != UPLOAD or is_sent}
    return progress_of_job(conn, find_job(conn, f"export-{export.id}"), words)


def progress_of_job(conn: Connection, job: JobView | None, words: Mapping[str, str]) -> ExportProgress:
    """How far the job of an export is, which has these stages."""
    if job is None:
        return ExportProgress("", [], CountedBytes(), None, is_tried_again=False, counted=Counted())
    is_running = job.state == "running"
    steps = {name for name, _ in list_steps(conn, job.id)}
    # Another attempt begins from the start, or with the step after the last that is done.
    counted = msgspec.convert(job.counters, Counted) if is_running else Counted()
    part = counted_bytes(job.counters) if is_running else CountedBytes()
    is_tried_again = job.attempts > (1 if is_running else 0)
    stages = _stages(words, steps, counted.stage, is_running=is_running)
    return ExportProgress(job.state, stages, part, part.seconds_left, is_tried_again=is_tried_again, counted=counted)


def _stages(words: Mapping[str, str], steps: set[str], stage: str, *, is_running: bool) -> list[Stage]:
    names = list(words)
    if "archive" in steps:
        now = FINISH if UPLOAD not in names or "upload" in steps else UPLOAD
    elif is_running and stage in names[: names.index(STORE) + 1]:
        now = stage
    else:
        now = names[0]
    return list_stages(words, names[: names.index(now)], is_running=is_running)
