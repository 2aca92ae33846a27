"""Seeing whether a parameter did anything: the answer of a call and the reads that follow it, compared as leaves."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx

from ingot.kit.endpoint import Endpoint
from tests.support.client import Client
from tests.support.walking import ENDPOINTS

READS = {one.path: one for one in ENDPOINTS if one.method == "GET"}
Leaves = dict[tuple[Any, ...], Any]
Body = dict[str, Any]
Follow = Callable[[str, Any, Body], Iterable[str]]  # by the address, the answer and what was sent


def is_clock(at: tuple[Any, ...]) -> bool:
    """Clocks differ between two calls, or not, as it happens: of them only counts whether they are set."""
    return any(str(key).endswith(("_at", "duration")) and key != "expires_at" for key in at)


@dataclass
class Observation:
    """What a call showed."""

    status: int
    text: str = ""
    leaves: Leaves = field(default_factory=dict)

    @property
    def succeeded(self) -> bool:
        return self.status < 300

    def shows(self, value: Any, before: "Observation") -> bool:
        """The value stands somewhere where it did not stand before."""
        places = [at for at, leaf in self.leaves.items() if str(leaf) == str(value)]
        if any(str(before.leaves.get(at)) != str(value) for at in places):
            return True
        return isinstance(value, str) and len(value) > 5 and value in self.text and value not in before.text

    @property
    def first_part(self) -> "Observation":
        """The answer, without the reads."""
        return Observation(self.status, self.text, {at: leaf for at, leaf in self.leaves.items() if at[0] == 0})

    def differs(self, other: "Observation", noise: set[tuple[Any, ...]] | None = None) -> bool:
        """Something else than what always changes differs."""
        return bool(differing(self.leaves, other.leaves) - (noise or set()))


def differing(one: Leaves, other: Leaves) -> set[tuple[Any, ...]]:
    """Where two observations differ."""
    missing = object()
    return {at for at in one.keys() | other.keys() if one.get(at, missing) != other.get(at, missing)}


@dataclass
class Attempt:
    """A call that was made (or none), what it answered, and where to read on."""

    client: Client
    url: str
    sent: Body
    reply: httpx.Response | None
    follow: Follow

    def answer(self) -> Observation:
        """The answer alone."""
        if self.reply is not None and self.reply.status_code >= 300:
            return Observation(self.reply.status_code, self.reply.text[:300])
        return _observation([self._said()])

    def whole(self) -> Observation:
        """The answer and what can be read afterwards."""
        answer = self.answer()
        if not answer.succeeded:
            return answer
        body = self._said()
        parts = [body]
        for read in self.follow(self.url, body, self.sent):
            shown = self.client.get(read)
            parts.append(_body(shown) if shown.status_code < 300 else None)
        return _observation(parts)

    def _said(self) -> Any:
        return None if self.reply is None else _body(self.reply)


def _observation(parts: list[Any]) -> Observation:
    leaves = {
        (number, *at): (value is not None) if is_clock(at) else value
        for number, part in enumerate(parts)
        for at, value in _leaves(part)
    }
    return Observation(200, repr(parts), leaves)


def _body(reply: httpx.Response) -> Any:
    is_json = reply.headers.get("content-type", "").startswith("application/json")
    return reply.json() if is_json and reply.content else reply.text


def _leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _leaves(part, (*at, name))
    elif isinstance(value, list):
        yield at, len(value)
        for number, part in enumerate(value):
            yield from _leaves(part, (*at, number))
    else:
        yield at, value


def default_reads(endpoint: Endpoint, url: str, body: Any, _sent: Body) -> Iterator[str]:
    """The reads that show what the call did: the same path, the thing that was made, or what it is part of."""
    if endpoint.method != "POST" and endpoint.path in READS:
        yield url
        return
    if isinstance(body, dict):
        for path in READS:
            match = re.fullmatch(re.escape(endpoint.path) + r"/\{(\w+?)(:int)?\}", path)
            key = _key_of(match[1], body) if match is not None else None
            if key is not None:
                yield f"{url}/{key}"
                return
    path, above = endpoint.path, url
    while path.count("/") > 1:
        path, above = path.rpartition("/")[0], above.rpartition("/")[0]
        if path in READS and "{" in path.rpartition("/")[2]:
            yield above
            return


def _key_of(name: str, body: dict[str, Any]) -> Any:
    for candidate in (name, name.rpartition("_")[2], "id"):
        if body.get(candidate) is not None:
            return body[candidate]
    return None
