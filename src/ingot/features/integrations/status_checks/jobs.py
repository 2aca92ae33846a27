"""Telling checks of merge requests, in order; what a receiver answers does not matter: it calls back."""

import hashlib
import hmac
import logging
from collections.abc import AsyncIterator
from typing import NamedTuple

import msgspec
from sqlalchemy import delete, select

from ingot import __version__
from ingot.features.ci.engine import base_url
from ingot.features.integrations.status_checks.commands import DELIVERY, queue_delivery
from ingot.features.integrations.status_checks.rows import CheckMessageRow, CheckRow
from ingot.features.integrations.status_checks.tables import external_status_checks, status_check_messages
from ingot.features.integrations.web_hooks import addressed, complete, rules_for
from ingot.kit.jobs import OUTAGE_BACKOFF, OUTAGE_RETRIES, Run, job, periodic
from ingot.kit.outbound import Limits, Outbound, OutboundFailed, Rules, UrlRefused
from ingot.kit.outbound.client import Body
from ingot.kit.sealing import unseal
from ingot.kit.thread_loops import run_async

log = logging.getLogger("ingot.status_checks")


@job(DELIVERY, calls=True, retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF)
def deliver(run: Run, check_id: int) -> None:
    """Send what waits for a check, one message after another."""
    while (waiting := _next(run, check_id)) is not None:
        run.check()
        run_async(_send(run, waiting))
        with run.db.write() as tx:
            tx.execute(delete(status_check_messages).where(status_check_messages.c.id == waiting.message.id))


@periodic("status_check_leftovers", every=300)
def deliver_leftovers(run: Run) -> None:
    """Messages whose job came to an end without them."""
    with run.db.write() as tx:
        for check_id in tx.execute(select(status_check_messages.c.check_id).distinct()).scalars().all():
            queue_delivery(tx, check_id)


class Waiting(NamedTuple):
    """A message, the check that it is for, and what may be called now."""

    check: CheckRow
    message: CheckMessageRow
    rules: Rules


def _next(run: Run, check_id: int) -> Waiting | None:
    table, checks = status_check_messages, external_status_checks
    with run.db.read() as conn:
        message = conn.execute(select(table).where(table.c.check_id == check_id).order_by(table.c.id).limit(1)).first()
        check = conn.execute(select(checks).where(checks.c.id == check_id)).one_or_none()
        if message is None or check is None:
            return None
        return Waiting(check, message, rules_for(run.services, conn, "project"))


async def _send(run: Run, waiting: Waiting) -> None:
    """Send it. An unreachable receiver misses the message, as with web hooks."""
    services, message, check = run.services, waiting.message, waiting.check
    address = base_url(services)
    payload = complete(services, msgspec.json.decode(message.payload), message.late_parts, message.mark)
    body = msgspec.json.encode(addressed(payload, message.mark, address))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"GitLab/{__version__}",
        "X-Gitlab-Event": "Merge Request Hook",
        "X-Gitlab-Instance": address,
        "Idempotency-Key": f"{check.id}-{message.id}",
    }
    if check.sealed_secret is not None:
        key = unseal(services, check.sealed_secret).encode()
        headers["X-Gitlab-Signature"] = hmac.new(key, body, hashlib.sha256).hexdigest()
    seconds = services.settings.webhook_timeout
    limits = Limits(total=seconds, connect=seconds, read=seconds)
    client = (services.outbound or Outbound()).for_batch()
    sent = Body(_once(body), len(body))
    try:
        url = check.external_url
        async with client.request("POST", url, waiting.rules, headers=headers, body=sent, limits=limits):
            pass
    except (UrlRefused, OutboundFailed) as error:
        log.info("status check %d was not told of a merge request: %s", check.id, error)


async def _once(body: bytes) -> AsyncIterator[bytes]:
    yield body
