"""Reading one file out of a multipart body as it arrives: nothing of it is kept in memory or on disk."""

import hashlib
from collections.abc import AsyncIterator
from email.message import Message

from python_multipart import MultipartParser
from python_multipart.exceptions import MultipartParseError
from starlette.requests import ClientDisconnect, Request

from ingot.kit.errors import Malformed

_MAX_HEADERS = 16 * 1024
_MAX_FIELDS = 64 * 1024
_PIECE = 256 * 1024


class IncomingFile:
    """The part named `file` of a request; iterate it once. Name, size and digest are known afterwards.

    Parts that are no files are in `fields`: those before the file from the first piece on, the others at the end.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        self._queue: list[bytes] = []
        self._headers: list[tuple[bytes, bytes]] = []
        self._name, self._value, self._header_size = b"", b"", 0
        self._is_file = False
        self._field: str | None = None
        self._texts: dict[str, bytearray] = {}
        self._text_size = 0
        self.filename = ""
        self.has_file = False
        self.ended = False
        self.size = 0
        self._digest = hashlib.sha256()

    @property
    def sha256(self) -> str:
        """Digest of what was read."""
        return self._digest.hexdigest()

    @property
    def fields(self) -> dict[str, str]:
        """What came beside the file so far."""
        return {name: text.decode("utf-8", "replace") for name, text in self._texts.items()}

    async def __aiter__(self) -> AsyncIterator[bytes]:
        parser = self._parser()
        pieces: list[bytes] = []
        waiting = 0
        try:
            async for chunk in self._request.stream():
                parser.write(chunk)
                for piece in self._queue:
                    pieces.append(piece)
                    waiting += len(piece)
                self._queue.clear()
                if waiting >= _PIECE:
                    yield self._seen(b"".join(pieces))
                    pieces, waiting = [], 0
            parser.finalize()
        except (MultipartParseError, ClientDisconnect):
            raise Malformed from None
        if not self.ended:
            # Cut off in the middle: an incomplete file is refused.
            raise Malformed
        if pieces:
            yield self._seen(b"".join(pieces))

    def _seen(self, piece: bytes) -> bytes:
        self.size += len(piece)
        self._digest.update(piece)
        return piece

    def _parser(self) -> MultipartParser:
        header = Message()
        header["content-type"] = self._request.headers.get("content-type", "")
        boundary = header.get_param("boundary")
        if header.get_content_type() != "multipart/form-data" or not isinstance(boundary, str) or not boundary:
            raise Malformed
        return MultipartParser(
            boundary.encode("latin-1", "replace"),
            {
                "on_part_begin": self._on_part_begin,
                "on_part_data": self._on_part_data,
                "on_header_field": self._on_header_field,
                "on_header_value": self._on_header_value,
                "on_header_end": self._on_header_end,
                "on_headers_finished": self._on_headers_finished,
                "on_end": self._on_end,
            },
        )

    def _on_part_begin(self) -> None:
        self._headers, self._header_size = [], 0

    def _on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]
        self._count(end - start)

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]
        self._count(end - start)

    def _count(self, size: int) -> None:
        self._header_size += size
        if self._header_size > _MAX_HEADERS:
            raise Malformed

    def _on_header_end(self) -> None:
        self._headers.append((self._name.lower(), self._value))
        self._name, self._value = b"", b""

    def _on_headers_finished(self) -> None:
        disposition = dict(self._headers).get(b"content-disposition", b"")
        header = Message()
        header["content-disposition"] = disposition.decode("utf-8", "replace")
        name = header.get_param("name", header="content-disposition")
        # A second part of the name would be another file: the first one counts.
        self._is_file = name == "file" and not self.has_file
        self._field = None
        if self._is_file:
            self.has_file = True
            self.filename = header.get_filename() or ""
        elif isinstance(name, str) and name != "file" and header.get_filename() is None:
            self._field = name
            self._texts[name] = bytearray()

    def _on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self._is_file:
            self._queue.append(data[start:end])
        elif self._field is not None:
            self._text_size += end - start
            if self._text_size > _MAX_FIELDS:
                raise Malformed
            self._texts[self._field] += data[start:end]

    def _on_end(self) -> None:
        self.ended = True
