"""Files of archives that the product has no place for (LFS objects, snippet bundles): kept as they came."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import BigInteger, Column, ForeignKey, String, Table, delete, insert, select

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


def keep_files(services: Services, project_id: int, folder: Path, placed: Collection[str] = ()) -> int:
    """Store the files of an unpacked archive that were not placed elsewhere; returns how many.

    A second attempt stores the same again.
    """
    found = [path for name in KEPT_FOLDERS for path in sorted((folder / name).rglob("*")) if path.is_file()]
    if (folder / LFS_LIST).is_file():
        found.append(folder / LFS_LIST)
    kept = [path for path in found if not path.name.startswith(".")]
    for path in kept:
        name = str(path.relative_to(folder))
        if name in placed:
            continue
        key = f"archive-files/{project_id}/{name}"
        size = services.blobs.put_file(key, path)
        with services.db.write() as tx:
            mine = (archive_files.c.project_id == project_id) & (archive_files.c.path == name)
            tx.execute(delete(archive_files).where(mine))
            tx.execute(insert(archive_files).values(project_id=project_id, path=name, blob_key=key, size=size))
    return len(kept)


def kept_files(services: Services, project_id: int) -> Iterator[Any]:
    """The kept files of a project, in the order of their paths."""
    with services.db.read() as conn:
        found = select(archive_files).where(archive_files.c.project_id == project_id).order_by(archive_files.c.path)
        yield from conn.execute(found).all()
