"""Answers that are given again while nothing has changed: a repeated read then costs neither its queries nor a thread.

An answer belongs to the whole request (path, query, every header, address of the client), to the version of the
database that was read before it was made and to the refs of the repositories that it was read from, so a changed right,
setting, record or branch is seen by the very next request. It lasts for seconds and ends with the day: rules that
follow the clock (expired tokens and memberships) go by dates, and an actor says when a token ends sooner.
`Cache-Control: no-cache` asks for an answer that is made anew.
"""

import math
import time
from collections.abc import Hashable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from starlette.responses import Response
from starlette.types import Scope

from ingot.kit.call import Call
from ingot.kit.data_version import Versioned
from ingot.kit.ready_response import ReadyResponse
from ingot.kit.sources import Source

MOST_BYTES = 4 * 1024 * 1024
LARGEST = 256 * 1024
SECONDS = 10
DAY = 24 * 60 * 60


class Answer(NamedTuple):
    """What a handler answered, before the headers of the single request were added."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    route: str
    user_id: int | None
    until: float
    sources: Sequence[Source]

    def response(self) -> Response:
        """A response of its own, to which headers may be added."""
        response = ReadyResponse(self.body, self.status, [])
        response.raw_headers = list(self.headers)
        return response


class AnswerCache:
    """The answers of one process."""

    def __init__(self) -> None:
        self._answers: Versioned[bytes, Answer] = Versioned(MOST_BYTES)

    def get(self, version: Hashable | None, key: bytes) -> Answer | None:
        """The answer to this request, if it still holds."""
        answer = self._answers.get(version, key)
        if answer is None or time.time() >= answer.until:
            return None
        return answer if all(source.is_unchanged() for source in answer.sources) else None

    def put(self, call: Call, key: bytes, response: Response, sources: Sequence[Source]) -> None:
        """Keep the answer to a call, if it can be given again."""
        if (
            response.status_code not in (200, 304)
            or type(response) not in (ReadyResponse, Response)
            or call.limit_headers
        ):
            return
        body = bytes(response.body)
        if len(body) > LARGEST:
            return
        now = time.time()
        answer = Answer(
            response.status_code,
            list(response.raw_headers),
            body,
            call.endpoint.path,
            call.actor.user_id,
            min(now + SECONDS, (now // DAY + 1) * DAY, call.actor.valid_until or math.inf),
            sources,
        )
        self._answers.put(call.version, key, answer, len(body) + 1024)

    def forget(self) -> None:
        """Make every answer anew."""
        self._answers.forget()


def key_of(scope: Scope) -> bytes | None:
    """What names a request, as a digest: the tokens in it are not held. None where the answer has to be made anew."""
    if scope["method"] != "GET":
        return None
    client = scope.get("client")
    parts = [
        scope.get("raw_path") or scope["path"].encode(),
        scope["query_string"],
        scope["scheme"].encode(),
        client[0].encode() if client else b"",
    ]
    for header in scope["headers"]:
        if header[0] == b"cache-control" and b"no-cache" in header[1]:
            return None
        parts += header
    # A line break ends each part; none of them can hold one.
    return blake2b(b"\n".join(parts), digest_size=20).digest()
