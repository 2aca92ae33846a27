"""Rows as typed records."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol


class WebHookRow(Protocol):
    """A row of `web_hooks`; the switches of its events are read by name."""

    id: int
    kind: str
    project_id: int | None
    group_id: int | None
    url: str
    name: str | None
    description: str | None
    sealed_token: str | None
    sealed_signing_token: str | None
    enable_ssl_verification: bool
    push_events_branch_filter: str | None
    branch_filter_strategy: str
    url_variables: dict[str, str]
    custom_headers: dict[str, str]
    custom_webhook_template: str | None
    recent_failures: int
    disabled_until: datetime | None
    created_at: datetime
    updated_at: datetime


class MessageRow(Protocol):
    """A row of `web_hook_messages`."""

    id: int
    hook_id: int
    flag: str | None
    subject: str
    event_uuid: str
    idempotency_key: str
    mark: str
    payload: str
    late_parts: list[dict[str, object]]
    created_at: datetime


class LogRow(Protocol):
    """A row of `web_hook_logs`."""

    id: int
    hook_id: int
    flag: str | None
    url: str
    url_digest: str
    event_uuid: str
    idempotency_key: str
    request_headers: Mapping[str, str]
    request_data: str
    response_headers: Mapping[str, str]
    response_body: str
    response_status: str
    execution_duration: float
    created_at: datetime
