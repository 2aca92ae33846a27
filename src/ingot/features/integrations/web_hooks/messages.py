"""Messages to hooks: written in the transaction of the change that they report, and delivered by a background job."""

from collections.abc import Sequence
from uuid import uuid4

import msgspec
from sqlalchemy import Connection, insert

from ingot.features.integrations.web_hooks.circles import known_event, outside_circles
from ingot.features.integrations.web_hooks.filters import wants_branch
from ingot.features.integrations.web_hooks.kinds import FLAGS
from ingot.features.integrations.web_hooks.rows import WebHookRow
from ingot.features.integrations.web_hooks.states import EXECUTABLE, RESTING, alert_status
from ingot.features.integrations.web_hooks.tables import web_hook_messages
from ingot.instance import is_on
from ingot.instance.outbound import is_silent
from ingot.kit.changes import current_cause
from ingot.kit.clock import now
from ingot.kit.jobs import enqueue

Payload = dict[str, object]
DELIVERY = "web_hook_delivery"


class Message(msgspec.Struct, frozen=True):
    """A payload, and who it is for.

    `flag` is the switch of the hooks that want it, None for events of the instance, which all its hooks get. `kinds`
    are the kinds of hooks that it may go to. Messages about the same `subject` arrive in their order.
    """

    flag: str | None
    subject: str
    payload: Payload
    kinds: tuple[str, ...] = ("project", "group", "system")
    branch: str | None = None
    late_parts: list[dict[str, object]] = msgspec.field(default_factory=list)

    def is_for(self, hook: WebHookRow) -> bool:
        """Whether the hook wants it."""
        if hook.kind not in self.kinds:
            return False
        if not is_wanted(hook, self.flag):
            return False
        return self.branch is None or wants_branch(hook, self.branch)


def is_wanted(hook: WebHookRow, flag: str | None) -> bool:
    """Whether the switch is on; every hook of the instance wants the events of the instance."""
    if flag is None:
        return hook.kind == "system"
    return flag in FLAGS[hook.kind] and bool(getattr(hook, flag))


def new_mark() -> str:
    """What stands for the instance's address in a payload: the transaction does not know it, whoever sends does."""
    return uuid4().hex


def queue_messages(tx: Connection, hooks: Sequence[WebHookRow], messages: Sequence[Message], mark: str) -> None:
    """Store these messages for the hooks that want them. A hook that is switched off gets none, nor any in silence."""
    moment, event = now(), known_event(current_cause()) or str(uuid4())
    if event == current_cause():
        hooks = outside_circles(tx, hooks, event)
    rows = []
    for message in messages:
        text = None
        for hook in hooks:
            if not message.is_for(hook):
                continue
            text = text or msgspec.json.encode(message.payload).decode()
            rows.append(
                {
                    "hook_id": hook.id,
                    "flag": message.flag,
                    "subject": message.subject,
                    "event_uuid": event,
                    "idempotency_key": str(uuid4()),
                    "mark": mark,
                    "payload": text,
                    "late_parts": message.late_parts,
                    "created_at": moment,
                }
            )
    resting = {hook.id for hook in hooks if alert_status(hook) != EXECUTABLE} if rows else set()
    if resting and is_on(tx, RESTING):
        rows = [row for row in rows if row["hook_id"] not in resting]
    if not rows or is_silent(tx):
        return
    tx.execute(insert(web_hook_messages), rows)
    for hook_id in dict.fromkeys(row["hook_id"] for row in rows):
        queue_delivery(tx, hook_id)


def queue_delivery(tx: Connection, hook_id: object) -> None:
    """Have somebody deliver what waits for a hook; one run at a time, so that the order is kept."""
    enqueue(tx, DELIVERY, key=f"web-hook-{hook_id}", args={"hook_id": hook_id}, rerun=True)
