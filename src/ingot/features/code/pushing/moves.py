"""The outcome of an unannounced push: which refs it moved, and whether others moved them since."""

import msgspec
from sqlalchemy import Connection

from ingot.access.rows import ProjectRow
from ingot.events import ZERO_SHA, RefChange
from ingot.features.code.pushing.hooks import was_seen_at
from ingot.features.code.pushing.later import LaterNotes
from ingot.features.code.pushing.rows import PushNoteRow
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import GitError, Repository, objects, refs, revisions
from ingot.kit.services import Services


class Moves(msgspec.Struct, frozen=True):
    """`changes`: from before the push to where the refs are now. `overtaken`: to where the push itself moved them."""

    changes: tuple[RefChange, ...] = ()
    overtaken: tuple[RefChange, ...] = ()

    @property
    def own(self) -> tuple[RefChange, ...]:
        """The changes of the push itself, as if it had been announced at once."""
        result = {change.ref: change for change in (*self.changes, *self.overtaken)}
        return tuple(result.values())


def moves_of(services: Services, conn: Connection, project: ProjectRow, row: PushNoteRow, later: LaterNotes) -> Moves:
    """The refs that the push of this note moved; none while it is still under way, or if it lost a race."""
    repository = repository_of(services, project)
    if not repository.exists():
        return Moves()
    later.read(conn, row.project_id, row.id)
    changes, overtaken = [], []
    for ref, old in row.refs.items():
        present = refs.find_ref(repository, ref) or ZERO_SHA
        new = (row.moved_to or {}).get(ref)
        if new is None:  # unknown before: the next push found it there, or it is still there
            new = later.next_other(row.project_id, row.id, ref, old) or present
        if new == old or not _took_place(conn, repository, row, ref, new, present, later):
            continue
        if present != old:
            changes.append(RefChange(ref, old, present))
        if present != new:
            overtaken.append(RefChange(ref, old, new))
    return Moves(tuple(changes), tuple(overtaken))


def _took_place(
    conn: Connection, repository: Repository, row: PushNoteRow, ref: str, new: str, present: str, later: LaterNotes
) -> bool:
    """Whether the ref was moved: it is still there, somebody built on it, or it had been there before."""
    if new == present or later.was_at(row.project_id, row.id, ref, new):
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
    return was_seen_at(conn, row.project_id, name, new)
