"""Writing down what came of deliveries: the log, without secrets, and the rest of hooks that keep failing."""

import hashlib
from collections.abc import Mapping, Sequence
from itertools import takewhile

import msgspec
from sqlalchemy import Connection, insert, select, update

from ingot.features.integrations.web_hooks.addresses import masked
from ingot.features.integrations.web_hooks.queries import INTERNAL_ERROR
from ingot.features.integrations.web_hooks.rows import WebHookRow
from ingot.features.integrations.web_hooks.sending import Delivery
from ingot.features.integrations.web_hooks.states import rests_until
from ingot.features.integrations.web_hooks.tables import web_hook_logs, web_hooks
from ingot.kit.clock import now
from ingot.kit.patterns import pattern

REDACTED = "[REDACTED]"
LARGEST = 1024 * 1024
_EMAIL = pattern(r"[^\s@<>\"]+@[^\s@<>\"]+\.[^\s@<>\"]+")


def record(tx: Connection, deliveries: Sequence[Delivery]) -> None:
    """Enter deliveries of one hook into the log, in their order, and count failures in a row."""
    if not deliveries:
        return
    entries = [_entry(delivery) for delivery in deliveries]
    tx.execute(insert(web_hook_logs), entries if len(entries) > 1 else entries[0])
    _count(tx, deliveries[0].hook.id, [delivery.outcome.is_success for delivery in deliveries])


def _entry(delivery: Delivery) -> dict[str, object]:
    hook, request, outcome = delivery
    return {
        "hook_id": hook.id,
        "flag": request.flag,
        "url": masked(hook.url),
        "url_digest": digest_of(outcome.url),
        "event_uuid": request.event_uuid,
        "idempotency_key": request.idempotency_key,
        "request_headers": _without_secrets(hook, outcome.request_headers),
        "request_data": _stored(outcome.request_data),
        "response_headers": dict(outcome.headers or {}),
        "response_body": outcome.body,
        "response_status": INTERNAL_ERROR if outcome.status is None else str(outcome.status),
        "execution_duration": round(outcome.seconds, 6),
        "created_at": now(),
    }


def digest_of(url: str) -> str:
    """Tells final addresses apart without keeping the secrets in them."""
    return hashlib.sha256(url.encode()).hexdigest()


def _without_secrets(hook: WebHookRow, headers: Mapping[str, str]) -> dict[str, str]:
    secret = {"x-gitlab-token", *(name.lower() for name in hook.custom_headers)}
    return {name: REDACTED if name.lower() in secret else value for name, value in headers.items()}


def _stored(data: Mapping[str, object]) -> str:
    text = msgspec.json.encode(_redacted(data)).decode()
    return text if len(text) <= LARGEST else '{"oversize":true}'


def _redacted(value: object) -> object:
    if isinstance(value, str):
        return REDACTED if len(value) < 320 and _EMAIL.fullmatch(value) else value
    if isinstance(value, Mapping):
        return {name: _redacted(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_redacted(part) for part in value]
    return value


def _count(tx: Connection, hook_id: int, successes: Sequence[bool]) -> None:
    """Count the failures since the last success; a success ends the rest of the hook."""
    here = web_hooks.c.id == hook_id
    last_failures = len(list(takewhile(lambda is_success: not is_success, reversed(successes))))
    if not last_failures:
        healed = {"recent_failures": 0, "disabled_until": None}
        tx.execute(update(web_hooks).where(here, web_hooks.c.recent_failures > 0).values(healed))
        return
    failures: int | None = tx.execute(select(web_hooks.c.recent_failures).where(here).with_for_update()).scalar()
    if failures is None:
        return
    failures = last_failures if any(successes) else failures + last_failures
    values = {"recent_failures": failures, "disabled_until": rests_until(failures, now())}
    tx.execute(update(web_hooks).where(here).values(values))
