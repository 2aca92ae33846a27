"""Deploy keys on the wire."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.call import Call
from ingot.access.tables import namespaces, projects
from ingot.features.spaces.deploy_keys.rows import DeployKeyRow, OpenedProjectRow, ProjectKeyRow
from ingot.features.spaces.deploy_keys.tables import deploy_key_projects
from ingot.features.spaces.projects import ProjectIdentity, identity_values
from ingot.kit.entity import Entity, group_by, wire, wire_or_none
from ingot.kit.public_keys import read_public_key


class DeployKey(Entity):
    """A deploy key."""

    id: int
    title: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    key: str
    usage_type: str
    fingerprint: str
    fingerprint_sha256: str


class ProjectDeployKey(DeployKey):
    """A deploy key in one project."""

    can_push: bool


class InstanceDeployKey(DeployKey):
    """A deploy key with its projects."""

    projects_with_write_access: list[ProjectIdentity]
    projects_with_readonly_access: list[ProjectIdentity]


def deploy_key(row: DeployKeyRow) -> DeployKey:
    """One key."""
    return DeployKey(**_fields(row))


def _fields(row: DeployKeyRow) -> dict[str, Any]:
    key = read_public_key(row.key)
    return {
        "id": row.id,
        "title": row.title,
        "created_at": wire(row.created_at),
        "expires_at": wire_or_none(row.expires_at),
        "last_used_at": wire_or_none(row.last_used_at),
        "key": row.key,
        "usage_type": "auth_and_signing",
        "fingerprint": "" if key is None else key.md5,
        "fingerprint_sha256": f"SHA256:{row.fingerprint}",
    }


def present(_: Call, rows: Sequence[DeployKeyRow]) -> list[DeployKey]:
    """A page of keys."""
    return [deploy_key(row) for row in rows]


def present_in_project(_: Call, rows: Sequence[ProjectKeyRow]) -> list[ProjectDeployKey]:
    """A page of a project's keys."""
    return [ProjectDeployKey(**_fields(row), can_push=row.can_push) for row in rows]


def present_with_projects(call: Call, rows: Sequence[DeployKeyRow]) -> list[InstanceDeployKey]:
    """A page of the instance's keys."""
    opened = group_by(_projects(call.conn, [row.id for row in rows]), lambda row: (row.deploy_key_id, row.can_push))
    return [
        InstanceDeployKey(
            **_fields(row),
            projects_with_write_access=[_project(one) for one in opened.get((row.id, True), [])],
            projects_with_readonly_access=[_project(one) for one in opened.get((row.id, False), [])],
        )
        for row in rows
    ]


def _projects(conn: Connection, key_ids: Iterable[int]) -> Sequence[OpenedProjectRow]:
    joined = deploy_key_projects.join(projects, projects.c.id == deploy_key_projects.c.project_id).join(
        namespaces, namespaces.c.id == projects.c.namespace_id
    )
    query = (
        select(
            deploy_key_projects.c.deploy_key_id,
            deploy_key_projects.c.can_push,
            projects,
            namespaces.c.full_name.label("namespace_full_name"),
        )
        .select_from(joined)
        .where(deploy_key_projects.c.deploy_key_id.in_(list(key_ids)))
        .order_by(projects.c.id)
    )
    return conn.execute(query).all()


def _project(row: OpenedProjectRow) -> ProjectIdentity:
    name = f"{row.namespace_full_name} / {row.name}"
    return ProjectIdentity(**identity_values(row) | {"name_with_namespace": name})
