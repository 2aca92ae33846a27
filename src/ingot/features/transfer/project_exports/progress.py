"""How far an export is, for its page: stages, counts, bytes, and the time left where it can be told."""

import msgspec
from sqlalchemy import Connection, select

from ingot.archives.pace import Counted as CountedBytes
from ingot.archives.pace import counted as counted_bytes
from ingot.features.transfer.project_exports.stages import FINISH, STAGES, STORE, UPLOAD, Counted
from ingot.features.transfer.project_exports.tables import project_exports
from ingot.kit.jobs import find_job, list_steps


class ExportStage(msgspec.Struct, frozen=True):
    """A part of the work."""

    words: str
    state: str  # done | now | later


class ExportProgress(msgspec.Struct, frozen=True):
    """The work behind an export."""

    job_state: str  # empty where no job is remembered
    is_tried_again: bool
    stages: list[ExportStage]
    counted: Counted
    part: CountedBytes  # of the present stage
    seconds_left: int | None  # for that stage


def export_progress(conn: Connection, project_id: int, user_id: int) -> ExportProgress | None:
    """How far the oldest export is that the person waits for; None where there is none."""
    table = project_exports
    mine = (table.c.project_id == project_id) & (table.c.user_id == user_id)
    waiting = select(table.c.id, table.c.sealed_upload_url).where(mine, table.c.status.in_(("queued", "started")))
    export = conn.execute(waiting.order_by(table.c.id).limit(1)).one_or_none()
    if export is None:
        return None
    job = find_job(conn, f"export-{export.id}")
    if job is None:
        return ExportProgress("", False, [], Counted(), CountedBytes(), None)
    is_running = job.state == "running"
    done = {name for name, _ in list_steps(conn, job.id)}
    # Another attempt begins from the start, or with the step after the last that is done.
    counted = msgspec.convert(job.counters, Counted) if is_running else Counted()
    part = counted_bytes(job.counters) if is_running else CountedBytes()
    stages = _stages(done, counted.stage, is_sent=export.sealed_upload_url is not None, is_running=is_running)
    is_tried_again = job.attempts > (1 if is_running else 0)
    return ExportProgress(job.state, is_tried_again, stages, counted, part, part.seconds_left)


def _stages(steps: set[str], stage: str, *, is_sent: bool, is_running: bool) -> list[ExportStage]:
    names = [name for name in STAGES if name != UPLOAD or is_sent]
    if "archive" in steps:
        now = FINISH if not is_sent or "upload" in steps else UPLOAD
    else:
        now = stage if stage in names[: names.index(STORE) + 1] else names[0]
    place = names.index(now)
    if not is_running and "archive" not in steps:
        place = 0
    states = ["done"] * place + ["now" if is_running else "later"] + ["later"] * (len(names) - place - 1)
    return [ExportStage(STAGES[name], state) for name, state in zip(names, states, strict=True)]
