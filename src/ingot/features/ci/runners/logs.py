"""Logs of running jobs: appended at their end, limited in size, compared with what was sent, read for coverage."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, select, update

from ingot.access.tables import projects
from ingot.features.ci.engine import ci_jobs, get_plan
from ingot.features.ci.job_outputs import (
    RangeMismatch,
    append_trace,
    erase_trace,
    extract_coverage,
    find_trace,
    note_short,
    trace_chunks,
    trace_size,
    without_head,
)
from ingot.features.ci.runners.rows import RunningJobRow
from ingot.features.spaces.projects import project_settings
from ingot.kit.clock import now
from ingot.kit.services import Services

log = logging.getLogger("ingot.runners")

MAX_LOG = 100 * 1024 * 1024
_MAX_LINE = 65_536
_PIECE = 1024 * 1024
# spec: the final update is put off for the log's sake for five minutes at most
_PATIENCE = timedelta(minutes=5)


class LogTooLong(Exception):
    """The log has passed its limit."""


def append_log(tx: Connection, job_id: int, start: int, content: bytes, *, debug: bool) -> int:
    """Add to the log; returns its size. Raises `RangeMismatch` where it does not continue the log.

    Raises `NoResultFound` where the job is gone.
    """
    # Holds the job's row: two patches of one job come one after another.
    values: dict[str, Any] = {"contacted_at": now()}
    if debug:
        values["debug_trace"] = True
    tx.execute(update(ci_jobs).where(ci_jobs.c.id == job_id).values(**values).returning(ci_jobs.c.id)).one()
    size = trace_size(tx, job_id)
    if start != size:
        raise RangeMismatch(size)
    if size + len(content) > MAX_LOG:
        raise LogTooLong
    return append_trace(tx, job_id, start, content)


def replace_log(tx: Connection, job_id: int, text: str) -> None:
    """The whole log at once, as old runners send it with the last update. Raises `NoResultFound`, `LogTooLong`."""
    content = text.encode("utf-8", "replace")
    if len(content) > MAX_LOG:
        raise LogTooLong
    tx.execute(update(ci_jobs).where(ci_jobs.c.id == job_id).values(contacted_at=now()).returning(ci_jobs.c.id)).one()
    erase_trace(tx, job_id)
    for start in range(0, len(content), _PIECE):
        append_trace(tx, job_id, start, content[start : start + _PIECE])


def is_still_short(tx: Connection, job_id: int, sent: int | None, checksum: str | None) -> bool:
    """Whether bytes that the runner has sent are missing, and may still come.

    A log that stays short says so in its last line. One that only differs is kept as it is, as GitLab does.
    """
    stored = find_trace(tx, job_id)
    size = 0 if stored is None else int(stored.size)
    if sent is not None and size < sent:
        if now() - note_short(tx, job_id) < _PATIENCE:
            return True
        text = f"\nWARNING: this log is incomplete: {size} of {sent} bytes arrived\n"
        append_trace(tx, job_id, size, text.encode())
        log.warning("job %d: %d of %d bytes of its log arrived", job_id, size, sent)
    elif checksum is not None and checksum.removeprefix("crc32:").lower() != f"{stored.crc32 if stored else 0:08x}":
        log.warning("job %d: its log is not what its runner sent", job_id)
    return False


def coverage_of(services: Services, conn: Connection, job: RunningJobRow) -> float | None:
    """The figure in the log, where the job or its project says how to find it."""
    plan = get_plan(conn, job.id)
    project = conn.execute(select(projects.c.settings).where(projects.c.id == job.project_id)).one()
    pattern = (plan.coverage if plan is not None else None) or project_settings(project).build_coverage_regex
    return extract_coverage(pattern, _lines(services, job.id)) if pattern else None


def _lines(services: Services, job_id: int) -> Iterator[str]:
    rest = b""
    for chunk in trace_chunks(services, job_id):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (without_head(line.decode("utf-8", "replace")) for line in whole)
        rest = rest[-_MAX_LINE:]
    if rest:
        yield without_head(rest.decode("utf-8", "replace"))
