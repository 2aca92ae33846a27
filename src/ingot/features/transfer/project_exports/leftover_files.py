"""Files of archives that the product has no place for (large files of wikis, histories of snippets): kept as they
came."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from sqlalchemy import BigInteger, Column, ForeignKey, String, Table, delete, insert, select

from ingot.archives.walk import files_below
from ingot.features.code.lfs_objects import LFS_FOLDER, LFS_LIST, ArchivedObject
from ingot.features.transfer.project_exports.rows import PreservedFile
from ingot.kit.blobs.references import refers_to_blobs
from ingot.kit.db import Id, metadata
from ingot.kit.services import Services

KEPT_FOLDERS = ("uploads/", "snippets/")

archive_files = Table(
    "archive_files",
    metadata,
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("path", String(1024), primary_key=True),
    Column("blob_key", String(1100), nullable=False),
    Column("size", BigInteger, nullable=False),
)

refers_to_blobs("archive-files/", lambda: select(archive_files.c.blob_key))


def preserve_files(services: Services, project_id: int, folder: Path, placed: Collection[str] = ()) -> None:
    """Store the files of an unpacked archive that were not placed elsewhere. A second attempt stores the same again."""
    for place in KEPT_FOLDERS:
        for path in files_below(folder / place):
            name = path.relative_to(folder).as_posix()
            if name not in placed:
                _preserve(services, project_id, name, path)


def preserve_objects(services: Services, project_id: int, folder: Path, objects: Iterable[ArchivedObject]) -> None:
    """Store objects of Git LFS that belong to the wiki or to designs, and the list that says so."""
    for item in objects:
        _preserve(services, project_id, f"{LFS_FOLDER}/{item.oid}", item.path)
        _preserve(services, project_id, LFS_LIST, folder / LFS_LIST)


def _preserve(services: Services, project_id: int, name: str, path: Path) -> None:
    key = f"archive-files/{project_id}/{name}"
    size = services.blobs.put_file(key, path)
    with services.db.write() as tx:
        mine = (archive_files.c.project_id == project_id) & (archive_files.c.path == name)
        tx.execute(delete(archive_files).where(mine))
        tx.execute(insert(archive_files).values(project_id=project_id, path=name, blob_key=key, size=size))


def preserved_files(services: Services, project_id: int) -> Iterator[PreservedFile]:
    """The kept files of a project, in the order of their paths."""
    with services.db.read() as conn:
        query = select(archive_files).where(archive_files.c.project_id == project_id).order_by(archive_files.c.path)
        yield from conn.execute(query).all()
