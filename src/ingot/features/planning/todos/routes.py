"""Endpoints of to-do items."""

from sqlalchemy import update

from ingot.access.call import Call
from ingot.access.policy import SIGNED_IN
from ingot.features.planning.todos import queries
from ingot.features.planning.todos.entities import Todo, present
from ingot.features.planning.todos.tables import todos
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import RecordNotFound
from ingot.kit.params import Paging, Param, Params

routes = Routes("To-do items")
ACTIONS = (
    "assigned", "mentioned", "build_failed", "marked", "approval_required", "unmergeable", "directly_addressed",
    "merge_train_removed", "review_requested", "member_access_requested", "review_submitted",
)  # fmt: skip
TYPES = ("Issue", "MergeRequest", "Commit", "Epic", "DesignManagement::Design", "AlertManagement::Alert", "Project")


class ListTodos(Paging):
    """Filters of one's items."""

    action: str | None = Param("Why it is there.", one_of=ACTIONS)
    author_id: int | None = Param("Who caused it.")
    project_id: int | None = Param("In this project.")
    group_id: int | None = Param("In this group and its subgroups.")
    state: str | None = Param("`pending` or `done`.", one_of=("pending", "done"))
    type: str | None = Param("What it is about.", one_of=TYPES)


class OneTodo(Params):
    """One item."""

    id: int = Param("Id of the item.", required=True)


@routes.get("/todos", guard=SIGNED_IN, params=ListTodos, returns=list[Todo])
def list_todos(call: Call[ListTodos]) -> Answer:
    """The caller's pending items (or those done), newest first."""
    return call.page(queries.listed(call.actor, call.params), present)


@routes.post("/todos/{id}/mark_as_done", guard=SIGNED_IN, params=OneTodo, returns=Todo)
def mark_todo_as_done(call: Call[OneTodo]) -> Answer:
    """Mark one item as done."""
    query = queries.mine(call.actor).where(todos.c.id == call.params.id)
    if call.conn.execute(query).one_or_none() is None:
        raise RecordNotFound
    with call.write() as tx:
        tx.execute(update(todos).where(todos.c.id == call.params.id).values(state="done", updated_at=now()))
    return present(call, [call.conn.execute(query).one()])[0]


@routes.post("/todos/mark_as_done", guard=SIGNED_IN, status=204)
def mark_all_todos_as_done(call: Call) -> None:
    """Mark all pending items as done."""
    mine = (todos.c.user_id == call.actor.id) & (todos.c.state == "pending")
    with call.write() as tx:
        tx.execute(update(todos).where(mine).values(state="done", updated_at=now()))
