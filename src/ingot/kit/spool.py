"""Bytes in a file without a name. One long object would be filled, copied and freed while every other thread waits."""

from collections.abc import Iterator
from io import FileIO
from tempfile import TemporaryFile
from weakref import finalize

PIECE = 256 * 1024


class Spool:
    """Written piece by piece, then read as often as wanted. The file goes with the object, or with the process."""

    def __init__(self) -> None:
        self._file = TemporaryFile(buffering=0)  # noqa: SIM115 - closed by the next line
        finalize(self, self._file.close)
        self.size = 0

    def write(self, piece: bytes) -> None:
        """Add to the end."""
        rest = memoryview(piece)
        while rest:
            rest = rest[self._file.write(rest) :]
        self.size += len(piece)

    def pieces(self) -> Iterator[bytes]:
        """The whole content."""
        self._file.seek(0)
        while piece := self._file.read(PIECE):
            yield piece

    def rewound(self) -> FileIO:
        """The file at its beginning, as the standard input of a process."""
        self._file.seek(0)
        return self._file
