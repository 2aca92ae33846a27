"""Sending what waits for an integration, in order. What a receiver refuses is logged and not sent again."""

import logging
from collections.abc import AsyncIterator
from email.message import EmailMessage
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, delete, literal, select

from ingot.features.ci.engine import base_url
from ingot.features.code.protected_branches import all_protected_branches
from ingot.features.integrations.project_integrations.commands import DELIVERIES, MESSAGES, queue_delivery, secrets_of
from ingot.features.integrations.project_integrations.letters import letters
from ingot.features.integrations.project_integrations.rooms import Body, bodies
from ingot.features.integrations.project_integrations.rows import IntegrationMessageRow, IntegrationRow
from ingot.features.integrations.project_integrations.tables import group_integrations, integrations
from ingot.features.integrations.project_integrations.told import Told
from ingot.features.integrations.web_hooks import addressed, complete, rules_for
from ingot.gitstore.listing import matches_pattern
from ingot.instance import mailing
from ingot.kit.jobs import OUTAGE_BACKOFF, OUTAGE_RETRIES, Run, job, periodic
from ingot.kit.outbound import Limits, Outbound, OutboundFailed, Rules, UrlRefused
from ingot.kit.outbound.client import Body as Sent
from ingot.kit.thread_loops import run_async

log = logging.getLogger("ingot.integrations")


class Waiting(NamedTuple):
    """A message, the integration that it is for, and what may be called now."""

    row: IntegrationRow
    message: IntegrationMessageRow
    rules: Rules


@job(DELIVERIES["project"], calls=True, retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF)
def deliver(run: Run, integration_id: int) -> None:
    """Send what waits for an integration of a project, one message after another."""
    _deliver(run, "project", integration_id)


@job(DELIVERIES["group"], calls=True, retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF)
def deliver_for_group(run: Run, integration_id: int) -> None:
    """Send what waits for an integration of a group, one message after another."""
    _deliver(run, "group", integration_id)


@periodic("integration_leftovers", every=300)
def deliver_leftovers(run: Run) -> None:
    """Messages whose job came to an end without them."""
    with run.db.write() as tx:
        for kind, messages in MESSAGES.items():
            for integration_id in tx.execute(select(messages.c.integration_id).distinct()).scalars().all():
                queue_delivery(tx, kind, integration_id)


def _deliver(run: Run, kind: str, integration_id: int) -> None:
    messages = MESSAGES[kind]
    while (waiting := _next(run, kind, integration_id)) is not None:
        run.check()
        _send(run, waiting)
        with run.db.write() as tx:
            tx.execute(delete(messages).where(messages.c.id == waiting.message.id))


def _next(run: Run, kind: str, integration_id: int) -> Waiting | None:
    messages, table = MESSAGES[kind], group_integrations if kind == "group" else integrations
    with run.db.read() as conn:
        row = conn.execute(select(table).where(table.c.id == integration_id)).one_or_none()
        if row is None:
            return None
        query = select(messages) if kind == "group" else select(messages, literal(row.project_id).label("project_id"))
        query = query.where(messages.c.integration_id == integration_id).order_by(messages.c.id).limit(1)
        message = conn.execute(query).first()
        return None if message is None else Waiting(row, message, rules_for(run.services, conn, "project"))


def _send(run: Run, waiting: Waiting) -> None:
    row, message, services = waiting.row, waiting.message, run.services
    payload = complete(services, msgspec.json.decode(message.payload), message.late_parts, message.mark)
    told = msgspec.convert(addressed(payload, message.mark, base_url(services)), Told)
    with run.db.read() as conn:
        if not row.active or not _is_chosen(conn, waiting, told):
            return
    if row.slug.endswith(("-on-push", "-email")):
        for letter in letters(services, row, message.project_id, told):
            _mail(run, row, letter)
    elif url := secrets_of(services, row).get("webhook"):
        for body in bodies(row, message.flag, told):
            run_async(_post(run, waiting, url, body))


def _mail(run: Run, row: IntegrationRow, letter: EmailMessage) -> None:
    try:
        mailing.send_message(run.services, letter)
    except (OSError, ValueError) as error:
        log.warning("a mail of an integration was not taken", extra={"integration": row.id, "reason": str(error)})


async def _post(run: Run, waiting: Waiting, url: str, body: Body) -> None:
    seconds = run.services.settings.webhook_timeout
    limits = Limits(total=seconds, connect=seconds, read=seconds)
    client = (run.services.outbound or Outbound()).for_batch()
    content = msgspec.json.encode(body)
    headers = {"Content-Type": "application/json"}
    try:
        sent = Sent(_once(content), len(content))
        async with client.request("POST", url, waiting.rules, headers=headers, body=sent, limits=limits) as reply:
            if reply.status >= 400:
                log.warning("an integration was refused", extra={"integration": waiting.row.id, "status": reply.status})
    except (UrlRefused, OutboundFailed) as error:
        log.warning("an integration was not reached", extra={"integration": waiting.row.id, "reason": str(error)})


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content


def _is_chosen(conn: Connection, waiting: Waiting, told: Told) -> bool:
    """Whether the settings let it through: pipelines that succeeded, and branches."""
    row = waiting.row
    is_pipeline = told.object_kind == "pipeline"
    if is_pipeline and told.object_attributes.status == "success" and row.properties["notify_only_broken_pipelines"]:
        return False
    choice, branch = row.properties.get("branches_to_be_notified", "all"), told.branch
    if choice == "all" or branch is None:
        return True
    if "default" in str(choice) and branch == told.project.default_branch:
        return True
    if "protected" not in str(choice):
        return False
    table = all_protected_branches
    names = conn.execute(select(table.c.name).where(table.c.project_id == waiting.message.project_id)).scalars()
    return any(matches_pattern(branch, name) for name in names)
