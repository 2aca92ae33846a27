"""To-do items: what waits for a person's attention.

For other features: `notify` gives people an item, `follow` does so after a change, `mention` reads names from a text,
`settle` marks a person's items of one thing as done.
"""

from ingot.features.todos.commands import follow, mention, mentioned_people, notify, settle
from ingot.features.todos.tables import todos

__all__ = ["follow", "mention", "mentioned_people", "notify", "settle", "todos"]
