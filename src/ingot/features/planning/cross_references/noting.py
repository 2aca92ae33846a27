"""Adds a system note to each issuable that a text mentions, once for each pair, if readers may know of the source."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.features.planning.issuables import Audience, IssuableKind, Target, references
from ingot.features.planning.notes import add_system_note, notes
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users
from ingot.kit.db import take_turn
from ingot.kit.services import Services

# Nobody means more; databases take only so many values in one statement.
MOST_NAMED = 100


@dataclass(frozen=True, slots=True)
class Mention:
    """A text of a source in a project; `body` is the note that it leaves."""

    project: ProjectRow
    user_id: int | None
    text: str
    body: str
    audience: Audience  # of the source
    source: tuple[str, int] | None = None  # type and id of an issuable, which does not mention itself


def add_mention_notes(services: Services, mention: Mention, kinds: Sequence[IssuableKind]) -> None:
    """Leave a note on everything of these kinds that the text names."""
    numbers = {kind: _numbers(mention, kind) for kind in kinds}
    if not any(numbers.values()):
        return
    with services.db.read() as conn:
        if not any(_unnoted(conn, mention, kind, numbers[kind]) for kind in kinds):
            return
    with services.db.write() as tx:
        take_turn(tx, f"cross_references:{mention.project.id}")  # the same text may be written twice at once
        for kind in kinds:
            for target_id in _unnoted(tx, mention, kind, numbers[kind]):
                target = Target(kind.type, target_id, mention.project.id)
                add_system_note(tx, target, mention.user_id, "cross_reference", mention.body)


def _numbers(mention: Mention, kind: IssuableKind) -> list[int]:
    """Numbers in the same project: readers of others may not know of this one, so they are not told."""
    here = (None, mention.project.full_path_lower, mention.project.full_path_lower.rsplit("/", 1)[-1])
    named = references(mention.text, kind.sign)
    return [iid for place, iid in named if (place.lower() if place else None) in here][:MOST_NAMED]


def _unnoted(conn: Connection, mention: Mention, kind: IssuableKind, numbers: list[int]) -> list[int]:
    """Ids of what is named, that the author can read and that has no such note yet."""
    user = conn.execute(select(users).where(users.c.id == mention.user_id)).one_or_none()
    if user is None or not numbers:
        return []
    table = kind.table
    named = conn.execute(
        select(table.c.id)
        .join_from(table, projects, projects.c.id == table.c.project_id)
        .where(table.c.project_id == mention.project.id, table.c.iid.in_(numbers), kind.readable(actor_of_user(user)))
        .order_by(table.c.id)
    ).scalars()
    ids = [number for number in named if (kind.type, number) != mention.source]
    noted = select(notes.c.noteable_id).where(
        notes.c.noteable_type == kind.type, notes.c.noteable_id.in_(ids), notes.c.system, notes.c.body == mention.body
    )
    known = set(conn.execute(noted).scalars())
    return [number for number in ids if number not in known and _may_know(conn, mention, kind, number)]


def _may_know(conn: Connection, mention: Mention, kind: IssuableKind, target_id: int) -> bool:
    """Whoever reads the target reads the source: what a confidential issue names is told among such only."""
    if mention.audience.is_open:
        return True
    readers = kind.audience(conn, mention.project, target_id)
    return not readers.is_open and readers.level >= mention.audience.level
