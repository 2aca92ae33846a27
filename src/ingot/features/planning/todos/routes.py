"""Endpoints of to-do items."""

from sqlalchemy import update

from ingot.access.call import Call
from ingot.access.policy import SIGNED_IN
from ingot.features.planning.todos import queries
from ingot.features.planning.todos.entities import Todo, present
from ingot.features.planning.todos.params import ListTodos, OneTodo
from ingot.features.planning.todos.tables import todos
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import RecordNotFound

routes = Routes("To-do items")


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
    own_pending = (todos.c.user_id == call.actor.id) & (todos.c.state == "pending")
    with call.write() as tx:
        tx.execute(update(todos).where(own_pending).values(state="done", updated_at=now()))
