"""System notes: changes of a noteable, as text for its readers."""

import secrets
from datetime import datetime

from sqlalchemy import Connection, insert

from ingot.features.planning.issuables import Source, Target
from ingot.features.planning.notes.tables import notes
from ingot.kit.clock import now


def new_discussion_id() -> str:
    """A fresh discussion id: forty hexadecimal digits."""
    return secrets.token_hex(20)


_INSERT = insert(notes).returning(notes.c.id)


def add_system_note(
    tx: Connection,
    target: Target,
    author_id: int | None,
    action: str,
    body: str,
    *,
    at: datetime | None = None,
    commit_count: int | None = None,
    source: Source | None = None,
) -> int:
    """Record an event; it counts neither as a comment nor as a thread. `source` lies in another project."""
    moment = at or now()
    values = {
        "project_id": target.project_id,
        "noteable_type": target.type,
        "noteable_id": target.id,
        "author_id": author_id,
        "body": body,
        "discussion_id": new_discussion_id(),
        "system": True,
        "system_action": action,
        "system_commit_count": commit_count,
        "source_type": None if source is None else source.type,
        "source_id": None if source is None else source.id,
        "created_at": moment,
        "updated_at": moment,
    }
    return int(tx.execute(_INSERT, values).scalar_one())
