"""Changing integrations, and storing what they are to be told."""

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from ingot.access.call import Call
from ingot.features.integrations.project_integrations import queries
from ingot.features.integrations.project_integrations.kinds import EVENTS, KINDS, Kind
from ingot.features.integrations.project_integrations.params import SetIntegration
from ingot.features.integrations.project_integrations.queries import Place
from ingot.features.integrations.project_integrations.rows import EffectiveRow, IntegrationRow
from ingot.features.integrations.project_integrations.tables import group_integration_messages, integration_messages
from ingot.features.integrations.web_hooks import rules_for
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.errors import BadRequest, NotFound, ParamError, RouteNotFound
from ingot.kit.jobs import enqueue
from ingot.kit.outbound import UrlRefused, check_literally
from ingot.kit.sealing import seal, unseal
from ingot.kit.services import Services

DELIVERIES = {"project": "integration_delivery", "group": "group_integration_delivery"}
MESSAGES = {"project": integration_messages, "group": group_integration_messages}
ADDRESSES = ("webhook", "url", "api_url", "project_url", "issues_url", "new_issue_url", "external_wiki_url")
LONGEST, MOST_RECIPIENTS = 2048, 750
SWITCHES = (*EVENTS, "comment_on_event_enabled")


def place_of(call: Call) -> Place:
    """The project or group that a call names."""
    project = call.project_or_none
    return Place("group", call.group.id) if project is None else Place("project", project.id)


def set_integration(tx: Connection, call: Call[SetIntegration]) -> EffectiveRow:
    """Switch an integration on with these settings; what is not sent stays as it is.

    Settings of a group above are no start for those of a place: its secrets would go along to another address.
    """
    options, services, place = call.params, call.services, place_of(call)
    kind = KINDS.get(options.slug)
    if kind is None:
        raise RouteNotFound
    take_turn(tx, f"integrations:{place.kind}:{place.id}")
    row = queries.find_own(tx, place, options.slug)
    if options.use_inherited_settings and (inherited := _let_inherit(tx, place, options.slug, row)) is not None:
        return inherited
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
    }
    record_id = _store(tx, place, options.slug, row, values)
    _report(tx, "create" if row is None or not row.active else "update", place, record_id, options.slug)
    return _now(tx, place, options.slug)


def switch_off(tx: Connection, place: Place, slug: str) -> None:
    """Switch an integration off in a place and what is below it, and forget its own settings."""
    row = queries.find_own(tx, place, slug)
    values = {"active": False, "events": {}, "properties": {}, "sealed_secrets": None}
    record_id = _store(tx, place, slug, row, values)
    messages = MESSAGES[place.kind]
    tx.execute(delete(messages).where(messages.c.integration_id == record_id))
    _report(tx, "delete", place, record_id, slug)


def get_integration(call: Call, slug: str) -> EffectiveRow:
    """An integration that was set once, here or in a group above."""
    if slug not in KINDS:  # checked here, because strangers are told first that there is no such project
        raise ParamError("slug does not have a valid value")
    row = queries.find(call.conn, place_of(call), slug)
    if row is None:
        raise NotFound("Integration")
    return row


def _let_inherit(tx: Connection, place: Place, slug: str, row: IntegrationRow | None) -> EffectiveRow | None:
    """Give up the own settings for those of a group above; nothing happens where there is none."""
    every = queries.settings_above(place).subquery()
    if tx.execute(select(every.c.id).where(every.c.slug == slug, every.c.level > 0).limit(1)).first() is None:
        return None
    if row is not None:
        tx.execute(delete(place.table).where(place.table.c.id == row.id))
        _report(tx, "delete", place, row.id, slug)
    return _now(tx, place, slug)


def _now(tx: Connection, place: Place, slug: str) -> EffectiveRow:
    row = queries.find(tx, place, slug)
    if row is None:
        raise NotFound("Integration")
    return row


def _store(tx: Connection, place: Place, slug: str, row: IntegrationRow | None, values: dict[str, object]) -> int:
    table, moment = place.table, now()
    if row is None:
        created = insert(table).values(**place.owner, slug=slug, created_at=moment, updated_at=moment, **values)
        return int(tx.execute(created.returning(table.c.id)).scalar_one())
    tx.execute(update(table).where(table.c.id == row.id).values(updated_at=moment, **values))
    return row.id


def queue_delivery(tx: Connection, kind: str, integration_id: int) -> None:
    """Have somebody send what waits; one run at a time, so that the order is kept."""
    key = f"{'group-' if kind == 'group' else ''}integration-{integration_id}"
    enqueue(tx, DELIVERIES[kind], key=key, args={"integration_id": integration_id}, rerun=True)


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


def _report(tx: Connection, action: str, place: Place, record_id: int, slug: str) -> None:
    details: dict[str, object] = {"type": "integration", "name": slug}
    if action == "update":
        details |= {"before": {}, "after": {"settings": "[FILTERED]"}}
    report_change(tx, Change("audited_record", action, record_id, **place.owner, details=details))
