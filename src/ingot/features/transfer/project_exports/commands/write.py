"""Writing the archive: rows to lines, repository to bundle, all in a stream."""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import IO

from sqlalchemy import Connection

from ingot import __version__
from ingot.access.subjects import Project
from ingot.archives.pack import ArchiveWriter
from ingot.archives.seal import SEAL_FILE, make_seal
from ingot.features.code.lfs_objects import LFS_FOLDER, LFS_LIST
from ingot.features.spaces.projects import repository_of
from ingot.features.transfer.project_exports.leftover_files import KEPT_FOLDERS, preserved_files
from ingot.features.transfer.project_exports.leftovers import preserved_records, preserved_relations
from ingot.features.transfer.project_exports.lfs_files import large_files
from ingot.features.transfer.project_exports.relations import (
    OLD_SINGLES,
    PRESERVED_SINGLES,
    SINGLES,
    Records,
    collections,
    preserved_collections,
)
from ingot.features.transfer.project_exports.relations.members import records, records_with_inherited
from ingot.features.transfer.project_exports.relations.settings import root
from ingot.features.transfer.project_exports.relations.snippets import BUNDLE, bundles
from ingot.features.transfer.project_exports.rows import PreservedFile
from ingot.features.transfer.project_exports.stages import FILES, RECORDS, REPOSITORIES, Stand
from ingot.features.transfer.uploads import uploads_of_project
from ingot.gitstore.bundle import bundle_chunks
from ingot.instance import instance_uuid
from ingot.kit.blobs import BlobMissing
from ingot.kit.services import Services

VERSION = "0.2.4"
REPORTED_EVERY = 100  # records
Progress = Callable[[str, int], None]


def write_archive(
    services: Services,
    project: Project,
    target: IO[bytes],
    description: str | None,
    progress: Progress,
    stand: Stand | None = None,
    *,
    group_members: bool = False,
    addresses: bool = False,
) -> None:
    """The whole archive of a project, as readers of GitLab's archives expect it.

    `group_members`: members of the groups above are written too, for those who manage them. `addresses`: mail addresses
    that are not public are written too, for administrators, who see them anyway. Before each call of `progress`,
    `stand` says how far the archive is.
    """
    stand = stand or Stand()
    with ArchiveWriter(target) as writer, services.db.scan() as conn:
        writer.add_bytes("VERSION", VERSION.encode())
        writer.add_bytes("GITLAB_VERSION", f"17.9.0-ingot-{__version__}".encode())
        writer.add_bytes("GITLAB_REVISION", b"00000000000")
        stand.begin(REPOSITORIES)
        _repositories(services, project, writer, progress, stand)
        people = partial(records_with_inherited if group_members else records, addresses=addresses)
        relations: dict[str, Records] = {**collections(), "project_members": people}
        writer.add_document("tree/project.json", root(services, conn, project, description))
        _tree(services, conn, project, writer, relations, progress, stand)
        _avatar(services, project, writer)
        stand.begin(FILES, *_count_files(services, project))
        _uploads(services, project, writer, progress, stand)
        _preserved_files(services, project, writer, progress, stand)
        _large_files(services, project, writer, progress, stand)
        _snippets(services, conn, project, writer, progress, stand)
        uuid = instance_uuid(services.db, conn)
        writer.add_bytes(SEAL_FILE, make_seal(uuid, services.secret_key, writer.digests))


def _with_progress(name: str, chunks: Iterable[bytes], progress: Progress, stand: Stand) -> Iterator[bytes]:
    """The pieces of a large file; reports progress before each, and may be cancelled."""
    for chunk in chunks:
        progress(name, 0)
        yield chunk
        stand.bytes += len(chunk)


def _counted_records(
    name: str, records: Iterable[Mapping[str, object]], progress: Progress, stand: Stand
) -> Iterator[Mapping[str, object]]:
    """Records, with progress after every few, so that a long list is seen to move and can be cancelled."""
    for number, record in enumerate(records, 1):
        yield record
        stand.records += 1
        if number % REPORTED_EVERY == 0:
            progress(name, 0)


def _repositories(
    services: Services, project: Project, writer: ArchiveWriter, progress: Progress, stand: Stand
) -> None:
    for kind, name in (("", "project.bundle"), ("wiki", "project.wiki.bundle"), ("design", "project.design.bundle")):
        repository = repository_of(services, project, kind)
        if not repository.exists():
            continue
        chunks = bundle_chunks(repository)
        if chunks is not None:
            with closing(chunks):
                writer.add_chunks(name, _with_progress(name, chunks, progress, stand), packed=True)


