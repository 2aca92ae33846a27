"""Reading SSH keys: by number, by fingerprint, and as others may see them."""

from collections.abc import Callable, Collection, Iterable, Sequence
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Connection, select

from ingot.features.people.users.rows import KeyProjectRow, MachineKeyRow, UserKeyRow
from ingot.features.people.users.tables import keys
from ingot.kit.errors import Failure
from ingot.kit.patterns import pattern
from ingot.kit.public_keys import read_public_key

_MD5 = pattern(r"(MD5:)?[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){15}")
_SHA256 = pattern(r"(?:SHA256|sha256):([A-Za-z0-9+/]{43})=?")
MALFORMED = "Failed to return the key"

KeyRows = Callable[[Connection], Iterable[MachineKeyRow]]
FindLinks = Callable[[Connection, int], Sequence[KeyProjectRow]]


class MachineKeys(msgspec.Struct, frozen=True):
    """Keys of another room, which belong to no user: all of them, and the projects that one of them opens."""

    rows: KeyRows
    projects: FindLinks


_machine_keys: list[MachineKeys] = []


def register_machine_keys(rows: KeyRows, projects: FindLinks) -> None:
    """Let fingerprints find the keys of another room."""
    _machine_keys.append(MachineKeys(rows, projects))


def find_key(conn: Connection, key_id: int) -> UserKeyRow | None:
    """A key by its number, or None."""
    return conn.execute(select(keys).where(keys.c.id == key_id)).one_or_none()


def find_by_fingerprint(conn: Connection, text: str) -> UserKeyRow | None:
    """A key by its MD5 or SHA-256, or None; an error where the text is neither."""
    if (sha256 := _SHA256.fullmatch(text)) is not None:
        return conn.execute(select(keys).where(keys.c.fingerprint == sha256[1])).one_or_none()
    if not _MD5.fullmatch(text):
        raise Failure(400, MALFORMED)
    # Not stored: only administrators with old programs use it, and it proves nothing.
    md5 = text.removeprefix("MD5:").lower()
    for row in conn.execute(select(keys.c.id, keys.c.key)):
        key = read_public_key(row.key)
        if key is not None and key.md5 == md5:
            return find_key(conn, row.id)
    return None


def find_machine_key(conn: Connection, text: str) -> tuple[MachineKeyRow, Sequence[KeyProjectRow]] | None:
    """A deploy key by its MD5 or SHA-256 with its projects, or None."""
    sha256 = _SHA256.fullmatch(text)
    wanted = text.removeprefix("MD5:") if sha256 is None else sha256[1]
    for machine in _machine_keys:
        for row in machine.rows(conn):
            key = read_public_key(row.key) if ":" in wanted else None
            if row.fingerprint == wanted or (key is not None and key.md5 == wanted.lower()):
                return row, machine.projects(conn, row.id)
    return None


def with_comment(text: str, name: str, base_url: str) -> str:
    """The key with its owner and this host as the comment, in place of what the owner wrote there."""
    return f"{' '.join(text.split()[:2])} {name} ({urlsplit(base_url).hostname})"


def find_keys_for_signing(conn: Connection, fingerprints: Collection[str]) -> dict[str, UserKeyRow]:
    """The keys with these SHA-256 whose owners sign with them."""
    if not fingerprints:
        return {}
    usable = keys.c.usage_type.in_(("signing", "auth_and_signing"))
    rows = conn.execute(select(keys).where(keys.c.fingerprint.in_(fingerprints), usable)).all()
    return {row.fingerprint: row for row in rows}
