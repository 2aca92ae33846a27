"""The objects of Git LFS that files point to."""

from ingot.access.call import Call
from ingot.features.code.lfs_objects import LfsObjectRow, find_objects
from ingot.features.code.repository.opening import offers_large_files
from ingot.gitstore.new_objects import POINTER_BYTES, pointer_name
from ingot.kit.blobs import StoreUnavailable


def pointed_object(call: Call, content: bytes) -> LfsObjectRow | None:
    """The object that a file's content points to, if the project has it: a pointer alone opens nothing."""
    oid = pointer_name(content) if len(content) < POINTER_BYTES else None
    if oid is None or not offers_large_files(call):
        return None
    return find_objects(call.conn, call.project.id, [oid]).get(oid)


def can_be_sent(call: Call, content: bytes) -> bool:
    """The object is there, and so are its bytes."""
    row = pointed_object(call, content)
    try:
        return row is not None and call.services.blobs.exists(row.blob_key)
    except StoreUnavailable:
        return True  # whoever asks for it later may have more luck
