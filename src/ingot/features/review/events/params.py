"""Parameters of the lists of events."""

from datetime import date

from ingot.kit.params import CursorPaging, Param

ACTIONS = (
    "created", "updated", "closed", "reopened", "pushed", "commented", "merged", "joined", "left", "destroyed",
    "expired", "approved",
)  # fmt: skip
# The names of the filter and their actions; some kinds have no events here.
TARGETS = {
    "issue": "Issue",
    "milestone": "Milestone",
    "merge_request": "MergeRequest",
    "note": "Note",
    "project": "Project",
    "snippet": "Snippet",
    "user": "User",
    "wiki": "WikiPage::Meta",
    "design": "DesignManagement::Design",
    "epic": "Epic",
}


class ListEvents(CursorPaging):
    """Filters of every list of events."""

    action: str | None = Param("Only events of this action.", one_of=ACTIONS)
    target_type: str | None = Param("Only events of this kind of target.", one_of=tuple(TARGETS))
    before: date | None = Param("Only events before this day.")
    after: date | None = Param("Only events after this day.")
    sort: str = Param("Direction, by the time of the event.", default="desc", one_of=("asc", "desc"))


class ListOwnEvents(ListEvents):
    """Whose events."""

    scope: str | None = Param("`all`: the events of all projects of the caller.")


class ListUserEvents(ListEvents):
    """Whose events."""

    user_id: str = Param("The user's id or name.", required=True)
