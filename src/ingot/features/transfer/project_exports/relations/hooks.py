"""Web hooks and deploy keys of the project, without secrets."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.features.integrations.web_hooks import hook_record, web_hooks
from ingot.features.spaces.deploy_keys import deploy_keys, keys_in_project
from ingot.features.transfer.project_exports.records import batches, stamp, times
from ingot.kit.services import Services


def records(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """The project's hooks."""
    for rows in batches(conn, select(web_hooks).where(web_hooks.c.project_id == project.id), web_hooks.c.id):
        for row in rows:
            yield {**hook_record(row), "project_id": project.id, **times(row)}


def keys(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """The public keys that open the project."""
    for rows in batches(conn, keys_in_project(project.id).order_by(None), deploy_keys.c.id):
        for row in rows:
            moments = {"created_at": stamp(row.created_at), "expires_at": stamp(row.expires_at)}
            yield {"title": row.title, "key": row.key, "can_push": row.can_push, **moments}
