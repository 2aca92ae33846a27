"""Signatures of commits and tags, and the bytes that they sign."""

from __future__ import annotations

import msgspec
import pygit2

from ingot.gitstore.repository import Repository

_MARKS = (
    b"-----BEGIN PGP SIGNATURE-----",
    b"-----BEGIN PGP MESSAGE-----",
    b"-----BEGIN SSH SIGNATURE-----",
    b"-----BEGIN SIGNED MESSAGE-----",
)


class SignedObject(msgspec.Struct, frozen=True):
    """A signature and what it signs."""

    signature: bytes
    payload: bytes

    @property
    def count(self) -> int:
        """How many signatures there are."""
        return sum(self.signature.count(mark) for mark in _MARKS)


def signed_commit(repo: Repository, sha: str) -> SignedObject | None:
    """The signature of a commit, or None."""
    commit = repo.find_object(sha)
    if not isinstance(commit, pygit2.Commit):
        return None
    head, _, message = commit.read_raw().partition(b"\n\n")
    signature: list[bytes] = []
    lines: list[bytes] = []
    current = b""
    for line in head.split(b"\n"):
        name, _, value = line.partition(b" ")
        current = name or current  # a line that begins with a space belongs to the header before
        if current == b"gpgsig":
            signature.append(value)
        elif current != b"gpgsig-sha256":
            lines.append(line)
    if not signature:
        return None
    return SignedObject(b"\n".join(signature) + b"\n", b"\n".join(lines) + b"\n\n" + message)


def signed_tag(repo: Repository, target: str) -> SignedObject | None:
    """The signature at the end of an annotated tag, or None."""
    tag = repo.find_object(target)
    if not isinstance(tag, pygit2.Tag):
        return None
    raw = tag.read_raw()
    # Git takes the last line that begins a signature.
    start = max(raw.rfind(b"\n" + mark) for mark in _MARKS) + 1
    return SignedObject(raw[start:], raw[:start]) if start else None
