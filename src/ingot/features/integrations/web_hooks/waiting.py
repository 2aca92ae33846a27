"""The messages that wait for a hook, oldest first. A batch of them is held in memory."""

import time
from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import Connection, bindparam, delete, select

from ingot.features.integrations.web_hooks.rows import MessageRow
from ingot.features.integrations.web_hooks.tables import web_hook_messages

BATCH = 200
# How soon messages that come in while others are under way are looked for.
POLL_SECONDS = 1.0

_columns = web_hook_messages.c
_WAITING = (
    select(web_hook_messages)
    .where(_columns.hook_id == bindparam("hook"), _columns.subject.not_in(bindparam("subjects", expanding=True)))
    .order_by(_columns.id)
    .limit(BATCH)
)
_REMOVE = delete(web_hook_messages).where(_columns.id.in_(bindparam("ids", expanding=True))).returning(_columns.id)


class Backlog:
    """What waits for one hook, for the time of one turn."""

    def __init__(self, hook_id: int) -> None:
        self._hook_id = hook_id
        self._messages: Sequence[MessageRow] = []
        self._saw_all = False
        self._looked_at = 0.0

    @property
    def is_empty(self) -> bool:
        """Nothing is left of what waited at the last look. Whoever wrote a message later has queued another turn."""
        return self._saw_all and not self._messages

    def take(self, conn: Connection, busy: Collection[str], number: int) -> list[MessageRow]:
        """The oldest message of each subject that is not busy, so many at most."""
        taken = self._pick(busy, number)
        if not taken and self._is_look_due():
            self._look(conn, busy)
            taken = self._pick(busy, number)
        return taken

    def _is_look_due(self) -> bool:
        is_used_up = not self._messages and not self._saw_all
        return is_used_up or time.monotonic() >= self._looked_at + POLL_SECONDS

    def _look(self, conn: Connection, busy: Collection[str]) -> None:
        self._looked_at = time.monotonic()
        self._messages = conn.execute(_WAITING, {"hook": self._hook_id, "subjects": list(busy)}).all()
        self._saw_all = not busy and len(self._messages) < BATCH

    def _pick(self, busy: Collection[str], number: int) -> list[MessageRow]:
        taken: dict[str, MessageRow] = {}
        rest = []
        for message in self._messages:
            if len(taken) < number and message.subject not in busy and message.subject not in taken:
                taken[message.subject] = message
            else:
                rest.append(message)
        self._messages = rest
        return list(taken.values())


def remove_messages(tx: Connection, messages: Iterable[MessageRow]) -> set[int]:
    """Remove messages whose outcome is known; the ids of those that were still there."""
    return set(tx.execute(_REMOVE, {"ids": [message.id for message in messages]}).scalars())
