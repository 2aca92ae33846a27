"""Files of archives that are not modelled (LFS objects, snippet bundles): stored unchanged."""

import hashlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import BigInteger, Column, ForeignKey, String, Table, delete, insert, select

from ingot.archives.lines import read_document
from ingot.archives.unpack import ArchiveRefused
from ingot.archives.walk import files_below
from ingot.kit.blobs.references import refers_to_blobs
from ingot.kit.db import Id, metadata
from ingot.kit.services import Services

KEPT_FOLDERS = ("uploads", "lfs-objects", "snippets")
LFS_LIST = "lfs-objects.json"

archive_files = Table(
    "archive_files",
    metadata,
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("path", String(1024), primary_key=True),
    Column("blob_key", String(1100), nullable=False),
    Column("size", BigInteger, nullable=False),
)

refers_to_blobs("archive-files/", lambda: select(archive_files.c.blob_key))


def preserve_files(services: Services, project_id: int, folder: Path, placed: Collection[str] = ()) -> int:
    """Store the files of an unpacked archive that were not placed elsewhere; returns how many.

    A second attempt stores the same again.
    """
    listed = _lfs_list(folder)
    count = 0
    for path in _files_to_keep(folder):
        count += 1
        name = str(path.relative_to(folder))
        if name in placed:
            continue
        if name.startswith("lfs-objects/"):
            name = f"lfs-objects/{_oid(path, listed)}"
        key = f"archive-files/{project_id}/{name}"
        size = services.blobs.put_file(key, path)
        with services.db.write() as tx:
            mine = (archive_files.c.project_id == project_id) & (archive_files.c.path == name)
            tx.execute(delete(archive_files).where(mine))
            tx.execute(insert(archive_files).values(project_id=project_id, path=name, blob_key=key, size=size))
    return count


def _files_to_keep(folder: Path) -> Iterator[Path]:
    for name in KEPT_FOLDERS:
        yield from files_below(folder / name)
    if (folder / LFS_LIST).is_file():
        yield folder / LFS_LIST


def _lfs_list(folder: Path) -> dict[str, Any] | None:
    """The list of LFS objects, None where the archive has none."""
    place = folder / LFS_LIST
    if not place.is_file() or place.name.startswith("."):
        return None
    result = read_document(place)
    if not isinstance(result, dict):
        raise ArchiveRefused("Incorrect JSON format")
    return result


def _oid(path: Path, listed: dict[str, Any] | None) -> str:
    """The object's id by its content, whatever the file is called."""
    with path.open("rb") as file:
        oid = hashlib.file_digest(file, "sha256").hexdigest()
    if listed is not None and oid not in listed:
        raise ArchiveRefused("An LFS object of the archive is not in its list")
    return oid


def preserved_files(services: Services, project_id: int) -> Iterator[Any]:
    """The kept files of a project, in the order of their paths."""
    with services.db.read() as conn:
        query = select(archive_files).where(archive_files.c.project_id == project_id).order_by(archive_files.c.path)
        yield from conn.execute(query).all()
