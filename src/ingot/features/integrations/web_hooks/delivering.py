"""Delivering what waits for a hook: one subject after another, several subjects side by side."""

import asyncio
import time
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ingot.features.ci.engine import base_url
from ingot.features.integrations.web_hooks.addresses import rules_for
from ingot.features.integrations.web_hooks.late_parts import addressed, complete
from ingot.features.integrations.web_hooks.log import record
from ingot.features.integrations.web_hooks.messages import queue_delivery
from ingot.features.integrations.web_hooks.queries import find_hook
from ingot.features.integrations.web_hooks.rows import MessageRow, WebHookRow
from ingot.features.integrations.web_hooks.sending import Delivery, Request, Sender
from ingot.features.integrations.web_hooks.states import EXECUTABLE, RESTING, alert_status
from ingot.features.integrations.web_hooks.waiting import POLL_SECONDS, Backlog, remove_messages
from ingot.instance import is_on
from ingot.kit.jobs import Run
from ingot.kit.outbound import Rules
from ingot.kit.thread_loops import run_async

# Of one hook at a time; each may wait for the receiver.
SIDE_BY_SIDE = 20
# After so long the next hook has its turn, however much is left.
TURN_SECONDS = 60.0


class Sent(NamedTuple):
    """A message, and what came of it."""

    message: MessageRow
    delivery: Delivery


def deliver_waiting(run: Run, hook_id: int) -> None:
    """Deliver until nothing is left or the turn is over."""
    is_done = run_async(_Turn(run, hook_id).deliver())
    if not is_done:
        with run.db.write() as tx:
            queue_delivery(tx, hook_id)


class _Turn:
    """One turn of one hook. One message of each subject is under way at a time; what comes in meanwhile joins."""

    def __init__(self, run: Run, hook_id: int) -> None:
        self._run = run
        self._hook_id = hook_id
        self._end = time.monotonic() + TURN_SECONDS
        self._backlog = Backlog(hook_id)
        self._under_way: dict[str, asyncio.Task[Sent]] = {}

    async def deliver(self) -> bool:
        """Deliver; whether nothing is left."""
        sender = Sender(self._run.services, base_url(self._run.services))
        while True:
            self._run.check()
            if len(self._under_way) < SIDE_BY_SIDE and time.monotonic() < self._end and self._begin(sender):
                continue
            if not self._under_way:
                return self._backlog.is_empty
            running = self._under_way.values()
            await asyncio.wait(running, timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            self._record_ended()

    def _begin(self, sender: Sender) -> bool:
        """Begin what there is room for, by the hook and the rules as they are now; whether there is room left."""
        with self._run.db.read() as conn:
            messages = self._backlog.take(conn, self._under_way, SIDE_BY_SIDE - len(self._under_way))
            hook = find_hook(conn, self._hook_id) if messages else None
            if hook is None:
                return False  # without a hook nothing waits for it any more
            rules = rules_for(self._run.services, conn, hook.kind)
            is_skipped = rules.is_silent or (alert_status(hook) != EXECUTABLE and is_on(conn, RESTING))
        if is_skipped:
            with self._run.db.write() as tx:
                remove_messages(tx, messages)
            return True
        for message in messages:
            self._under_way[message.subject] = asyncio.create_task(self._send(sender, rules, hook, message))
        return False

    async def _send(self, sender: Sender, rules: Rules, hook: WebHookRow, message: MessageRow) -> Sent:
        payload = msgspec.json.decode(message.payload)
        payload = complete(self._run.services, payload, message.late_parts, message.mark)
        payload = addressed(payload, message.mark, sender.base_url)
        request = Request(message.flag, payload, message.event_uuid, message.idempotency_key)
        return Sent(message, await sender.send(rules, hook, request))

    def _record_ended(self) -> None:
        """Record together what ended together. Only then the next message about a subject follows."""
        ended = [task for task in self._under_way.values() if task.done()]
        self._under_way = {subject: task for subject, task in self._under_way.items() if not task.done()}
        failures = [error for task in ended if (error := task.exception()) is not None]
        self._record([task.result() for task in ended if task.exception() is None])
        if failures:
            raise failures[0]

    def _record(self, sent: Sequence[Sent]) -> None:
        if not sent:
            return
        with self._run.db.write() as tx:
            removed = remove_messages(tx, [one.message for one in sent])
            record(tx, [one.delivery for one in sent if one.message.id in removed])
