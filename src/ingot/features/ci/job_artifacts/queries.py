"""Finding archives and their files."""

from typing import TypeGuard

from sqlalchemy import Connection, select

from ingot.features.ci.engine import pipelines
from ingot.features.ci.files import ZipEntry, ZipUnreadable, find_entry, list_entries
from ingot.features.ci.job_artifacts.rows import ArchiveRow
from ingot.features.ci.job_outputs import BlobRange, job_artifacts
from ingot.kit.blobs import BlobMissing
from ingot.kit.clock import now
from ingot.kit.services import Services


def find_archive(conn: Connection, job_id: int) -> ArchiveRow | None:
    """The archive of a job with its pipeline's lock, or None."""
    return conn.execute(
        select(job_artifacts, pipelines.c.is_locked)
        .join_from(job_artifacts, pipelines, pipelines.c.id == job_artifacts.c.pipeline_id)
        .where(job_artifacts.c.job_id == job_id, job_artifacts.c.file_type == "archive")
    ).one_or_none()


def is_expired(archive: ArchiveRow) -> bool:
    """It has expired, although it may still be stored."""
    return archive.expire_at is not None and archive.expire_at <= now()


def is_available(archive: ArchiveRow | None) -> TypeGuard[ArchiveRow]:
    """It exists, and has not expired or is protected as the newest of its ref."""
    return archive is not None and (archive.is_locked or not is_expired(archive))


def find_file(services: Services, archive: ArchiveRow, path: str) -> ZipEntry | None:
    """One file of an archive through its index, in three small reads; folders and paths upwards are refused."""
    if archive.index_key is None or not path or path.endswith("/") or ".." in path.split("/"):
        return None
    try:
        return find_entry(BlobRange(services.blobs, archive.index_key), path)
    except (ZipUnreadable, BlobMissing):
        return None


def entries_of(services: Services, archive: ArchiveRow) -> list[ZipEntry] | None:
    """All entries of an archive; None where it has no index."""
    if archive.index_key is None:
        return None
    try:
        return list_entries(BlobRange(services.blobs, archive.index_key))
    except (ZipUnreadable, BlobMissing):
        return None
