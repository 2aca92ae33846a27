"""Removing the namespaces of a removed user: their own, and groups that only they own."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, delete, select, update

from ingot.access.tables import namespaces, projects
from ingot.features.people.users import sole_groups
from ingot.features.spaces.groups.commands.delete import delete_now
from ingot.features.spaces.projects import delete_soon
from ingot.identity.departures import Leaving, during_departure
from ingot.kit.clock import now


@during_departure
@contextmanager
def remove_namespaces(tx: Connection, leaving: Leaving) -> Iterator[None]:
    """Remove them before their owner is gone."""
    groups = sole_groups(tx, leaving.user_id)
    _detach_namespace(tx, leaving.user_id)
    for group_id in groups:
        delete_now(tx, group_id)
    yield


def _detach_namespace(tx: Connection, user_id: int) -> None:
    """Free the name and hide the projects at once; they are deleted in the background."""
    space = tx.execute(
        select(namespaces.c.id).where(namespaces.c.owner_id == user_id, namespaces.c.kind == "user")
    ).scalar_one_or_none()
    if space is None:
        return
    inside = tx.execute(select(projects.c.id, projects.c.path).where(projects.c.namespace_id == space)).all()
    if not inside:
        tx.execute(delete(namespaces).where(namespaces.c.id == space))
        return
    path = f"deleted-user-{user_id}"
    for project in inside:
        delete_soon(tx, project.id)
        tx.execute(
            update(projects)
            .where(projects.c.id == project.id)
            .values(
                pending_delete=True,
                full_path=f"{path}/{project.path}",
                full_path_lower=f"{path}/{project.path}".lower(),
            )
        )
    tx.execute(
        update(namespaces)
        .where(namespaces.c.id == space)
        .values(owner_id=None, path=path, full_path=path, full_path_lower=path, pending_delete=True, updated_at=now())
    )
