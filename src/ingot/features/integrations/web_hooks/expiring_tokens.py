"""Tokens of projects and groups that end soon: their hooks are told some days before, each time once."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, insert, select

from ingot.features.integrations.web_hooks.tables import token_warnings
from ingot.features.people.resource_access_tokens import resource_bots
from ingot.features.spaces.deploy_tokens import deploy_tokens
from ingot.identity.tables import personal_access_tokens
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now, today

# How many days before, the nearest last.
OF_ACCESS_TOKENS = (7, 1)
OF_DEPLOY_TOKENS = (60, 30, 7)
BATCH = 200

After = Callable[[int], date | datetime]


def warn_of_access_tokens(tx: Connection) -> int:
    """Report a batch of access tokens that end soon; returns how many."""
    tokens, bots = personal_access_tokens, resource_bots
    query = select(tokens.c.id, tokens.c.expires_at, bots.c.project_id, bots.c.group_id)
    query = query.join(bots, bots.c.user_id == tokens.c.user_id).where(~tokens.c.revoked)
    return _warn(tx, "access_token", query, OF_ACCESS_TOKENS, lambda days: today() + timedelta(days=days))


def warn_of_deploy_tokens(tx: Connection) -> int:
    """Report a batch of deploy tokens that end soon; returns how many."""
    tokens = deploy_tokens
    query = select(tokens.c.id, tokens.c.expires_at, tokens.c.project_id, tokens.c.group_id).where(~tokens.c.revoked)
    return _warn(tx, "deploy_token", query, OF_DEPLOY_TOKENS, lambda days: now() + timedelta(days=days))


def _warn(tx: Connection, kind: str, query: Select[Any], intervals: tuple[int, ...], after: After) -> int:
    """Report tokens of the query that end within an interval, once for each interval."""
    tokens = query.subquery()
    warned_of = token_warnings.c[f"{kind}_id"]
    count = 0
    for days, nearer in zip(intervals, (*intervals[1:], 0), strict=True):
        ends = (tokens.c.expires_at > after(nearer), tokens.c.expires_at <= after(days))
        known = select(token_warnings.c.id).where(warned_of == tokens.c.id, token_warnings.c.days == days).exists()
        due = tx.execute(select(tokens).where(*ends, ~known).order_by(tokens.c.id).limit(BATCH)).all()
        for row in due:
            tx.execute(insert(token_warnings).values({warned_of.name: row.id, "days": days}))
            report_change(tx, Change(kind, "expiring", row.id, project_id=row.project_id, group_id=row.group_id))
        count += len(due)
    return count
