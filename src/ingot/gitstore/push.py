"""Parsing the commands at the start of a push, and the answer that refuses it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping

import msgspec

from ingot.gitstore.errors import BadPush
from ingot.gitstore.model import ZERO_ID
from ingot.gitstore.names import BRANCHES, TAGS, is_sha
from ingot.gitstore.pkt_line import DATA, FLUSH, pkt, remote_lines, side_band
from ingot.gitstore.request_body import RequestBody

DECLINED = "pre-receive hook declined"
_MOST_BYTES = 32 << 20


class RefCommand(msgspec.Struct, frozen=True):
    ref: str
    old: str
    new: str

    @property
    def is_creation(self) -> bool:
        return self.old == ZERO_ID

    @property
    def is_deletion(self) -> bool:
        return self.new == ZERO_ID

    @property
    def branch(self) -> str | None:
        return self.ref[len(BRANCHES) :] if self.ref.startswith(BRANCHES) else None

    @property
    def tag(self) -> str | None:
        return self.ref[len(TAGS) :] if self.ref.startswith(TAGS) else None


class Push(msgspec.Struct, frozen=True):
    """`prefix` is what was read, to be handed to receive-pack before the rest of the body."""

    commands: tuple[RefCommand, ...]
    capabilities: frozenset[str]
    options: tuple[str, ...]
    prefix: bytes

    @property
    def has_side_band(self) -> bool:
        return "side-band-64k" in self.capabilities

    @property
    def wants_report(self) -> bool:
        return not self.capabilities.isdisjoint({"report-status", "report-status-v2"})


async def read_push(body: RequestBody) -> Push:
    """Take commands and push options from the start of the body. The pack stays in it."""
    commands: list[RefCommand] = []
    capabilities: frozenset[str] = frozenset()
    prefix = bytearray()
    while (line := await body.read_packet()) is not None:
        prefix += pkt(line)
        if len(prefix) > _MOST_BYTES:
            raise BadPush("The push changes too many references at once.")
        if line.startswith(b"shallow "):
            continue
        text, separator, words = line.partition(b"\0")
        if separator:
            capabilities = frozenset(words.decode("utf-8", "replace").split())
        commands.append(_command(text))
    prefix += FLUSH
    options: list[str] = []
    if "push-options" in capabilities:
        while (line := await body.read_packet()) is not None:
            prefix += pkt(line)
            options.append(line.decode("utf-8", "replace").rstrip("\n"))
            if len(prefix) > _MOST_BYTES:
                raise BadPush
        prefix += FLUSH
    return Push(tuple(commands), capabilities, tuple(options), bytes(prefix))


def _command(line: bytes) -> RefCommand:
    old, _, rest = line.rstrip(b"\n").decode("utf-8", "surrogateescape").partition(" ")
    new, _, name = rest.partition(" ")
    if not (is_sha(old) and is_sha(new)) or not name[:1].strip():
        raise BadPush
    return RefCommand(name, old, new)


def refusal(push: Push, messages: list[str], reasons: Mapping[str, str] | None = None) -> bytes:
    """An answer as if a hook had declined: the messages behind `remote: `, then every ref rejected.

    `reasons` names a ref's own reason; the others are shown as `pre-receive hook declined`.
    """
    given = reasons or {}
    report = b"".join(
        [
            pkt(b"unpack ok\n"),
            *(
                pkt(b"ng %s %s\n" % (_raw(command.ref), given.get(command.ref, DECLINED).encode("utf-8", "replace")))
                for command in push.commands
            ),
            FLUSH,
        ]
    )
    if not push.has_side_band:
        return report if push.wants_report else b""
    return remote_lines(messages) + (side_band(DATA, report) if push.wants_report else b"") + FLUSH


async def refuse(
    push: Push,
    body: RequestBody,
    messages: list[str],
    reasons: Mapping[str, str] | None = None,
    *,
    at_once: bool = False,
) -> AsyncGenerator[bytes]:
    """`refusal`, once the client has sent everything: many clients do not read before.

    `at_once`, over a connection that stays open: the client may be waiting for the answer before it ends its side.
    """
    if at_once:
        yield refusal(push, messages, reasons)
    await body.drain()
    if not at_once:
        yield refusal(push, messages, reasons)


def _raw(ref: str) -> bytes:
    return ref.encode("utf-8", "surrogateescape")
