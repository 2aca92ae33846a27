"""Parameters of the milestone endpoints."""

from datetime import date, datetime
from typing import ClassVar

from ingot.kit.params import Paging, Param, Params


class ListMilestones(Paging):
    """Filters of a project's milestones."""

    iids: list[int] = Param("Only these internal ids.", comma=True)
    state: str | None = Param("`active` or `closed`.", one_of=("active", "closed"))
    title: str | None = Param("Exact title.")
    search: str | None = Param("Part of the title or description.")
    include_ancestors: bool = Param(
        "Milestones of the groups above too.", default=False, aliases=("include_parent_milestones",)
    )
    updated_before: datetime | None = Param("Changed up to this time.")
    updated_after: datetime | None = Param("Changed since this time.")


class ListGroupMilestones(ListMilestones):
    """Filters of a group's milestones."""

    include_descendants: bool = Param("Milestones of the groups below too.", default=False)


class GetMilestone(Params):
    """One milestone."""

    milestone_id: int = Param("The milestone's global id.", required=True)


class CreateMilestone(Params):
    """A new milestone."""

    title: str = Param("Title.", required=True)
    description: str | None = Param("Description.")
    due_date: date | None = Param("Due date.")
    start_date: date | None = Param("Start date.")


class UpdateMilestone(GetMilestone):
    """Changes of a milestone."""

    title: str | None = Param("Title.")
    description: str | None = Param("Description.")
    due_date: date | None = Param("Due date.")
    start_date: date | None = Param("Start date.")
    state_event: str | None = Param("`close` or `activate`.", one_of=("close", "activate"))
    at_least_one: ClassVar[tuple[str, ...]] = ("title", "description", "start_date", "due_date", "state_event")
