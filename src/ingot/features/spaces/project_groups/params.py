"""Parameters of the lists between groups and projects."""

from ingot.access.levels import MEMBER_LEVELS
from ingot.features.spaces.projects import ListProjects
from ingot.kit.params import Paging, Param, Params

ORDERS = ("id", "name", "path", "created_at", "updated_at", "last_activity_at", "similarity", "star_count")


class SharedProjects(ListProjects):
    """Projects that were shared with a group."""

    order_by: str = Param("Order.", default="created_at", one_of=ORDERS)


class GroupProjects(SharedProjects):
    """Projects of a group."""

    with_shared: bool = Param("Also projects that were shared with the group.", default=True)
    include_subgroups: bool = Param("Also projects of the groups below.", default=False)
    include_ancestor_groups: bool = Param("Also projects of the groups above.", default=False)
    with_security_reports: bool = Param("Only projects whose jobs reported on security.", default=False)


class SearchGroups(Paging):
    """Groups by a part of their name or path."""

    search: str | None = Param("Part of the name or path.")


class ProjectGroups(SearchGroups):
    """Groups above a project, and those it is shared with."""

    skip_groups: list[int] = Param("Leave these out.", comma=True)
    with_shared: bool = Param("Also groups that the project was shared with.", default=False)
    shared_visible_only: bool = Param("Only shared groups that the caller may see.", default=False)
    shared_min_access_level: int | None = Param("Only shared groups with at least this role.", one_of=MEMBER_LEVELS)


class InvitedGroups(SearchGroups):
    """Groups that were invited."""

    relation: list[str] = Param("`direct` or `inherited`.", comma=True, one_of=("direct", "inherited"))
    min_access_level: int | None = Param("Only groups where the caller has this role.", one_of=MEMBER_LEVELS)


class MoveProject(Params):
    """The project to move."""

    project_id: str = Param("Id or path of the project.", required=True)
