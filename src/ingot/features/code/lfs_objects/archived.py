"""Objects of Git LFS in archives of projects: `lfs-objects/<oid>`, and a list that says which repositories use them."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from sqlalchemy import select

from ingot.archives.lines import read_document
from ingot.archives.unpack import ArchiveRefused
from ingot.archives.walk import files_below
from ingot.features.code.lfs_objects.commands import link, object_key
from ingot.features.code.lfs_objects.queries import find_objects
from ingot.features.code.lfs_objects.rows import LfsObjectRow
from ingot.features.code.lfs_objects.tables import lfs_objects
from ingot.kit.services import Services

LFS_FOLDER = "lfs-objects"
LFS_LIST = "lfs-objects.json"
PROJECT = 0
# Old archives write null for the project's own repository.
_KINDS: dict[object, int] = {None: PROJECT, 0: 0, 1: 1, 2: 2, "project": 0, "wiki": 1, "design": 2}
_PAGE = 500


class ArchivedObject(msgspec.Struct, frozen=True):
    """An object of an unpacked archive."""

    path: Path
    oid: str
    size: int
    kinds: tuple[int, ...]  # of repositories: 0 the project's, 1 its wiki, 2 its designs


def objects_in(folder: Path) -> Iterator[ArchivedObject]:
    """The objects of an unpacked archive; raises where one is not in the list.

    An object is called by the hash of its content, whatever its file is called.
    """
    listed = _read_list(folder)
    for path in files_below(folder / LFS_FOLDER):
        with path.open("rb") as file:
            oid = hashlib.file_digest(file, "sha256").hexdigest()
        if listed is not None and oid not in listed:
            raise ArchiveRefused("An LFS object of the archive is not in its list")
        yield ArchivedObject(path, oid, path.stat().st_size, (PROJECT,) if listed is None else listed[oid])


def check_objects(folder: Path, beat: Callable[[], None]) -> None:
    """Raise where an object of an unpacked archive cannot be taken, before anything is stored."""
    for _ in objects_in(folder):
        beat()


def _read_list(folder: Path) -> dict[str, tuple[int, ...]] | None:
    """The kinds of repositories by object, None where the archive has no list."""
    place = folder / LFS_LIST
    if not place.is_file():
        return None
    result = read_document(place)
    if not isinstance(result, dict):
        raise ArchiveRefused("Incorrect JSON format")
    listed = {}
    for oid, value in result.items():
        kinds = repository_kinds(value)
        if kinds is None:
            raise ArchiveRefused("The list of LFS objects names a repository that is none")
        listed[oid] = kinds
    return listed


def repository_kinds(value: object) -> tuple[int, ...] | None:
    """The repositories that use an object, None where the list names one that is none."""
    if not isinstance(value, list) or not all(isinstance(kind, int | str | None) and kind in _KINDS for kind in value):
        return None
    return tuple(sorted({_KINDS[kind] for kind in value})) or (PROJECT,)


def store_objects(services: Services, project_id: int, folder: Path) -> list[ArchivedObject]:
    """Give the project its objects; returns those of its other repositories. A second attempt goes on where one
    ended."""
    others = []
    for item in objects_in(folder):
        if PROJECT in item.kinds:
            _store(services, project_id, item)
        if item.kinds != (PROJECT,):
            others.append(item)
    return others


def _store(services: Services, project_id: int, item: ArchivedObject) -> None:
    with services.db.read() as conn:
        if find_objects(conn, project_id, [item.oid]):
            return
    key = object_key(item.oid)
    services.blobs.put_file(key, item.path)
    with services.db.write() as tx:
        link(tx, project_id, item.oid, item.size, key)


def objects_of_project(services: Services, project_id: int) -> Iterator[LfsObjectRow]:
    """Every object of the project, a page at a time."""
    last = 0
    while True:
        mine = (lfs_objects.c.project_id == project_id) & (lfs_objects.c.id > last)
        with services.db.read() as conn:
            rows = conn.execute(select(lfs_objects).where(mine).order_by(lfs_objects.c.id).limit(_PAGE)).all()
        if not rows:
            return
        yield from rows
        last = rows[-1].id
