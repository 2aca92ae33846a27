"""The objects of Git LFS that an archive holds: the project's own, and those that an import brought for its wiki."""

from collections.abc import Iterator

import msgspec

from ingot.features.code.lfs_objects import LFS_FOLDER, LFS_LIST, PROJECT, objects_of_project, repository_kinds
from ingot.features.transfer.project_exports.leftover_files import preserved_files
from ingot.features.transfer.project_exports.rows import PreservedFile
from ingot.kit.blobs import BlobMissing
from ingot.kit.services import Services


class LargeFile(msgspec.Struct, frozen=True):
    """An object, its content in the store, and the kinds of repositories that use it."""

    oid: str
    blob_key: str
    size: int
    kinds: tuple[int, ...]


def large_files(services: Services, project_id: int) -> Iterator[LargeFile]:
    """Every object once."""
    preserved = {file.path: file for file in preserved_files(services, project_id)}
    listed = _preserved_list(services, preserved.get(LFS_LIST))
    for row in objects_of_project(services, project_id):
        preserved.pop(f"{LFS_FOLDER}/{row.oid}", None)
        yield LargeFile(row.oid, row.blob_key, row.size, tuple(sorted({PROJECT, *listed.get(row.oid, ())})))
    for path, file in preserved.items():
        folder, _, oid = path.partition("/")
        if folder == LFS_FOLDER:
            yield LargeFile(oid, file.blob_key, file.size, listed.get(oid, (PROJECT,)))


def _preserved_list(services: Services, file: PreservedFile | None) -> dict[str, tuple[int, ...]]:
    if file is None:
        return {}
    try:
        listed = msgspec.json.decode(services.blobs.read(file.blob_key), type=dict[str, object])
    except BlobMissing:
        return {}
    return {oid: repository_kinds(value) or (PROJECT,) for oid, value in listed.items()}
