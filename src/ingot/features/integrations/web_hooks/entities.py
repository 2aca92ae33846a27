"""Hooks and their log on the wire. Tokens and values of variables and headers are never shown."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection

from ingot.access.call import Call
from ingot.features.integrations.web_hooks.kinds import FLAGS, KINDS, SYSTEM
from ingot.features.integrations.web_hooks.rows import LogRow, WebHookRow
from ingot.features.integrations.web_hooks.states import shown_states
from ingot.kit.entity import UNSET, Entity, UnsetType, wire, wire_or_none


class Key(Entity):
    """The name of a value that is not shown."""

    key: str


class SystemHook(Entity, kw_only=True):
    """A hook of the instance."""

    id: int
    url: str
    name: str | None
    description: str | None
    created_at: datetime
    push_events: bool
    tag_push_events: bool
    merge_requests_events: bool
    repository_update_events: bool
    enable_ssl_verification: bool
    alert_status: str
    disabled_until: datetime | None
    url_variables: list[Key] | UnsetType = UNSET
    push_events_branch_filter: str | None
    branch_filter_strategy: str
    custom_webhook_template: str | None
    custom_headers: list[Key] | UnsetType = UNSET
    token_present: bool
    signing_token_present: bool


class ProjectHook(SystemHook, kw_only=True):
    """A hook of a project."""

    project_id: int
    issues_events: bool
    confidential_issues_events: bool
    note_events: bool
    confidential_note_events: bool | None
    job_events: bool
    pipeline_events: bool
    wiki_page_events: bool
    deployment_events: bool
    releases_events: bool
    feature_flag_events: bool
    emoji_events: bool
    resource_access_token_events: bool
    vulnerability_events: bool
    milestone_events: bool
    resource_deploy_token_events: bool


class GroupHook(ProjectHook, kw_only=True):
    """A hook of a group."""

    project_id: int | UnsetType = UNSET  # type: ignore[assignment]
    group_id: int
    member_events: bool
    subgroup_events: bool
    project_events: bool


class Delivery(Entity):
    """One delivery, as it was sent and answered."""

    id: int
    url: str
    trigger: str
    request_headers: dict[str, str]
    request_data: dict[str, Any]
    response_headers: dict[str, str]
    response_body: str
    execution_duration: float
    response_status: str
    created_at: datetime


class Resent(Entity):
    """What the receiver answered."""

    response_status: int | str


FORMS: dict[str, type[SystemHook]] = {"project": ProjectHook, "group": GroupHook, "system": SystemHook}


def hook_entity(conn: Connection, row: WebHookRow) -> SystemHook:
    """One hook in the form of its kind."""
    return _entity(row, shown_states(conn, [row])[0], with_keys=True)


def _entity(row: WebHookRow, state: str, *, with_keys: bool) -> SystemHook:
    flags = {name: getattr(row, name) for name in (*FLAGS[row.kind], "repository_update_events")}
    place = {} if row.kind == "system" else {f"{row.kind}_id": getattr(row, f"{row.kind}_id")}
    keys: dict[str, Any] = {
        "url_variables": [Key(key=key) for key in sorted(row.url_variables)],
        "custom_headers": [Key(key=key) for key in sorted(row.custom_headers)],
    }
    return FORMS[row.kind](
        id=row.id,
        url=row.url,
        name=row.name,
        description=row.description,
        created_at=wire(row.created_at),
        enable_ssl_verification=row.enable_ssl_verification,
        alert_status=state,
        disabled_until=wire_or_none(row.disabled_until),
        push_events_branch_filter=row.push_events_branch_filter,
        branch_filter_strategy=row.branch_filter_strategy,
        custom_webhook_template=row.custom_webhook_template,
        token_present=row.sealed_token is not None,
        signing_token_present=row.sealed_signing_token is not None,
        **place,
        **flags,
        **(keys if with_keys else {}),
    )


def present_hooks(*, with_keys: bool) -> Callable[[Call, Sequence[WebHookRow]], list[SystemHook]]:
    """A page of hooks."""

    def present(call: Call, rows: Sequence[WebHookRow]) -> list[SystemHook]:
        states = shown_states(call.conn, rows)
        return [_entity(row, state, with_keys=with_keys) for row, state in zip(rows, states, strict=True)]

    return present


def present_deliveries(_: Call, rows: Sequence[LogRow]) -> list[Delivery]:
    """A page of the log."""
    return [
        Delivery(
            id=row.id,
            url=row.url,
            trigger=(SYSTEM if row.flag is None else KINDS[row.flag]).trigger,
            request_headers=dict(row.request_headers),
            request_data=msgspec.json.decode(row.request_data),
            response_headers=dict(row.response_headers),
            response_body=row.response_body,
            execution_duration=row.execution_duration,
            response_status=row.response_status,
            created_at=wire(row.created_at),
        )
        for row in rows
    ]
