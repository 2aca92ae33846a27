"""Small raw files as they were sent last.

A file of a commit never changes, and neither do its headers. Which commit a name means and who may read it is asked
each time, so all that is saved is reading the same bytes again.
"""

from pathlib import Path

from starlette.responses import Response

from ingot.kit.ready_response import Header, ReadyResponse

MOST_BYTES = 2 * 1024 * 1024
LARGEST = 16 * 1024
HEAD_BYTES = 2 * 1024  # what the headers and the key of a file take

Key = tuple[Path, str, str, str]  # the repository, the commit, the file's path, the name that was asked for


class SmallFiles:
    """The files of one process, shared by its threads."""

    def __init__(self) -> None:
        self._known: dict[Key, tuple[bytes, list[Header]]] = {}
        self._size = 0

    def find(self, key: Key) -> Response | None:
        """A response of its own, to which headers may be added."""
        known = self._known.get(key)
        if known is None:
            return None
        body, headers = known
        response = ReadyResponse(body, 200, [])
        response.raw_headers = list(headers)
        return response

    def keep(self, key: Key, response: Response) -> Response:
        """Remember a whole file, if it is small."""
        body = bytes(response.body) if type(response) is ReadyResponse and response.status_code == 200 else None
        if body is not None and len(body) <= LARGEST:
            if self._size > MOST_BYTES:
                self._known.clear()
                self._size = 0
            self._size += len(body) + HEAD_BYTES
            self._known[key] = body, list(response.raw_headers)
        return response
