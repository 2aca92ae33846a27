"""Changing integrations, and storing what they are to be told."""

import msgspec
from sqlalchemy import Connection, delete, insert, update

from ingot.access.call import Call
from ingot.features.integrations.project_integrations import queries
from ingot.features.integrations.project_integrations.kinds import EVENTS, KINDS, Kind
from ingot.features.integrations.project_integrations.params import SetIntegration
from ingot.features.integrations.project_integrations.rows import IntegrationRow
from ingot.features.integrations.project_integrations.tables import integration_messages, integrations
from ingot.features.integrations.web_hooks import rules_for
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.errors import BadRequest, NotFound, ParamError, RouteNotFound
from ingot.kit.jobs import enqueue
from ingot.kit.outbound import UrlRefused, check_literally
from ingot.kit.sealing import seal, unseal
from ingot.kit.services import Services

DELIVERY = "integration_delivery"
ADDRESSES = ("webhook", "url", "api_url", "project_url", "issues_url", "new_issue_url", "external_wiki_url")
LONGEST, MOST_RECIPIENTS = 2048, 750
SWITCHES = (*EVENTS, "comment_on_event_enabled")


def set_integration(tx: Connection, call: Call[SetIntegration]) -> IntegrationRow:
    """Switch an integration on with these settings; what is not sent stays as it is."""
    options, services, project_id = call.params, call.services, call.project.id
    kind = KINDS.get(options.slug)
    if kind is None:
        raise RouteNotFound
    take_turn(tx, f"integrations:{project_id}")
    row = queries.find(tx, project_id, options.slug)
    given = {name: value for name, value in options.given().items() if value is not None}
    secrets = {**_secrets(services, row), **{name: given[name] for name in kind.secret if name in given}}
    properties = {**kind.defaults, **(row.properties if row is not None and row.active else {})}
    properties |= {name: given[name] for name in kind.shown if name in given}
    _require_valid(tx, services, kind, {**properties, **secrets})
    events = {**(row.events if row is not None else {}), **{name: given[name] for name in SWITCHES if name in given}}
    values = {
        "active": True,
        "events": events,
        "properties": properties,
        "sealed_secrets": seal(services, msgspec.json.encode(secrets).decode()) if secrets else None,
        "updated_at": now(),
    }
    if row is None:
        created = insert(integrations).values(project_id=project_id, slug=options.slug, created_at=now(), **values)
        result: IntegrationRow = tx.execute(created.returning(*integrations.c)).one()
    else:
        changed = update(integrations).where(integrations.c.id == row.id).values(**values)
        result = tx.execute(changed.returning(*integrations.c)).one()
    _report(tx, "create" if row is None or not row.active else "update", result)
    return result


def switch_off(tx: Connection, row: IntegrationRow) -> None:
    """Switch an integration off, and forget its settings."""
    values = {"active": False, "events": {}, "properties": {}, "sealed_secrets": None, "updated_at": now()}
    tx.execute(update(integrations).where(integrations.c.id == row.id).values(**values))
    tx.execute(delete(integration_messages).where(integration_messages.c.integration_id == row.id))
    _report(tx, "delete", row)


def get_integration(call: Call, slug: str) -> IntegrationRow:
    """An integration that was set once."""
    if slug not in KINDS:  # checked here, because strangers are told first that there is no such project
        raise ParamError("slug does not have a valid value")
    row = queries.find(call.conn, call.project.id, slug)
    if row is None:
        raise NotFound("Integration")
    return row


def queue_delivery(tx: Connection, integration_id: int) -> None:
    """Have somebody send what waits; one run at a time, so that the order is kept."""
    key = f"integration-{integration_id}"
    enqueue(tx, DELIVERY, key=key, args={"integration_id": integration_id}, rerun=True)


def secrets_of(services: Services, row: IntegrationRow) -> dict[str, str]:
    """The settings that are never shown."""
    return _secrets(services, row)


def _secrets(services: Services, row: IntegrationRow | None) -> dict[str, str]:
    if row is None or row.sealed_secrets is None:
        return {}
    return msgspec.json.decode(unseal(services, row.sealed_secrets), type=dict[str, str])


def _require_valid(tx: Connection, services: Services, kind: Kind, values: dict[str, object]) -> None:
    missing = [f"{name} is missing" for name in kind.required if not str(values.get(name) or "").strip()]
    if missing:
        raise ParamError(", ".join(missing))
    if any(len(value) > LONGEST for name, value in values.items() if isinstance(value, str) and name != "recipients"):
        raise BadRequest
    recipients = str(values.get("recipients") or "").split()
    if len(recipients) > MOST_RECIPIENTS or any("@" not in one.strip("@") for one in recipients):
        raise BadRequest
    rules = rules_for(services, tx, "project")
    for name in ADDRESSES:
        if kind.takes(name) and values.get(name):
            try:
                check_literally(str(values[name]), rules)
            except UrlRefused:
                raise BadRequest from None


def _report(tx: Connection, action: str, row: IntegrationRow) -> None:
    details: dict[str, object] = {"type": "integration", "name": row.slug}
    if action == "update":
        details |= {"before": {}, "after": {"settings": "[FILTERED]"}}
    report_change(tx, Change("audited_record", action, row.id, project_id=row.project_id, details=details))
