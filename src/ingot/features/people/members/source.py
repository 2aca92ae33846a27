"""The group or project of a membership, and the rules that differ between the two."""

import msgspec
from sqlalchemy import ColumnElement, Connection

from ingot.access.authorizations import refresh_groups, refresh_projects
from ingot.access.call import Call
from ingot.access.levels import MEMBER_LEVELS, MINIMAL, NO_ACCESS
from ingot.access.rows import NamespaceRow, ProjectRow
from ingot.access.tables import members
from ingot.access.turns import take_turn
from ingot.events import MembersChanged
from ingot.kit.actor import Actor


class Source(msgspec.Struct, frozen=True):
    """A group or project. `group_id` is the group whose members are inherited: itself, or the project's."""

    kind: str  # group | project
    id: int
    group_id: int

    @property
    def is_group(self) -> bool:
        """It is a group."""
        return self.kind == "group"

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels that a membership may have here."""
        return (MINIMAL, *MEMBER_LEVELS) if self.is_group else MEMBER_LEVELS

    @property
    def direct(self) -> ColumnElement[bool]:
        """Condition on `members`: a membership of exactly this group or project."""
        return (members.c.group_id if self.is_group else members.c.project_id) == self.id

    @property
    def key(self) -> dict[str, int]:
        """The columns that link a membership to it."""
        return {f"{self.kind}_id": self.id}

    def take_turn(self, tx: Connection) -> None:
        """Before its members change."""
        take_turn(tx, exclusive=self.is_group)

    def refresh(self, tx: Connection) -> None:
        """Recompute the rights that depend on its members."""
        if self.is_group:
            refresh_groups(tx, [self.id])
        else:
            refresh_projects(tx, [self.id])

    def changed(self, user_id: int) -> MembersChanged:
        """The event that reports a change."""
        return MembersChanged(user_id, **self.key)


def group_source(group: NamespaceRow) -> Source:
    """The source for a loaded group."""
    return Source("group", group.id, group.id)


def project_source(project: ProjectRow) -> Source:
    """The source for a loaded project."""
    return Source("project", project.id, project.namespace_id)


def outside_reader(call: Call) -> Actor | None:
    """The caller, unless a member: members know with whom it was shared."""
    place = call.group if call.group_or_none is not None else call.project
    return None if call.actor.is_admin or place.level > NO_ACCESS else call.actor


def source_of(call: Call) -> Source:
    """The source that the call's guard loaded."""
    return group_source(call.group) if call.group_or_none is not None else project_source(call.project)
