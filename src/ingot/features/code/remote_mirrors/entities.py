"""Push mirrors on the wire."""

from collections.abc import Sequence
from datetime import datetime

from ingot.access.call import Call
from ingot.features.code.remote_mirrors.rows import MirrorRow
from ingot.kit.entity import Entity, wire_or_none
from ingot.kit.public_keys import read_public_key


class MirrorHostKey(Entity):
    """A key by which the host of a mirror is known."""

    fingerprint_sha256: str


class RemoteMirror(Entity):
    """A push mirror and its last update."""

    id: int
    enabled: bool
    url: str
    update_status: str
    last_update_at: datetime | None
    last_update_started_at: datetime | None
    last_successful_update_at: datetime | None
    last_error: str | None
    only_protected_branches: bool
    keep_divergent_refs: bool
    auth_method: str
    mirror_branch_regex: str | None
    host_keys: list[MirrorHostKey]


class MirrorPublicKey(Entity):
    """The key that the other server must let in."""

    public_key: str


def present(_call: Call, rows: Sequence[MirrorRow]) -> list[RemoteMirror]:
    """A page of push mirrors."""
    return [
        RemoteMirror(
            id=row.id,
            enabled=row.enabled,
            url=row.shown_url,
            update_status=row.update_status,
            last_update_at=wire_or_none(row.last_update_at),
            last_update_started_at=wire_or_none(row.last_update_started_at),
            last_successful_update_at=wire_or_none(row.last_successful_update_at),
            last_error=row.last_error,
            only_protected_branches=row.only_protected_branches,
            keep_divergent_refs=row.keep_divergent_refs,
            auth_method=row.auth_method,
            mirror_branch_regex=row.mirror_branch_regex,
            host_keys=[
                MirrorHostKey(fingerprint_sha256=f"SHA256:{key.sha256}")
                for text in row.host_keys
                if (key := read_public_key(text)) is not None
            ],
        )
        for row in rows
    ]
