"""Parameters of to-do items."""

from ingot.kit.params import Paging, Param, Params

ACTIONS = (
    "assigned", "mentioned", "build_failed", "marked", "approval_required", "unmergeable", "directly_addressed",
    "merge_train_removed", "review_requested", "member_access_requested", "review_submitted",
)  # fmt: skip
TYPES = ("Issue", "MergeRequest", "Commit", "Epic", "DesignManagement::Design", "AlertManagement::Alert", "Project")


class ListTodos(Paging):
    """Filters of one's items."""

    action: str | None = Param("Why it is there.", one_of=ACTIONS)
    author_id: int | None = Param("Author of the change.")
    project_id: int | None = Param("In this project.")
    group_id: int | None = Param("In this group and its subgroups.")
    state: str | None = Param("`pending` or `done`.", one_of=("pending", "done"))
    type: str | None = Param("What it is about.", one_of=TYPES)


class OneTodo(Params):
    """One item."""

    id: int = Param("Id of the item.", required=True)
