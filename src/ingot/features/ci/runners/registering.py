"""Registration tokens of the instance, a group or a project: the legacy way to create runners, still widely used."""

import secrets
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from ingot.access.tables import namespaces, projects
from ingot.features.ci.runners.tables import instance_registration_tokens
from ingot.features.spaces.groups import GroupSettings
from ingot.features.spaces.projects import project_settings
from ingot.identity.tokens import digest
from ingot.kit.clock import now

_PREFIX = "GR1348941"


def fresh_registration_token() -> str:
    """A new one."""
    return f"{_PREFIX}{secrets.token_urlsafe(15)}"


def home_of(conn: Connection, token: str) -> tuple[str, int | None] | None:
    """The runner type and the project or group of a registration token; None for an unknown one."""
    if not token:
        return None
    known = instance_registration_tokens
    if conn.execute(select(known.c.id).where(known.c.token_digest == digest(token))).first() is not None:
        return "instance_type", None
    for table, kind in ((projects, "project_type"), (namespaces, "group_type")):
        value = conn.execute(
            select(table.c.id)
            .where(table.c.settings["runners_token"].as_string() == token, table.c.pending_delete.is_(False))
            .limit(1)
        ).scalar_one_or_none()
        if value is not None:
            return kind, int(value)
    return None


def reset_instance(tx: Connection) -> str:
    """A new token for runners of the instance; shown once."""
    token = fresh_registration_token()
    tx.execute(delete(instance_registration_tokens))
    tx.execute(insert(instance_registration_tokens).values(id=1, token_digest=digest(token), created_at=now()))
    return token


def reset_project(tx: Connection, project_id: int) -> str:
    """A new token for runners of a project."""
    row = tx.execute(select(projects.c.settings).where(projects.c.id == project_id).with_for_update()).one()
    settings = project_settings(row)
    settings.runners_token = fresh_registration_token()
    tx.execute(update(projects).where(projects.c.id == project_id).values(settings=msgspec.to_builtins(settings)))
    return settings.runners_token


def reset_group(tx: Connection, group_id: int) -> str:
    """A new token for runners of a group."""
    row: Any = tx.execute(select(namespaces.c.settings).where(namespaces.c.id == group_id).with_for_update()).one()
    settings = msgspec.structs.replace(GroupSettings.of(row), runners_token=fresh_registration_token())
    tx.execute(update(namespaces).where(namespaces.c.id == group_id).values(settings=settings.stored()))
    return settings.runners_token
