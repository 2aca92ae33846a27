"""Deleting a group: after a grace period where the tier has one, else at once; and restoring it."""

from sqlalchemy import Connection, delete, select, update

from ingot.access.rows import NamespaceRow
from ingot.access.tables import namespace_ancestors, namespaces, projects
from ingot.access.turns import take_turn
from ingot.instance import application_setting
from ingot.kit import jobs
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now, today
from ingot.kit.errors import Failure
from ingot.settings import Settings

NOT_MARKED = "Group must be marked for deletion first."
ONLY_SUBGROUPS = "`permanently_remove` option is only available for subgroups."
WRONG_PATH = "`full_path` is incorrect. You must enter the complete path for the subgroup."


def is_delayed(conn: Connection, settings: Settings) -> bool:
    """Deleted groups are kept for a grace period."""
    return (
        settings.has_tier("premium")
        and bool(application_setting(conn, "delayed_group_deletion"))
        and application_setting(conn, "deletion_adjourned_period") > 0
    )


def mark_for_deletion(tx: Connection, group: NamespaceRow) -> None:
    """Start the grace period; marking twice changes nothing."""
    if group.marked_for_deletion_on is None:
        tx.execute(
            update(namespaces)
            .where(namespaces.c.id == group.id)
            .values(marked_for_deletion_on=today(), updated_at=now())
        )
        report_change(tx, Change("deletion", "mark", group.id, group_id=group.id))


def restore(tx: Connection, group: NamespaceRow) -> None:
    """Restore a marked group."""
    if group.marked_for_deletion_on is None:
        raise Failure(400, "Group has not been marked for deletion")
    tx.execute(
        update(namespaces).where(namespaces.c.id == group.id).values(marked_for_deletion_on=None, updated_at=now())
    )
    report_change(tx, Change("deletion", "restore", group.id, group_id=group.id))


def require_removable(group: NamespaceRow, full_path: str | None) -> None:
    """Permanent deletion within the grace period: marked subgroups only, confirmed by their path."""
    if group.parent_id is None:
        raise Failure(400, ONLY_SUBGROUPS)
    if group.marked_for_deletion_on is None:
        raise Failure(400, NOT_MARKED)
    if full_path != group.full_path:
        raise Failure(400, WRONG_PATH)


def delete_now(tx: Connection, group_id: int) -> None:
    """Hide the group and its content at once; a background job deletes them."""
    take_turn(tx, exclusive=True)
    inside = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group_id)
    gone = {"pending_delete": True, "updated_at": now()}
    groups = update(namespaces).where(namespaces.c.id.in_(inside), namespaces.c.pending_delete.is_(False)).values(gone)
    within = update(projects).where(projects.c.namespace_id.in_(inside), projects.c.pending_delete.is_(False))
    for project_id in tx.execute(within.values(gone).returning(projects.c.id)).scalars().all():
        report_change(tx, Change("project", "destroy", project_id, project_id=project_id))
    for row in tx.execute(groups.returning(namespaces.c.id, namespaces.c.parent_id)).all():
        report_change(tx, Change("group", "destroy", row.id, group_id=row.parent_id))
    jobs.enqueue(
        tx, "delete_group", args={"group_id": group_id}, key=f"delete_group-{group_id}", subject=f"group:{group_id}"
    )


def projects_inside(conn: Connection, group_id: int) -> list[int]:
    """The projects of the group and of all groups below it."""
    inside = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group_id)
    return list(conn.execute(select(projects.c.id).where(projects.c.namespace_id.in_(inside))).scalars())


def delete_rows(tx: Connection, group_id: int) -> list[int]:
    """Remove the group and those below it, the deepest first; returns their ids. Its projects must be gone."""
    tree = namespace_ancestors
    statement = select(tree.c.namespace_id).where(tree.c.ancestor_id == group_id).order_by(tree.c.depth.desc())
    below = list(tx.execute(statement).scalars())
    for namespace_id in below:
        tx.execute(delete(namespaces).where(namespaces.c.id == namespace_id))
    return below
