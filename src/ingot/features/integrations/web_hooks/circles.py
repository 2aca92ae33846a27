"""Hooks whose receivers call the interface, which makes events, which fire hooks: no circle goes round twice.

A delivery carries `X-Gitlab-Event-UUID`. What a request with that header causes has the same id, and under one id a
hook fires once.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy import Connection, select, union

from ingot.features.integrations.web_hooks.rows import WebHookRow
from ingot.features.integrations.web_hooks.tables import web_hook_logs, web_hook_messages
from ingot.kit.clock import now

log = logging.getLogger("ingot.web_hooks")

REMEMBERED = timedelta(minutes=30)
MOST = 100


def known_event(cause: str | None) -> str | None:
    """The id that a request carried, if it is one."""
    if cause is None:
        return None
    try:
        return cause if str(UUID(cause)) == cause else None
    except ValueError:
        return None


def outside_circles(tx: Connection, hooks: Sequence[WebHookRow], event: str) -> Sequence[WebHookRow]:
    """The hooks that have not fired under this id; none once very many have."""
    sent, waiting = web_hook_logs.c, web_hook_messages.c
    fired = union(
        select(sent.hook_id).where(sent.event_uuid == event, sent.created_at > now() - REMEMBERED),
        select(waiting.hook_id).where(waiting.event_uuid == event),
    ).limit(MOST)
    known = set(tx.execute(fired).scalars())
    result = [] if len(known) >= MOST else [hook for hook in hooks if hook.id not in known]
    if len(result) < len(hooks):
        blocked = sorted({hook.id for hook in hooks} - {hook.id for hook in result})
        log.warning("Recursive webhook blocked from executing", extra={"event_uuid": event, "hook_ids": blocked})
    return result
