"""Contents of the relation files: lines of the tree, the project's own attributes, or files in a tar."""

from collections.abc import Iterator
from contextlib import closing
from typing import IO

import msgspec
from sqlalchemy import Connection

from ingot.access.subjects import Project
from ingot.archives.pack import ArchiveWriter, encoded
from ingot.features.spaces.projects import repository_of
from ingot.features.transfer.project_exports import (
    PRESERVED_SINGLES,
    SINGLES,
    collections,
    large_files,
    preserved_collections,
    preserved_records,
    root,
)
from ingot.features.transfer.uploads import uploads_of_project
from ingot.gitstore.bundle import bundle_chunks
from ingot.kit.blobs import BlobMissing
from ingot.kit.services import Services

SELF = "self"
BUNDLES = {"repository": ("", "project.bundle"), "design": ("design", "project.design.bundle")}
LARGE_FILES = "lfs_objects"
FILES = ("avatar", "uploads", LARGE_FILES, *BUNDLES)


def relations() -> tuple[str, ...]:
    """All relations that can be exported separately."""
    return (SELF, *collections(), *SINGLES, *preserved_collections(), *PRESERVED_SINGLES, *FILES)


def file_name(relation: str) -> str:
    """What a download is called."""
    ending = "json.gz" if relation == SELF else "tar.gz" if relation in FILES else "ndjson.gz"
    return f"{relation}.{ending}"


def lines(services: Services, conn: Connection, project: Project, relation: str) -> Iterator[bytes]:
    """The records of a relation of the tree, one JSON document each."""
    encode = msgspec.json.Encoder().encode
    if relation == SELF:
        yield encode(root(services, conn, project, None))
    elif relation in SINGLES:
        document = SINGLES[relation](services, conn, project)
        if document is not None:
            yield encode(document)
    elif (records := collections().get(relation)) is not None:
        yield from (b"".join(encoded(record)) for record in records(services, conn, project))
    else:
        yield from (encode(record) for record in preserved_records(conn, project.id, relation))


def write_files(services: Services, project: Project, relation: str, target: IO[bytes]) -> int:
    """The files of a relation as a tar; returns how many."""
    count = 0
    with ArchiveWriter(target) as writer:
        if relation in BUNDLES:
            kind, name = BUNDLES[relation]
            chunks = bundle_chunks(repository_of(services, project, kind))
            if chunks is not None:
                with closing(chunks):
                    writer.add_chunks(name, chunks, packed=True)
                count = 1
            return count
        for name, key in _stored(services, project, relation):
            try:
                writer.add_chunks(name, services.blobs.chunks(key))
            except BlobMissing:
                continue
            count += 1
        if relation == LARGE_FILES:
            kinds = {file.oid: file.kinds for file in large_files(services, project.id) if file.oid in writer.digests}
            writer.add_document(f"{LARGE_FILES}.json", kinds)
    return count


def _stored(services: Services, project: Project, relation: str) -> Iterator[tuple[str, str]]:
    if relation == "avatar" and project.avatar:
        yield project.avatar.rsplit("/", 1)[-1], project.avatar
    if relation == "uploads":
        for path, upload in uploads_of_project(services, project.id):
            yield path.removeprefix("uploads/"), upload.blob_key
    if relation == LARGE_FILES:
        yield from ((file.oid, file.blob_key) for file in large_files(services, project.id))
