"""Parameters of the label endpoints."""

from typing import ClassVar

from ingot.kit.params import Paging, Param, Params


class ListLabels(Paging):
    """Filters of a project's labels."""

    with_counts: bool = Param("Count issues and merge requests.", default=False)
    include_ancestor_groups: bool = Param("Labels of the groups above too.", default=True)
    search: str | None = Param("Part of the name or description.")


class ListGroupLabels(ListLabels):
    """Filters of a group's labels."""

    include_descendant_groups: bool = Param("Labels of the groups below too.", default=False)
    only_group_labels: bool = Param("Leave the projects' labels out.", default=True)


class GetLabel(Params):
    """Options of a single label."""

    include_ancestor_groups: bool = Param("Look in the groups above too.", default=True)


class CreateGroupLabel(Params):
    """A new label."""

    name: str = Param("Name.", required=True)
    color: str = Param("`#rrggbb`, or a CSS colour name.", required=True)
    description: str | None = Param("Description.")


class CreateLabel(CreateGroupLabel):
    """A new label of a project."""

    priority: int | None = Param("Priority; zero or above.")


class UpdateGroupLabel(Params):
    """Changes of a label."""

    new_name: str | None = Param("New name.")
    color: str | None = Param("New colour.")
    description: str | None = Param("New description.")
    at_least_one: ClassVar[tuple[str, ...]] = ("new_name", "color", "description")


class UpdateLabel(UpdateGroupLabel):
    """Changes of a project's label."""

    priority: int | None = Param("New priority; empty removes it.")
    at_least_one = ("new_name", "color", "description", "priority")


class NamedLabel(Params):
    """A label named in the body."""

    label_id: int | None = Param("Id of the label.")
    name: str | None = Param("Name of the label.")
    exactly_one: ClassVar[tuple[str, ...]] = ("label_id", "name")


class UpdateNamedGroupLabel(NamedLabel, UpdateGroupLabel):
    """Changes of a group's label that is named in the body."""


class UpdateNamedLabel(NamedLabel, UpdateLabel):
    """Changes of a project's label that is named in the body."""
