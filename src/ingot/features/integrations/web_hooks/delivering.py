"""Delivering what waits for a hook: one subject after another, several subjects side by side."""

import asyncio
import time
from collections.abc import Collection, Sequence

import msgspec
from sqlalchemy import Connection, delete, select

from ingot.features.ci.engine import base_url
from ingot.features.integrations.web_hooks.addresses import rules_for
from ingot.features.integrations.web_hooks.late_parts import addressed, complete
from ingot.features.integrations.web_hooks.log import record
from ingot.features.integrations.web_hooks.messages import queue_delivery
from ingot.features.integrations.web_hooks.queries import find_hook
from ingot.features.integrations.web_hooks.rows import MessageRow
from ingot.features.integrations.web_hooks.sending import Request, send
from ingot.features.integrations.web_hooks.states import EXECUTABLE, RESTING, alert_status
from ingot.features.integrations.web_hooks.tables import web_hook_messages
from ingot.instance import is_on
from ingot.kit.jobs import Run

# Of one hook at a time; each may wait for the receiver.
SIDE_BY_SIDE = 20
BATCH = 200
# How soon messages that come in while others are under way are looked for.
POLL_SECONDS = 1.0
# After so long the next hook has its turn, however much is left.
TURN_SECONDS = 60.0


def deliver_waiting(run: Run, hook_id: int) -> None:
    """Deliver until nothing is left or the turn is over."""
    end = time.monotonic() + TURN_SECONDS
    asyncio.run(_deliver(run, hook_id, end))
    with run.db.read() as conn:
        is_done = not _waiting(conn, hook_id, [], 1)
    if not is_done:
        with run.db.write() as tx:
            queue_delivery(tx, hook_id)


def _waiting(conn: Connection, hook_id: int, subjects: Collection[str], number: int) -> Sequence[MessageRow]:
    """The oldest messages of a hook that are about none of these subjects."""
    table = web_hook_messages
    query = select(table).where(table.c.hook_id == hook_id, table.c.subject.not_in(subjects))
    return conn.execute(query.order_by(table.c.id).limit(number)).all()


async def _deliver(run: Run, hook_id: int, end: float) -> None:
    """One message of each subject is under way at a time; what comes in meanwhile joins."""
    under_way: dict[str, asyncio.Task[None]] = {}
    while True:
        run.check()
        free = SIDE_BY_SIDE - len(under_way)
        if free > 0 and time.monotonic() < end:
            with run.db.read() as conn:
                waiting = _waiting(conn, hook_id, list(under_way), BATCH)
            for message in waiting:
                if message.subject not in under_way and len(under_way) < SIDE_BY_SIDE:
                    under_way[message.subject] = asyncio.create_task(_deliver_one(run, hook_id, message))
        if not under_way:
            return
        await asyncio.wait(under_way.values(), timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        for subject, task in list(under_way.items()):
            if task.done():
                del under_way[subject]
                task.result()


async def _deliver_one(run: Run, hook_id: int, message: MessageRow) -> None:
    services = run.services
    with run.db.read() as conn:
        hook = find_hook(conn, hook_id)
        if hook is None:
            return
        rules = rules_for(services, conn, hook.kind)
        is_skipped = alert_status(hook) != EXECUTABLE and is_on(conn, RESTING)
    if is_skipped:
        with run.db.write() as tx:
            _forget(tx, message)
        return
    own = base_url(services)
    payload = complete(services, msgspec.json.decode(message.payload), message.late_parts, message.mark)
    payload = addressed(payload, message.mark, own)
    request = Request(message.flag, payload, message.event_uuid, message.idempotency_key)
    outcome = await send(services, rules, hook, request, own)
    with run.db.write() as tx:
        if _forget(tx, message):
            record(tx, hook, request, outcome)


def _forget(tx: Connection, message: MessageRow) -> bool:
    return tx.execute(delete(web_hook_messages).where(web_hook_messages.c.id == message.id)).rowcount == 1
