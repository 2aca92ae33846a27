"""Former positions of refs, from the notes of pushes."""

from bisect import bisect_right
from collections import defaultdict

from sqlalchemy import Connection, bindparam, select

from ingot.features.code.pushing.notes import push_notes

_NEWER = (
    select(push_notes.c.id, push_notes.c.refs)
    .where(push_notes.c.project_id == bindparam("project_id"), push_notes.c.id > bindparam("after"))
    .order_by(push_notes.c.id)
)


class LaterNotes:
    """For notes that are processed in order: each later note is read once."""

    def __init__(self) -> None:
        self._read_to: dict[int, int] = {}
        self._positions: defaultdict[tuple[int, str], list[tuple[int, str]]] = defaultdict(list)
        self._last: dict[tuple[int, str, str], int] = {}

    def read(self, conn: Connection, project_id: int, note_id: int) -> None:
        """Read the notes after this one that were not read yet."""
        after = max(self._read_to.get(project_id, 0), note_id)
        for row in conn.execute(_NEWER, {"project_id": project_id, "after": after}):
            after = row.id
            for ref, sha in row.refs.items():
                self._positions[project_id, ref].append((row.id, sha))
                self._last[project_id, ref, sha] = row.id
        self._read_to[project_id] = after

    def next_other(self, project_id: int, note_id: int, ref: str, old: str) -> str | None:
        """The first position other than `old` at which a later push found the ref."""
        result = self._positions.get((project_id, ref), [])
        for number in range(bisect_right(result, note_id, key=lambda one: one[0]), len(result)):
            if result[number][1] != old:
                return result[number][1]
        return None

    def was_at(self, project_id: int, note_id: int, ref: str, sha: str) -> bool:
        """Whether a later push found the ref there."""
        return self._last.get((project_id, ref, sha), 0) > note_id