def _tree(
    services: Services,
    conn: Connection,
    project: Project,
    writer: ArchiveWriter,
    relations: dict[str, Records],
    progress: Progress,
    stand: Stand,
) -> None:
    def add(name: str, lines: Iterable[Mapping[str, object]]) -> None:
        counted = _counted_records(name, lines, progress, stand)
        count = writer.add_lines(f"tree/project/{name}.ndjson", counted)
        stand.parts += 1
        progress(name, count)

    # Attributes that are not modelled are written back unchanged.
    known = {*relations, *SINGLES}
    remaining = preserved_relations(conn, project.id)
    others = remaining - known - set(preserved_collections()) - set(PRESERVED_SINGLES) - set(OLD_SINGLES)
    preserved = (*preserved_collections(), *sorted(others))
    stand.begin(RECORDS, len(relations) + len(preserved))
    for name, item in relations.items():
        add(name, item(services, conn, project))
    for name, document in SINGLES.items():
        writer.add_document(f"tree/project/{name}.ndjson", document(services, conn, project))
    for name in preserved:
        add(name, preserved_records(conn, project.id, name))
    for name in (*PRESERVED_SINGLES, *(remaining & set(OLD_SINGLES))):
        writer.add_document(f"tree/project/{name}.ndjson", next(preserved_records(conn, project.id, name), None))


def _count_files(services: Services, project: Project) -> tuple[int, int]:
    """How many files the archive will hold, and their bytes."""
    sizes = [upload.size for _, upload in uploads_of_project(services, project.id)]
    sizes += [file.size for file in _other_files(services, project)]
    sizes += [file.size for file in large_files(services, project.id)]
    return len(sizes), sum(sizes)


def _large_files(services: Services, project: Project, writer: ArchiveWriter, progress: Progress, stand: Stand) -> None:
    """Objects of Git LFS, and a list of them, which is always written."""
    listed = {}
    for file in large_files(services, project.id):
        if _add_stored(services, writer, f"{LFS_FOLDER}/{file.oid}", file.blob_key, progress, stand):
            listed[file.oid] = file.kinds
    writer.add_document(LFS_LIST, listed)


def _snippets(
    services: Services,
    conn: Connection,
    project: Project,
    writer: ArchiveWriter,
    progress: Progress,
    stand: Stand,
) -> None:
    """Bundles of snippets: the one that came with the snippet while it is unchanged, else one of the files."""
    preserved = {file.path: file.blob_key for file in preserved_files(services, project.id)}
    for path, chunks in bundles(conn, project, set(preserved)):
        if chunks is None:
            _add_stored(services, writer, path, preserved[path], progress, stand)
        else:
            writer.add_chunks(path, _with_progress("snippets", chunks, progress, stand), packed=True)
    writer.add_folder("snippets")


def _other_files(services: Services, project: Project) -> Iterator[PreservedFile]:
    """Files whose names are neither those of uploads nor of bundles: what an import brought and nobody here reads."""
    for file in preserved_files(services, project.id):
        if file.path.startswith(KEPT_FOLDERS) and BUNDLE.fullmatch(file.path) is None:
            yield file


def _preserved_files(
    services: Services, project: Project, writer: ArchiveWriter, progress: Progress, stand: Stand
) -> None:
    for file in _other_files(services, project):
        _add_stored(services, writer, file.path, file.blob_key, progress, stand)


def _add_stored(
    services: Services, writer: ArchiveWriter, path: str, key: str, progress: Progress, stand: Stand
) -> bool:
    """A file of the store; False, and nothing is written, where it is missing there."""
    try:
        chunks = _with_progress(path.partition("/")[0], services.blobs.chunks(key), progress, stand)
        writer.add_chunks(path, chunks)
    except BlobMissing:
        return False
    finally:
        stand.parts += 1
    return True


def _uploads(services: Services, project: Project, writer: ArchiveWriter, progress: Progress, stand: Stand) -> None:
    for path, upload in uploads_of_project(services, project.id):
        _add_stored(services, writer, path, upload.blob_key, progress, stand)


def _avatar(services: Services, project: Project, writer: ArchiveWriter) -> None:
    if not project.avatar:
        return
    try:
        writer.add_chunks(f"avatar/{project.avatar.rsplit('/', 1)[-1]}", services.blobs.chunks(project.avatar))
    except BlobMissing:
        return


class Workplace:
    """A folder for the work, removed at the end whatever happens."""

    def __init__(self, services: Services) -> None:
        base = services.settings.data_folder / "tmp"
        base.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix="export-", dir=base))

    def __enter__(self) -> Path:
        return self.folder

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
