"""Integrations on the wire."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ingot.access.call import Call
from ingot.features.integrations.project_integrations.kinds import KINDS
from ingot.features.integrations.project_integrations.rows import EffectiveRow
from ingot.kit.entity import Entity, wire


class IntegrationBasic(Entity):
    """An integration: whether it is on, and what it is told."""

    id: int
    title: str
    slug: str
    created_at: datetime
    updated_at: datetime
    active: bool
    commit_events: bool
    push_events: bool
    issues_events: bool
    incident_events: bool
    alert_events: bool
    confidential_issues_events: bool
    merge_requests_events: bool
    tag_push_events: bool
    deployment_events: bool
    note_events: bool
    confidential_note_events: bool
    pipeline_events: bool
    wiki_page_events: bool
    job_events: bool
    comment_on_event_enabled: bool
    vulnerability_events: bool
    inherited: bool


class Integration(IntegrationBasic):
    """An integration with those settings that are no secret."""

    properties: dict[str, str | bool | list[str] | None]


_SWITCHES = tuple(name for name in IntegrationBasic.__struct_fields__ if name.endswith(("_events", "_event_enabled")))


def _basic(row: EffectiveRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "title": KINDS[row.slug].title,
        "slug": row.slug,
        "created_at": wire(row.created_at),
        "updated_at": wire(row.updated_at),
        "active": row.active,
        "inherited": row.level > 0,
        **{name: row.events.get(name, True) for name in _SWITCHES},
    }


def present(_call: Call, rows: Sequence[EffectiveRow]) -> list[IntegrationBasic]:
    """A page of integrations."""
    return [IntegrationBasic(**_basic(row)) for row in rows]


def present_whole(row: EffectiveRow) -> Integration:
    """One integration."""
    return Integration(**_basic(row), properties={name: row.properties.get(name) for name in KINDS[row.slug].shown})
