"""To-do items of users.

For other features: `notify` gives people an item, `follow` does so after a change, `mention` reads names from a text,
`settle` marks a person's items of one issuable as done, `reopen` takes one back, `todo_routes` is the endpoint of one
kind.
"""

from ingot.features.planning.todos.audience import allowed as readers_of
from ingot.features.planning.todos.commands import add, follow, mention, mentioned_people, notify, reopen, settle
from ingot.features.planning.todos.marking import todo_routes
from ingot.features.planning.todos.tables import todos

__all__ = [
    "add", "follow", "mention", "mentioned_people", "notify", "readers_of", "reopen", "settle", "todo_routes", "todos",
]  # fmt: skip
