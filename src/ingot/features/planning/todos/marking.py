"""The endpoint that creates a to-do item for the caller, declared for each kind."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.planning.issuables import IssuableKind, IssuableRow, Target
from ingot.features.planning.todos import commands
from ingot.features.planning.todos.entities import Todo, present
from ingot.features.planning.todos.tables import todos
from ingot.kit.endpoint import Answer, Guard, Routes, name_handlers, with_article
from ingot.kit.errors import NotModified
from ingot.kit.params import Params

P = TypeVar("P", bound=Params)


def todo_routes(kind: IssuableKind, guard: Guard, find: Callable[[Call[P]], IssuableRow]) -> Routes:
    """The endpoint of one kind; `find` returns the row of the path."""
    routes = Routes("To-do items", guard=guard)

    @routes.post(f"{kind.path}/todo", params=kind.number, returns=Todo, errors=(304,))
    def create_todo(call: Call[P]) -> Answer:
        row = find(call)
        return _mark(call, Target(kind.type, row.id, row.project_id), row.title)

    names = {"create_todo": (f"create_{kind.word}_todo", f"Put {with_article(kind.title)} on one's list.")}
    return name_handlers(routes, names)


def _mark(call: Call, target: Target, title: str) -> Todo:
    """Create the item; 304 while one is pending."""
    pending = select(todos.c.id).where(
        todos.c.user_id == call.actor.id,
        todos.c.target_type == target.type,
        todos.c.target_id == target.id,
        todos.c.state == "pending",
    )
    with call.write() as tx:
        if tx.execute(pending).first() is not None:
            raise NotModified
        todo_id = commands.add(tx, target, call.actor.id, call.actor.id, "marked", body=title)
    return present(call, [call.conn.execute(select(todos).where(todos.c.id == todo_id)).one()])[0]
