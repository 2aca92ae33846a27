"""Creating, changing and removing runners."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Table, and_, delete, func, insert, or_, select, update

from ingot.access.tables import projects
from ingot.features.ci.runners.params import ChangeRunner, RunnerFields
from ingot.features.ci.runners.rows import RunnerRow
from ingot.features.ci.runners.tables import runner_groups, runner_projects, runners
from ingot.features.instance.plan_limits import limit_of
from ingot.features.spaces.projects import project_settings
from ingot.identity.tokens import digest, fresh
from ingot.instance import application_setting
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.errors import Invalid

CREATED_PREFIX = "glrt-"
_RECENT = timedelta(days=7)
_LOWEST_TIMEOUT = 600
_MAX_TAGS = 50
_CHECKED = ("tag_list", "run_untagged", "maximum_timeout")
# spec: a limit counts runners that are new or were seen within a week
_LIMITS = {
    "project_type": ("ci_registered_project_runners", "runner_projects.base", "ci registered project runners"),
    "group_type": ("ci_registered_group_runners", "runner_namespaces.base", "ci registered group runners"),
}


# Any: columns of the runner, by name.
def values_of(options: RunnerFields, known: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The columns that the request sets; raises `Invalid` for impossible combinations."""
    sent = options.given()
    values: dict[str, Any] = {
        name: sent[name]
        for name in ("description", "maintenance_note", "locked", "run_untagged", "access_level", "maximum_timeout")
        if sent.get(name) is not None
    }
    if "maximum_timeout" in sent:
        values["maximum_timeout"] = sent["maximum_timeout"]
    if sent.get("paused") is not None:
        values["active"] = not sent["paused"]
    elif sent.get("active") is not None:
        values["active"] = sent["active"]
    if "tag_list" in sent:
        values["tag_list"] = sorted({tag.strip() for tag in sent["tag_list"] if tag.strip()})
    whole = {"tag_list": [], "run_untagged": True, "maximum_timeout": None, **(known or {}), **values}
    _check(whole["tag_list"], whole["maximum_timeout"], untagged=whole["run_untagged"])
    return values


def _check(tags: Sequence[str], timeout: int | None, *, untagged: bool) -> None:
    problems: dict[str, list[str]] = {}
    if not untagged and not tags:
        problems["tags_list"] = ["can not be empty when runner is not allowed to pick untagged jobs"]
    elif len(tags) > _MAX_TAGS:
        problems["tags_list"] = [f"Too many tags specified. Please limit the number of tags to {_MAX_TAGS}"]
    elif any(len(tag) > 255 for tag in tags):
        problems["tags_list"] = ["is too long (maximum is 255 characters)"]
    if timeout is not None and not _LOWEST_TIMEOUT <= timeout <= 2**31 - 1:
        problems["maximum_timeout"] = ["needs to be at least 10 minutes"]
    if problems:
        raise Invalid(problems)


def create_runner(
    tx: Connection, runner_type: str, values: Mapping[str, object], *, home_id: int | None, creator_id: int | None
) -> tuple[int, str, datetime | None]:
    """A new runner for the instance, a group or a project; returns its id, its token and when that ends."""
    if home_id is not None:
        check_limit(tx, runner_type, home_id)
    token = fresh(CREATED_PREFIX) if creator_id is not None else secrets.token_urlsafe(15)
    moment = now()
    ends = token_end(tx, [home_id] if runner_type == "project_type" and home_id is not None else [])
    runner_id = tx.execute(
        insert(runners)
        .values(
            token_expires_at=ends,
            runner_type=runner_type,
            token_digest=digest(token),
            short_token=token.removeprefix(CREATED_PREFIX)[:8],
            registration_type="authenticated_user" if creator_id is not None else "registration_token",
            creator_id=creator_id,
            created_at=moment,
            updated_at=moment,
            **{"tag_list": [], **values},
        )
        .returning(runners.c.id)
    ).scalar_one()
    if runner_type == "project_type":
        tx.execute(insert(runner_projects).values(runner_id=runner_id, project_id=home_id, created_at=moment))
    elif runner_type == "group_type":
        tx.execute(insert(runner_groups).values(runner_id=runner_id, group_id=home_id))
    return int(runner_id), token, ends


def token_end(conn: Connection, project_ids: Sequence[int]) -> datetime | None:
    """When a token created now expires: the shortest that the instance or one of the projects allows; None is never."""
    intervals = [application_setting(conn, "runner_token_expiration_interval")]
    if project_ids:
        rows = conn.execute(select(projects.c.settings).where(projects.c.id.in_(project_ids)))
        intervals += [project_settings(row).runner_token_expiration_interval for row in rows]
    seconds = min((one for one in intervals if one), default=None)
    return None if seconds is None else now() + timedelta(seconds=seconds)


def check_limit(tx: Connection, runner_type: str, home_id: int) -> None:
    """Refuse one runner more than the plan allows."""
    name, key, words = _LIMITS[runner_type]
    take_turn(tx, f"runners:{runner_type}:{home_id}")
    limit = limit_of(tx, name)
    if limit == 0:
        return
    table: Table = runner_projects if runner_type == "project_type" else runner_groups
    home = table.c.project_id if runner_type == "project_type" else table.c.group_id
    recent = now() - _RECENT
    count = tx.execute(
        select(func.count())
        .select_from(table)
        .join(runners, runners.c.id == table.c.runner_id)
        .where(and_(home == home_id, or_(runners.c.created_at > recent, runners.c.contacted_at > recent)))
    ).scalar_one()
    if count >= limit:
        raise Invalid({key: [f"Maximum number of {words} ({limit}) exceeded"]})


def change_runner(tx: Connection, row: RunnerRow, options: ChangeRunner) -> None:
    """Write what the request sets."""
    values = values_of(options, {name: getattr(row, name) for name in _CHECKED})
    tx.execute(update(runners).where(runners.c.id == row.id).values(**values, updated_at=now()))


def reset_token(tx: Connection, row: RunnerRow) -> tuple[str, datetime | None]:
    """A new token for a runner, and its expiry; the old one becomes invalid at once."""
    served = select(runner_projects.c.project_id).where(runner_projects.c.runner_id == row.id)
    ends = token_end(tx, list(tx.execute(served).scalars()))
    prefix = CREATED_PREFIX if row.registration_type == "authenticated_user" else ""
    token = fresh(prefix)
    tx.execute(
        update(runners)
        .where(runners.c.id == row.id)
        .values(
            token_digest=digest(token),
            short_token=token.removeprefix(prefix)[:8],
            token_expires_at=ends,
            updated_at=now(),
        )
    )
    return token, ends


def delete_runner(tx: Connection, runner_id: int) -> None:
    """Remove a runner; jobs keep its id."""
    tx.execute(delete(runners).where(runners.c.id == runner_id))
