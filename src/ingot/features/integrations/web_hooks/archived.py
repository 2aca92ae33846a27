"""Hooks of a project in its archives: without secrets, and at rest until somebody sends a test.

An archive may come from anybody. A hook that delivered at once would send what happens in the new project to whoever
wrote the archive.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict

from sqlalchemy import Connection, insert

from ingot.features.integrations.web_hooks.addresses import (
    require_callable,
    rules_for,
    used_variables,
    without_user,
)
from ingot.features.integrations.web_hooks.commands import MOST
from ingot.features.integrations.web_hooks.errors import InvalidBranchFilter, InvalidUrl
from ingot.features.integrations.web_hooks.filters import require_filter
from ingot.features.integrations.web_hooks.kinds import KINDS, PROJECT_FLAGS
from ingot.features.integrations.web_hooks.params import STRATEGIES
from ingot.features.integrations.web_hooks.queries import Place, count_hooks
from ingot.features.integrations.web_hooks.rows import WebHookRow
from ingot.features.integrations.web_hooks.states import LAST, RESTING
from ingot.features.integrations.web_hooks.tables import web_hooks
from ingot.instance import is_on
from ingot.kit.services import Services

TEXTS = {"name": 255, "description": 2048, "push_events_branch_filter": None, "custom_webhook_template": 4096}
SWITCHES = ("enable_ssl_verification", *PROJECT_FLAGS)


def hook_record(row: WebHookRow) -> dict[str, Any]:
    """What an archive says of a hook: no tokens, no headers, no variables, no password in its address."""
    names = (*TEXTS, *SWITCHES, "branch_filter_strategy")
    return {"type": "ProjectHook", "url": without_user(row.url)[0], **{name: getattr(row, name) for name in names}}


class ArchivedHook(TypedDict):
    """A hook as an archive has it."""

    url: str
    branch_filter_strategy: str | None
    push_events_branch_filter: str | None
    others: Mapping[str, object]  # further columns


def store_hook(
    tx: Connection, services: Services, project_id: int, values: ArchivedHook, moment: datetime
) -> str | None:
    """Store a hook of an archive, at rest; returns what is wrong with it, if anything."""
    if not is_on(tx, RESTING):
        return "Hooks come at rest, and the flag by which hooks rest is off"
    if count_hooks(tx, Place("project", project_id)) >= MOST["project"]:
        return f"Maximum number of project hooks ({MOST['project']}) exceeded"
    url, strategy = without_user(values["url"])[0], values["branch_filter_strategy"] or "wildcard"
    branches = values["push_events_branch_filter"]
    if strategy not in STRATEGIES:
        return "Branch filter strategy is not included in the list"
    try:
        # Variables come without their values: anything may stand there.
        require_callable(url, dict.fromkeys(used_variables(url), "x"), rules_for(services, tx, "project"))
        require_filter(branches, strategy)
    except InvalidUrl:
        return "Url is invalid or may not be called"
    except InvalidBranchFilter:
        return "Push events branch filter is invalid"
    flags = {name: False for name in KINDS if name not in PROJECT_FLAGS}
    row = {**flags, **values["others"], "push_events_branch_filter": branches}
    row |= {"url": url, "branch_filter_strategy": strategy}
    place = {"kind": "project", "project_id": project_id, "url_variables": {}, "custom_headers": {}}
    tx.execute(insert(web_hooks).values(**place, **row, recent_failures=LAST, created_at=moment, updated_at=moment))
    return None
