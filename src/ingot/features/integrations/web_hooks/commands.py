"""Changing hooks."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, insert, update

from ingot.features.integrations.web_hooks.addresses import filled_in, require_callable, rules_for, used_variables
from ingot.features.integrations.web_hooks.errors import HookRefused, InvalidPair, InvalidUrl
from ingot.features.integrations.web_hooks.filters import require_filter
from ingot.features.integrations.web_hooks.kinds import FLAGS, KINDS, ON_AT_FIRST
from ingot.features.integrations.web_hooks.pairs import is_valid, is_valid_header, merged, opened
from ingot.features.integrations.web_hooks.params import Shared
from ingot.features.integrations.web_hooks.queries import Place, count_hooks, get_hook
from ingot.features.integrations.web_hooks.rows import WebHookRow
from ingot.features.integrations.web_hooks.tables import web_hooks
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.db import hold_row, take_turn
from ingot.kit.errors import Invalid, NotFound
from ingot.kit.sealing import seal
from ingot.kit.services import Services

MOST = {"project": 100, "group": 50}
BAD_HEADERS = {True: "Custom headers must be a valid json schema", False: "Custom headers validation failed"}


def create_hook(tx: Connection, services: Services, place: Place, url: str, options: Shared) -> WebHookRow:
    """A new hook of a place."""
    take_turn(tx, f"hooks:{place.kind}:{place.id}")
    most = MOST.get(place.kind)
    if most is not None and count_hooks(tx, place) >= most:
        raise HookRefused(f"Maximum number of {place.kind} hooks ({most}) exceeded")
    token = options.token
    if token is not None and _breaks_lines(token):
        raise HookRefused("Token is invalid")
    values: dict[str, Any] = {
        "kind": place.kind,
        "url": url,
        "enable_ssl_verification": options.enable_ssl_verification,
        **_switches(place.kind, options, new=True),
        **_secrets(services, options, {}, {}, is_new=True),
        **_plain(options),
        "recent_failures": 0,
        "created_at": now(),
        "updated_at": now(),
    }
    if place.id is not None:
        values[f"{place.kind}_id"] = place.id
    _require_callable(tx, services, place.kind, values["url"], values["url_variables"])
    require_filter(values.get("push_events_branch_filter"), values.get("branch_filter_strategy") or "wildcard")
    row: WebHookRow = tx.execute(insert(web_hooks).values(values).returning(*web_hooks.c)).one()
    report_hook(tx, "create", row)
    return row


def update_hook(
    tx: Connection, services: Services, place: Place, hook_id: int, url: str | None, options: Shared
) -> WebHookRow:
    """Change a hook. Another address takes the secrets away that were meant for the old one."""
    get_hook(tx, place, hook_id)
    row: WebHookRow = hold_row(tx, web_hooks, hook_id)
    if options.token is not None and _breaks_lines(options.token):
        raise Invalid({"token": ["is invalid"]}, status=422)
    values: dict[str, Any] = {**_switches(place.kind, options, new=False), **_plain(options), "updated_at": now()}
    if "enable_ssl_verification" in options.sent:
        values["enable_ssl_verification"] = options.enable_ssl_verification
    moved = url is not None and url != row.url
    variables = dict(row.url_variables)
    if moved and url is not None:
        values["url"] = url
        if "token" not in options.sent:
            values["sealed_token"] = None
        shared = used_variables(row.url) & used_variables(url)
        variables = {key: value for key, value in variables.items() if key not in shared}
    values |= _secrets(services, options, variables, {} if moved else row.custom_headers, is_new=False)
    whole = {**_checked(row), **values}
    _require_callable(tx, services, place.kind, whole["url"], whole["url_variables"])
    require_filter(whole["push_events_branch_filter"], whole["branch_filter_strategy"] or "wildcard")
    changed = update(web_hooks).where(web_hooks.c.id == row.id).values(values).returning(*web_hooks.c)
    updated: WebHookRow = tx.execute(changed).one()
    report_hook(tx, "update", updated, before=row)
    return updated


def report_hook(tx: Connection, action: str, row: WebHookRow, before: WebHookRow | None = None) -> None:
    """Report that a hook is new, changed or gone. Of its address only the host is named: the rest may be secret."""
    details: dict[str, object] = {"type": f"{row.kind}_hook", "name": _host(row)}
    if before is not None:
        details |= {"before": _described(before), "after": _described(row)}
    change = Change("audited_record", action, row.id, row.project_id, row.group_id, details=details)
    report_change(tx, change)


def _described(row: WebHookRow) -> dict[str, object]:
    names = ("name", "description", "enable_ssl_verification", "push_events_branch_filter", "branch_filter_strategy")
    return {"host": _host(row), **{name: getattr(row, name) for name in (*names, *FLAGS[row.kind])}}


def _host(row: WebHookRow) -> str:
    return urlsplit(row.url).hostname or ""


def _breaks_lines(text: str) -> bool:
    return any(sign in text for sign in "\r\n\0")


def _switches(kind: str, options: Shared, *, new: bool) -> dict[str, bool | None]:
    """What the hook wants to know. A switch that the kind does not have stays off."""
    result: dict[str, bool | None] = {}
    for flag in KINDS:
        given = getattr(options, flag, None) if flag in FLAGS[kind] else None
        if given is not None:
            result[flag] = given
        elif new:
            result[flag] = None if flag == "confidential_note_events" else flag in ON_AT_FIRST[kind]
    return result


def _plain(options: Shared) -> dict[str, Any]:
    names = ("name", "description", "push_events_branch_filter", "branch_filter_strategy", "custom_webhook_template")
    values = {name: getattr(options, name) or None for name in names if name in options.sent}
    if "branch_filter_strategy" in values and values["branch_filter_strategy"] is None:
        values["branch_filter_strategy"] = "wildcard"
    if values.get("branch_filter_strategy") == "all_branches":
        values["push_events_branch_filter"] = None
    return values


def _secrets(
    services: Services, options: Shared, variables: dict[str, str], headers: dict[str, str], *, is_new: bool
) -> dict[str, Any]:
    values: dict[str, Any] = {
        "url_variables": merged(services, variables, options.url_variables, is_valid),
        "custom_headers": merged(services, headers, options.custom_headers, is_valid_header),
    }
    if values["url_variables"] is None:
        raise InvalidUrl
    if values["custom_headers"] is None:
        raise HookRefused(BAD_HEADERS[is_new])
    for name in ("token", "signing_token"):
        if name in options.sent:
            clear = getattr(options, name)
            values[f"sealed_{name}"] = seal(services, clear) if clear else None
    return values


def _checked(row: WebHookRow) -> dict[str, Any]:
    names = ("url", "url_variables", "push_events_branch_filter", "branch_filter_strategy")
    return {name: getattr(row, name) for name in names}


def _require_callable(tx: Connection, services: Services, kind: str, url: str, variables: Mapping[str, str]) -> None:
    """422 for an address that may not be called."""
    require_callable(url, opened(services, variables), rules_for(services, tx, kind))


def set_pair(tx: Connection, services: Services, row: WebHookRow, column: str, key: str, value: str) -> None:
    """Set one variable of the URL, or one header."""
    held: WebHookRow = hold_row(tx, web_hooks, row.id)
    stored = {**getattr(held, column), key: seal(services, value)}
    is_accepted = is_valid_header if column == "custom_headers" else is_valid
    if not is_accepted(key, value) or len(stored) > 20:
        raise InvalidPair
    if column == "url_variables":
        _require_callable(tx, services, row.kind, held.url, stored)
    tx.execute(update(web_hooks).where(web_hooks.c.id == row.id).values({column: stored, "updated_at": now()}))


def unset_pair(tx: Connection, services: Services, row: WebHookRow, column: str, key: str) -> None:
    """Remove one variable of the URL, or one header."""
    held: WebHookRow = hold_row(tx, web_hooks, row.id)
    stored = dict(getattr(held, column))
    if stored.pop(key, None) is None:
        raise NotFound("URL variable" if column == "url_variables" else "Custom header")
    if column == "url_variables":
        try:
            filled_in(held.url, opened(services, stored))
        except InvalidUrl:
            raise HookRefused("Could not unset variable") from None
    tx.execute(update(web_hooks).where(web_hooks.c.id == row.id).values({column: stored, "updated_at": now()}))
