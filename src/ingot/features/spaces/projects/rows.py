"""Rows as typed records, for passing between functions."""

from typing import Protocol

from ingot.access.rows import ProjectRow
from ingot.identity.rows import BasicUserRow


class OwnedNamespaceRow(BasicUserRow, Protocol):
    """A namespace and the person whom it belongs to; of a group, the person's columns are null."""

    namespace_id: int
    namespace_name: str
    namespace_path: str
    kind: str
    full_path: str
    parent_id: int | None
    namespace_avatar: str | None
    lfs_enabled: bool | None  # what its groups say


class ListedProjectRow(ProjectRow, Protocol):
    """A project of a list, with the actor's level in it."""

    actor_level: int | None
