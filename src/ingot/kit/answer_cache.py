"""Answers that are given again while nothing has changed: a repeated read then costs neither its queries nor a thread.

An answer belongs to the whole request (path, query, every header but `If-None-Match`, address of the client), to the
version of the database that was read before it was made and to the refs of the repositories that it was read from, so a
changed right, setting, record or branch is seen by the very next request. It lasts for seconds and ends with the day:
rules that follow the clock (expired tokens and memberships) go by dates, and an actor says when a token ends sooner.
`Cache-Control: no-cache` asks for an answer that is made anew.

A request is also given an answer to the same request whose making began after it arrived, whatever was written
meanwhile: all that such an answer shows was read later than the request came. Of equal requests that arrived together
one is answered anew, and the others are given its answer.
"""

import math
import threading
import time
from collections.abc import Hashable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from starlette.responses import Response
from starlette.types import Scope

from ingot.kit.actor import Actor
from ingot.kit.call import Call
from ingot.kit.data_version import Versioned
from ingot.kit.ready_response import ReadyResponse
from ingot.kit.sources import Source

MOST_BYTES = 4 * 1024 * 1024
MOST_BYTES_FOR_WAITING = 1024 * 1024
LARGEST = 256 * 1024
SECONDS = 10
QUICK = 0.006  # seconds of processor time
DAY = 24 * 60 * 60


class Answer(NamedTuple):
    """What a handler answered, before the headers of the single request were added."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    route: str
    actor: Actor
    until: float
    sources: Sequence[Source]
    is_counted: bool  # giving it counts as a request

    def response(self) -> Response:
        """A response of its own, to which headers may be added."""
        response = ReadyResponse(self.body, self.status, [])
        response.raw_headers = list(self.headers)
        return response


class Newest(NamedTuple):
    """The newest answer to a request, when its making began (by `perf_counter`) and what it took."""

    began: float
    processor_time: float
    answer: Answer


class AnswerCache:
    """The answers of one process."""

    def __init__(self) -> None:
        self._answers: Versioned[bytes, Answer] = Versioned(MOST_BYTES)
        self._lock = threading.Lock()
        self._newest: dict[bytes, Newest] = {}
        self._size = 0

    def get(self, version: Hashable | None, key: bytes) -> Answer | None:
        """The answer to this request, if it still holds."""
        answer = self._answers.get(version, key)
        if answer is None or time.time() >= answer.until:
            return None
        return answer if all(source.is_unchanged() for source in answer.sources) else None

    def made_since(self, arrival: float, key: bytes) -> Answer | None:
        """The answer to this request, if its making began after this time (of `perf_counter`)."""
        newest = self._newest.get(key)
        return newest.answer if newest is not None and newest.began > arrival else None

    def was_quick(self, key: bytes) -> bool:
        """Whether making the answer to this request took little, not long ago."""
        newest = self._newest.get(key)
        if newest is None or newest.began < time.perf_counter() - SECONDS:
            return False
        return newest.processor_time < QUICK

    def put(
        self, call: Call, key: bytes, response: Response, sources: Sequence[Source], began: float, processor_time: float
    ) -> None:
        """Keep the answer to a call, if it can be given again; its making began at this time, before any look."""
        answer = _repeatable(call, response, sources)
        size = 0 if answer is None else _size_of(answer)
        with self._lock:
            before = self._newest.pop(key, None)
            self._size += size - (_size_of(before.answer) if before is not None else 0)
            if answer is None:
                return
            # Each is of use for as long as requests wait, so that all can go at once.
            if self._size > MOST_BYTES_FOR_WAITING:
                self._newest.clear()
                self._size = size
            self._newest[key] = Newest(began, processor_time, answer)
        # After a write nobody would be given the answer, and it would take the place of newer ones.
        version = call.versions.data
        if call.services.db.quick_version() in (None, version):
            self._answers.put(version, key, answer, size)

    def forget(self) -> None:
        """Make every answer anew."""
        self._answers.forget()
        with self._lock:
            self._newest.clear()
            self._size = 0


def _size_of(answer: Answer) -> int:
    return len(answer.body) + 1024


def _repeatable(call: Call, response: Response, sources: Sequence[Source]) -> Answer | None:
    """The answer as it can be given again; None where it is for this call alone."""
    if response.status_code != 200 or type(response) not in (ReadyResponse, Response):
        return None
    body = bytes(response.body)
    if len(body) > LARGEST:
        return None
    now = time.time()
    return Answer(
        response.status_code,
        list(response.raw_headers),
        body,
        call.endpoint.path,
        call.actor,
        min(now + SECONDS, (now // DAY + 1) * DAY, call.actor.valid_until or math.inf),
        sources,
        bool(call.limit_headers),
    )


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
        if header[0] != b"if-none-match":
            parts += header
    # A line break ends each part; none of them can hold one.
    return blake2b(b"\n".join(parts), digest_size=20).digest()
