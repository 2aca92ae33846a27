"""Writing audit events, in the transaction of the change that they report."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection, insert, select

from ingot.access.tables import namespaces, projects
from ingot.features.integrations.audit_events.params import INSTANCE
from ingot.features.integrations.audit_events.tables import audit_events
from ingot.identity.tables import users
from ingot.kit.changes import Change, current_origin
from ingot.kit.clock import now

NOBODY = -1
LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class Subject:
    """A place that an event belongs to, or the record that was changed."""

    type: str
    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One event. `words` says what happened: `add`, `remove`, `change` with `from` and `to`, or `custom_message`."""

    event_name: str
    entity: Subject
    target: Subject
    words: dict[str, object] = field(default_factory=dict)
    author: Subject | None = None  # None: who sent the request


def write(tx: Connection, entries: Iterable[Entry]) -> None:
    """Store the events."""
    origin, moment = current_origin(), now()
    address = None if origin is None else origin.address
    sender = _sender()
    rows = []
    for entry in entries:
        author = entry.author or sender
        details = {
            **entry.words,
            "author_name": author.name,
            "author_class": author.type,
            "target_id": entry.target.id,
            "target_type": entry.target.type,
            "target_details": entry.target.name[:LONGEST_NAME],
            "ip_address": address,
            "entity_path": entry.entity.name,
        }
        rows.append(
            {
                "author_id": author.id,
                "entity_type": entry.entity.type,
                "entity_id": entry.entity.id,
                "event_name": entry.event_name,
                "details": details,
                "created_at": moment,
            }
        )
    if rows:
        tx.execute(insert(audit_events), rows)


def _sender() -> Subject:
    origin = current_origin()
    if origin is None:
        return Subject("Gitlab::Audit::UnauthenticatedAuthor", NOBODY, "The server")
    actor = origin.actor
    if actor.user_id is None:
        return Subject("Gitlab::Audit::UnauthenticatedAuthor", NOBODY, "An unauthenticated user")
    by = f" (by {actor.impersonator})" if actor.impersonator else ""
    return Subject("User", actor.user_id, actor.name + by)


def place_of(tx: Connection, change: Change) -> Subject:
    """The project, group or user that a change belongs to, else the instance."""
    if change.project_id is not None:
        return project_subject(tx, change.project_id)
    if change.group_id is not None:
        return group_subject(tx, change.group_id)
    if change.user_id is not None:
        return user_subject(tx, change.user_id)
    return Subject(INSTANCE, 1, "gitlab_instance")


def project_subject(tx: Connection, project_id: int) -> Subject:
    """A project by its path."""
    path = tx.execute(select(projects.c.full_path).where(projects.c.id == project_id)).scalar_one_or_none()
    return Subject("Project", project_id, path or "")


def group_subject(tx: Connection, group_id: int) -> Subject:
    """A group by its path."""
    path = tx.execute(select(namespaces.c.full_path).where(namespaces.c.id == group_id)).scalar_one_or_none()
    return Subject("Group", group_id, path or "")


def user_subject(tx: Connection, user_id: int, *, by_name: bool = False) -> Subject:
    """A user by user name, or by name."""
    column = users.c.name if by_name else users.c.username
    return Subject("User", user_id, tx.execute(select(column).where(users.c.id == user_id)).scalar_one_or_none() or "")
