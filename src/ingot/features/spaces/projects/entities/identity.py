"""The short form of a project that records of other rooms embed or extend."""

from datetime import datetime
from typing import Any

from ingot.access.rows import ProjectRow
from ingot.kit.entity import Entity, wire


class ProjectIdentity(Entity):
    """Name, path and description of a project."""

    id: int
    description: str | None
    name: str
    name_with_namespace: str
    path: str
    path_with_namespace: str
    created_at: datetime


def identity_values(row: ProjectRow) -> dict[str, Any]:
    """The fields of the short form."""
    return {
        "id": row.id,
        "description": row.description,
        "name": row.name,
        "name_with_namespace": row.full_name,
        "path": row.path,
        "path_with_namespace": row.full_path,
        "created_at": wire(row.created_at),
    }


def project_identity(row: ProjectRow) -> ProjectIdentity:
    """The short form."""
    return ProjectIdentity(**identity_values(row))
