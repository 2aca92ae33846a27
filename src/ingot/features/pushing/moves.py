"""What became of a push that nobody was told of: which refs it moved, and whether others moved them on since."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.events import ZERO_SHA, RefChange
from ingot.access.push_notes import push_notes
from ingot.features.pipelines.tables import pipelines
from ingot.features.projects import repository_of
from ingot.gitstore import GitError, Repository, objects, refs, revisions
from ingot.kit.services import Services


@dataclass(frozen=True, slots=True)
class Moves:
    """`changes`: from before the push to where the refs are now. `overtaken`: to where the push itself moved them."""

    changes: tuple[RefChange, ...] = ()
    overtaken: tuple[RefChange, ...] = ()

    @property
    def own(self) -> tuple[RefChange, ...]:
        """What the push itself did, as if it had been told of at once."""
        found = {change.ref: change for change in (*self.changes, *self.overtaken)}
        return tuple(found.values())


def moves_of(services: Services, conn: Connection, project: Any, row: Any) -> Moves:
    """The refs that the push of this note moved; none while it is still under way, or if it lost a race."""
    repository = repository_of(services, project)
    if not repository.exists():
        return Moves()
    later = _seen_later(conn, row)
    changes, overtaken = [], []
    for ref, old in row.refs.items():
        present = refs.find_ref(repository, ref) or ZERO_SHA
        new = (row.moved_to or {}).get(ref)
        if new is None:  # not known before: the next push found it there, or it is there still
            new = next((found for found in later.get(ref, ()) if found != old), present)
        if new == old or not _took_place(conn, repository, row, ref, new, present, later.get(ref, ())):
            continue
        if present != old:
            changes.append(RefChange(ref, old, present))
        if present != new:
            overtaken.append(RefChange(ref, old, new))
    return Moves(tuple(changes), tuple(overtaken))


def _seen_later(conn: Connection, row: Any) -> dict[str, Sequence[str]]:
    """Where later pushes, as far as they are still noted, found the refs, the next one first."""
    found: dict[str, dict[str, None]] = {}
    others = select(push_notes.c.refs).where(push_notes.c.project_id == row.project_id, push_notes.c.id > row.id)
    for before in conn.execute(others.order_by(push_notes.c.id)).scalars():
        for ref, old in before.items():
            found.setdefault(ref, {})[old] = None
    return {ref: tuple(values) for ref, values in found.items()}


def _took_place(
    conn: Connection, repository: Repository, row: Any, ref: str, new: str, present: str, later: Sequence[str]
) -> bool:
    """The ref was where the push wanted it: it still is, somebody built on it, or found it there."""
    if new in (present, *later):
        return True
    if present == row.refs[ref] or ZERO_SHA in (new, present):
        return False
    if not revisions.has_object(repository, new):
        return False
    try:
        if objects.is_ancestor(repository, new, present):
            return True
    except (GitError, ValueError, KeyError):
        return False
    name = ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
    after = select(pipelines.c.id).where(
        pipelines.c.project_id == row.project_id, pipelines.c.ref == name, pipelines.c.before_sha == new
    )
    return conn.execute(after.limit(1)).first() is not None
