"""The log of a job: it grows in chunks while the job runs, and becomes one object when it ends."""

import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Row, delete, insert, select, update

from ingot.features.ci.engine import ci_jobs
from ingot.features.ci.job_outputs.tables import job_artifacts, job_trace_chunks, job_traces
from ingot.features.spaces.projects import change_size
from ingot.kit.blobs import BlobMissing
from ingot.kit.clock import now
from ingot.kit.jobs import enqueue
from ingot.kit.services import Pools, Services
from ingot.kit.statements import is_remembering

_WATCHED_FOR = 60.0


class RangeMismatch(Exception):
    """The chunk does not start where the log ends; `size` is where it does."""

    def __init__(self, size: int) -> None:
        super().__init__(f"the log has {size} bytes")
        self.size = size


def trace_size(conn: Connection, job_id: int) -> int:
    """Bytes of the log so far; in a visit that shows the log, those that are shown."""
    if is_remembering():
        row = find_trace(conn, job_id)
        return 0 if row is None else int(row.size)
    return int(conn.execute(select(job_traces.c.size).where(job_traces.c.job_id == job_id)).scalar_one_or_none() or 0)


def find_trace(conn: Connection, job_id: int) -> Row[Any] | None:
    """The log's row, or None before its first byte."""
    return conn.execute(select(job_traces).where(job_traces.c.job_id == job_id)).one_or_none()


def append_trace(tx: Connection, job_id: int, start: int, content: bytes) -> int:
    """Append a chunk at its offset; returns the new size. The transaction must have locked the job's row."""
    row = find_trace(tx, job_id)
    size = 0 if row is None else int(row.size)
    if start != size:
        raise RangeMismatch(size)
    if not content:
        return size
    values = {
        "size": size + len(content),
        "crc32": zlib.crc32(content, 0 if row is None else row.crc32),
        "updated_at": now(),
    }
    tx.execute(insert(job_trace_chunks).values(job_id=job_id, start=start, content=content))
    if row is None:
        tx.execute(insert(job_traces).values(job_id=job_id, **values))
    else:
        tx.execute(update(job_traces).where(job_traces.c.job_id == job_id).values(**values))
    return size + len(content)


def note_short(tx: Connection, job_id: int) -> datetime:
    """Since when the log has been shorter than its runner says; the first call sets it to now."""
    row = find_trace(tx, job_id)
    if row is not None and row.short_since is not None:
        since: datetime = row.short_since
        return since
    moment = now()
    if row is None:
        tx.execute(insert(job_traces).values(job_id=job_id, size=0, short_since=moment, updated_at=moment))
    else:
        tx.execute(update(job_traces).where(job_traces.c.job_id == job_id).values(short_since=moment))
    return moment


def trace_chunks(services: Services, job_id: int, start: int = 0) -> Iterator[bytes]:
    """The log from an offset on, wherever it lies: it may become one object while somebody reads its chunks."""
    with services.db.read() as conn:
        row = find_trace(conn, job_id)
    if row is None:
        return
    key = row.blob_key
    if key is None:
        for piece in _stored(services, job_id, start):
            start += len(piece)
            yield piece
        if start >= row.size:
            return
        # A query of its own: a visit that remembers answers would be told once more that there is no object.
        with services.db.read() as conn:
            query = select(job_traces.c.blob_key).where(job_traces.c.job_id == job_id)
            key = conn.execute(query).scalar_one_or_none()
    if key is not None:
        with suppress(BlobMissing):
            yield from services.blobs.chunks(key, start)


def _stored(services: Services, job_id: int, start: int) -> Iterator[bytes]:
    """The chunks from an offset on, up to the first that is not there any more."""
    table = job_trace_chunks
    with services.db.read() as conn:
        query = select(table.c.start).where(table.c.job_id == job_id).order_by(table.c.start)
        places = conn.execute(query).scalars().all()
    for place in places:
        with services.db.read() as conn:
            one = select(table.c.content).where(table.c.job_id == job_id, table.c.start == place)
            content = conn.execute(one).scalar_one_or_none()
        if content is None:
            return
        if place + len(content) > start:
            yield bytes(content[max(0, start - place) :])


def archive_trace(services: Services, job_id: int, project_id: int) -> None:
    """Move the chunks of an ended job into one object. Safe to repeat."""
    key = f"traces/{project_id}/{job_id}/job.log"
    with services.db.read() as conn:
        row = find_trace(conn, job_id)
    if row is None or row.blob_key is not None:
        return
    size = services.blobs.put_chunks(key, trace_chunks(services, job_id), content_type="text/plain")
    with services.db.write() as tx:
        job = tx.execute(select(ci_jobs.c.pipeline_id, ci_jobs.c.erased_at).where(ci_jobs.c.id == job_id)).one_or_none()
        if job is None or job.erased_at is not None:
            enqueue(tx, "pipelines.delete_objects", args={"keys": [key]})
            return
        tx.execute(
            insert(job_artifacts).values(
                project_id=project_id,
                pipeline_id=job.pipeline_id,
                job_id=job_id,
                file_type="trace",
                file_format="raw",
                filename="job.log",
                size=size,
                blob_key=key,
                created_at=now(),
            )
        )
        change_size(tx, project_id, "job_artifacts_size", size)
        tx.execute(update(job_traces).where(job_traces.c.job_id == job_id).values(blob_key=key, updated_at=now()))
        tx.execute(delete(job_trace_chunks).where(job_trace_chunks.c.job_id == job_id))


def erase_trace(tx: Connection, job_id: int) -> str | None:
    """Remove the log; returns the key of the object to delete."""
    key = tx.execute(select(job_traces.c.blob_key).where(job_traces.c.job_id == job_id)).scalar_one_or_none()
    tx.execute(delete(job_trace_chunks).where(job_trace_chunks.c.job_id == job_id))
    tx.execute(delete(job_traces).where(job_traces.c.job_id == job_id))
    return None if key is None else str(key)


_watched_logs: WeakKeyDictionary[Pools, dict[int, float]] = WeakKeyDictionary()  # job -> when somebody last read


def watch_trace(services: Services, job_id: int) -> None:
    """Somebody reads the log of a running job: its runner should send more often."""
    watched = _watched_logs.setdefault(services.pools, {})
    if len(watched) > 10_000:
        watched.clear()
    watched[job_id] = time.monotonic()


def update_interval(services: Services, job_id: int) -> int:
    """Seconds until the runner sends again: 3 while somebody follows the log in this process, else 30."""
    seen = _watched_logs.get(services.pools, {}).get(job_id)
    return 3 if seen is not None and time.monotonic() - seen < _WATCHED_FOR else 30
