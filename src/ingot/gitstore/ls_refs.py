"""The command `ls-refs` of protocol 2, read from a request's body."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ingot.gitstore.pkt_line import DELIMITER, FLUSH, pkt

LARGEST = 16 * 1024
"""Bytes of a question that is answered here; git answers longer ones."""
_FLUSH, _DELIMITER = 0, 1
_KNOWN = (b"agent=", b"server-option=")


class LsRefs(msgspec.Struct, frozen=True):
    """What the client wants to know."""

    peel: bool
    symrefs: bool
    unborn: bool
    prefixes: tuple[bytes, ...]

    def matches(self, name: bytes) -> bool:
        """The client asked for this ref."""
        return not self.prefixes or name.startswith(self.prefixes)

    def body(self) -> bytes:
        """The question as git reads it."""
        flags = {b"peel": self.peel, b"symrefs": self.symrefs, b"unborn": self.unborn}
        words = [word for word, is_set in flags.items() if is_set]
        words += [b"ref-prefix " + prefix for prefix in self.prefixes]
        lines = [pkt(word + b"\n") for word in words]
        return b"".join([pkt(b"command=ls-refs\n"), pkt(b"object-format=sha1\n"), DELIMITER, *lines, FLUSH])


def parse(body: bytes) -> LsRefs | None:
    """None for other commands and for anything that git should judge."""
    packets = list(_packets(body)) if len(body) <= LARGEST else []
    if len(packets) < 2 or packets[0] != b"command=ls-refs" or packets[-1] != _FLUSH or _FLUSH in packets[:-1]:
        return None
    cut = packets.index(_DELIMITER) if _DELIMITER in packets else len(packets) - 1
    for word in packets[1:cut]:
        if not isinstance(word, bytes) or not (word == b"object-format=sha1" or word.startswith(_KNOWN)):
            return None
    flags: set[bytes] = set()
    prefixes: list[bytes] = []
    for word in packets[cut + 1 : -1]:
        if not isinstance(word, bytes):
            return None
        if word.startswith(b"ref-prefix "):
            prefixes.append(word.removeprefix(b"ref-prefix "))
        elif word in (b"peel", b"symrefs", b"unborn"):
            flags.add(word)
        else:
            return None
    return LsRefs(b"peel" in flags, b"symrefs" in flags, b"unborn" in flags, tuple(prefixes))


def _packets(body: bytes) -> Iterator[bytes | int]:
    """Lines without their line end, and the numbers of special packets; ends early, without a flush, on nonsense."""
    at = 0
    while at < len(body):
        header = body[at : at + 4]
        if len(header) != 4 or not header.isalnum():
            yield -1
            return
        try:
            length = int(header, 16)
        except ValueError:
            length = -1
        if length in (_FLUSH, _DELIMITER):
            yield length
            at += 4
        elif length < 4 or at + length > len(body):
            yield -1
            return
        else:
            yield body[at + 4 : at + length].removesuffix(b"\n")
            at += length
