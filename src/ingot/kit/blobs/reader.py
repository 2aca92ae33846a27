"""An object as a raw, seekable, read-only file."""

import io
from typing import TYPE_CHECKING

from ingot.kit.blobs.errors import translated

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer
    from obstore import ReadableFile


class BlobFile(io.RawIOBase):
    """Wraps the library's reader, whose reads give buffers of its own and whose errors are its own."""

    def __init__(self, key: str, reader: "ReadableFile") -> None:
        super().__init__()
        self._key = key
        self._reader = reader

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        view = memoryview(buffer).cast("B")
        with translated(self._key):
            piece = memoryview(self._reader.read(len(view)))
        view[: len(piece)] = piece
        return len(piece)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return self._reader.seek(offset, whence)

    def tell(self) -> int:
        return self._reader.tell()
