"""The objects of Git LFS that an archive holds: the project's own, and those that an import brought for its wiki."""

from collections.abc import Iterator

import msgspec

from ingot.features.code.lfs_objects import LFS_FOLDER, LFS_LIST, PROJECT, objects_of_project, repository_kinds
from ingot.features.transfer.project_exports.leftover_files import preserved_files
from ingot.kit.blobs import BlobMissing
from ingot.kit.services import Services


class LargeFile(msgspec.Struct, frozen=True):
    """An object, its content in the store, and the kinds of repositories that use it."""

    oid: str
    blob_key: str
    kinds: tuple[int, ...]


def large_files(services: Services, project_id: int) -> Iterator[LargeFile]:
    """Every object once."""
    preserved = {file.path: file.blob_key for file in preserved_files(services, project_id)}
    listed = _preserved_list(services, preserved.get(LFS_LIST))
    for row in objects_of_project(services, project_id):
        preserved.pop(f"{LFS_FOLDER}/{row.oid}", None)
        yield LargeFile(row.oid, row.blob_key, tuple(sorted({PROJECT, *listed.get(row.oid, ())})))
    for path, key in preserved.items():
        folder, _, oid = path.partition("/")
        if folder == LFS_FOLDER:
            yield LargeFile(oid, key, listed.get(oid, (PROJECT,)))


def _preserved_list(services: Services, key: str | None) -> dict[str, tuple[int, ...]]:
    if key is None:
        return {}
    try:
        listed = msgspec.json.decode(services.blobs.read(key), type=dict[str, object])
    except BlobMissing:
        return {}
    return {oid: repository_kinds(value) or (PROJECT,) for oid, value in listed.items()}
