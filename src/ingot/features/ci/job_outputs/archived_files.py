"""Files inside the archives of a pipeline's jobs, for child pipelines whose configuration a job has written."""

from sqlalchemy import Connection, select

from ingot.features.ci.engine import artifact_source, ci_jobs
from ingot.features.ci.files import ZipEntry, ZipUnreadable, extract, find_entry, read_directory
from ingot.features.ci.job_outputs.tables import job_artifacts
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


@artifact_source
def read_artifact(services: Services, conn: Connection, pipeline_id: int, name: str, path: str) -> str | None:
    """The file at `path` in the archive of job `name`."""
    row = conn.execute(
        select(job_artifacts)
        .join_from(job_artifacts, ci_jobs, ci_jobs.c.id == job_artifacts.c.job_id)
        .where(
            ci_jobs.c.pipeline_id == pipeline_id,
            ci_jobs.c.name == name,
            ci_jobs.c.is_retried.is_(False),
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


def _entry(services: Services, index_key: str | None, archive: BlobRange, size: int, path: str) -> ZipEntry | None:
    if index_key is not None:
        return find_entry(BlobRange(services.blobs, index_key), path)
    return next((entry for entry in read_directory(archive, size) if entry.path == path), None)
