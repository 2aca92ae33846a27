"""Files inside the archives of a pipeline's jobs, for child pipelines whose configuration a job has written."""

from collections.abc import Callable

from sqlalchemy import Connection, select

from ingot.features.ci.files import ZipEntry, ZipUnreadable, extract, find_entry, read_directory
from ingot.features.ci.pipelines.tables import job_artifacts, jobs
from ingot.kit.blobs import BlobStore
from ingot.kit.services import Services

MAX_ARCHIVE = 5 * 1024 * 1024


class BlobRange:
    """A stored object as the zip functions read it."""

    def __init__(self, store: BlobStore, key: str) -> None:
        self._store = store
        self._key = key

    def read(self, offset: int, length: int) -> bytes:
        """A part of the object."""
        return self._store.read(self._key, offset, length) if length else b""


def artifact_reader(services: Services, conn: Connection, pipeline_id: int | None) -> Callable[[str, str], str | None]:
    """Reads `path` out of the archive of job `name` in the parent pipeline."""

    def read(name: str, path: str) -> str | None:
        if pipeline_id is None:
            return None
        row = conn.execute(
            select(job_artifacts)
            .join_from(job_artifacts, jobs, jobs.c.id == job_artifacts.c.job_id)
            .where(
                jobs.c.pipeline_id == pipeline_id,
                jobs.c.name == name,
                jobs.c.is_retried.is_(False),
                job_artifacts.c.file_type == "archive",
            )
        ).one_or_none()
        # spec: the archive of a generated configuration may have at most 5 MB
        if row is None or row.size > MAX_ARCHIVE:
            return None
        archive = BlobRange(services.blobs, row.blob_key)
        try:
            entry = _entry(services, row.index_key, archive, row.size, path)
            return None if entry is None else b"".join(extract(archive, entry)).decode("utf-8", errors="replace")
        except ZipUnreadable:
            return None

    return read


def _entry(services: Services, index_key: str | None, archive: BlobRange, size: int, path: str) -> ZipEntry | None:
    if index_key is not None:
        return find_entry(BlobRange(services.blobs, index_key), path)
    return next((entry for entry in read_directory(archive, size) if entry.path == path), None)
