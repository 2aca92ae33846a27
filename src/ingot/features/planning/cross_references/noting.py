"""Adds a system note to each issuable that a text mentions, once for each pair.

In the same project a note is added where all its readers may know of the source. In other projects the note names its
source, and is shown only to those who may read that (`readable_notes`).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import Connection, and_, bindparam, or_, select

from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.features.planning.issuables import (
    Audience,
    IssuableKind,
    Source,
    Target,
    name_in,
    path_of,
    references,
)
from ingot.features.planning.notes import add_system_note, notes
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users
from ingot.kit.db import take_turn
from ingot.kit.services import Services

# Nobody mentions more on purpose, and databases limit the values of one statement.
MOST_NAMED = 100
Numbers = Mapping[str, Sequence[int]]  # by the path of the project, in lower case

_USER = select(users).where(users.c.id == bindparam("user_id"))
_NOTED = select(notes.c.noteable_id).where(
    notes.c.noteable_type == bindparam("kind"),
    notes.c.noteable_id.in_(bindparam("named", expanding=True)),
    notes.c.system,
)
_SAME_WORDS = notes.c.body == bindparam("words")
_SAME_SOURCE = and_(
    notes.c.source_type == bindparam("of_type"),
    notes.c.source_id == bindparam("of_id"),
    notes.c.system_action == "cross_reference",
)
# Texts from other projects may differ after a rename.
_NOTED_COMMIT = _NOTED.where(or_(_SAME_WORDS, notes.c.body.endswith(bindparam("commit"))))
_NOTED_SOURCE = _NOTED.where(or_(_SAME_WORDS, _SAME_SOURCE))


class Mention(msgspec.Struct, frozen=True):
    """A text of a source in a project: an issuable, or a commit."""

    project: ProjectRow
    user_id: int | None
    text: str
    title: str  # `merge request`
    sign: str
    number: int | str
    audience: Audience  # of the source
    source: Source  # an issuable does not mention itself

    def body(self, reader: ProjectRow) -> str:
        """The text of the note in a project."""
        return f"mentioned in {self.title} {name_in(reader.full_path, self.project.full_path, self.sign, self.number)}"


class Named(msgspec.Struct, frozen=True):
    """Something that a text names."""

    id: int
    project: ProjectRow


def add_mention_notes(
    services: Services, mention: Mention, kinds: Sequence[IssuableKind], noted_elsewhere: frozenset[str] = frozenset()
) -> None:
    """Add a note to everything of these kinds that the text mentions.

    `noted_elsewhere` are kinds whose mentions in the same project another room notes.
    """
    numbers = {kind.type: _numbers(mention, kind, kind.type in noted_elsewhere) for kind in kinds}
    if not any(numbers.values()):
        return
    with services.db.read() as conn:
        unnoted = [(kind, _unnoted(conn, mention, kind, numbers[kind.type])) for kind in kinds if numbers[kind.type]]
    if not any(named for _, named in unnoted):
        return
    with services.db.write() as tx:
        take_turn(tx, f"cross_references:{mention.project.id}")  # the same text may be written twice concurrently
        for kind, named in unnoted:
            known = _known(tx, mention, kind, named)
            for one in named:
                if one.id not in known:
                    _add_note(tx, mention, kind, one)


def _add_note(tx: Connection, mention: Mention, kind: IssuableKind, named: Named) -> None:
    target = Target(kind.type, named.id, named.project.id)
    source = None if named.project.id == mention.project.id else mention.source
    add_system_note(tx, target, mention.user_id, "cross_reference", mention.body(named.project), source=source)


def _numbers(mention: Mention, kind: IssuableKind, only_elsewhere: bool) -> Numbers:
    """Numbers by the path of their project."""
    result: dict[str, list[int]] = defaultdict(list)
    here = mention.project.full_path_lower
    for place, number in references(mention.text, kind.sign)[:MOST_NAMED]:
        path = path_of(place, mention.project.full_path)
        if not (only_elsewhere and path == here):
            result[path].append(number)
    return result


def _unnoted(conn: Connection, mention: Mention, kind: IssuableKind, numbers: Numbers) -> list[Named]:
    """What is named, that the author can read and that has no such note yet."""
    user = conn.execute(_USER, {"user_id": mention.user_id}).one_or_none()
    if user is None:
        return []
    table = kind.table
    conditions = (and_(projects.c.full_path_lower == path, table.c.iid.in_(iids)) for path, iids in numbers.items())
    query = (
        select(table.c.id, table.c.project_id)
        .join_from(table, projects, projects.c.id == table.c.project_id)
        .where(or_(*conditions), kind.readable(actor_of_user(user)))
        .order_by(table.c.id)
    )
    rows = [row for row in conn.execute(query) if (kind.type, row.id) != mention.source]
    places = _projects(conn, mention.project, {row.project_id for row in rows})
    named = [Named(row.id, places[row.project_id]) for row in rows]
    known = _known(conn, mention, kind, named)
    return [one for one in named if one.id not in known and _may_know(conn, mention, kind, one)]


def _projects(conn: Connection, here: ProjectRow, ids: set[int]) -> dict[int, ProjectRow]:
    result = {here.id: here}
    if elsewhere := ids - result.keys():
        result |= {row.id: row for row in conn.execute(select(projects).where(projects.c.id.in_(elsewhere)))}
    return result


def _known(conn: Connection, mention: Mention, kind: IssuableKind, named: Sequence[Named]) -> set[int]:
    """Ids of issuables that have such a note."""
    if not named:
        return set()
    values = {"kind": kind.type, "named": [one.id for one in named], "words": mention.body(mention.project)}
    if mention.source.type == "Commit":
        result = conn.execute(_NOTED_COMMIT, {**values, "commit": f"@{mention.number}"})
    else:
        source = {"of_type": mention.source.type, "of_id": mention.source.id}
        result = conn.execute(_NOTED_SOURCE, {**values, **source})
    return set(result.scalars())


def _may_know(conn: Connection, mention: Mention, kind: IssuableKind, named: Named) -> bool:
    """Mentions in a confidential issue are noted only on confidential issues, whose readers may read the source."""
    if named.project.id != mention.project.id or mention.audience.is_open:
        return True
    readers = kind.audience(conn, mention.project, named.id)
    return not readers.is_open and readers.level >= mention.audience.level
