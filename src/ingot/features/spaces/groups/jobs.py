"""Background work of groups: removing deleted ones, and those whose grace period is over."""

from datetime import timedelta

from sqlalchemy import select

from ingot.access.authorizations import refresh_projects
from ingot.access.tables import namespaces, project_group_links
from ingot.access.unassigning import unassign_in_project_later
from ingot.events import GroupDeleted
from ingot.features.people.avatars import stored_in
from ingot.features.spaces.groups.commands import delete
from ingot.features.spaces.groups.commands.clear_place import clear_place
from ingot.features.spaces.projects import delete_for_good
from ingot.instance import application_setting
from ingot.kit.clock import today
from ingot.kit.events import announce
from ingot.kit.jobs import Run, job, periodic


@job("delete_group", long=True)
def delete_group(run: Run, group_id: int) -> None:
    """Remove the projects one by one, then the rows of the groups."""
    with run.db.read() as conn:
        inside = delete.projects_inside(conn, group_id)
        links = project_group_links
        shared = set(conn.execute(select(links.c.project_id).where(links.c.group_id == group_id)).scalars())
    for number, project_id in enumerate(inside):
        run.check()
        run.progress(done=number, total=len(inside), label="projects")
        delete_for_good(run.services, project_id)
    with run.db.write() as tx:
        gone = delete.delete_rows(tx, group_id)
        refresh_projects(tx, shared - set(inside))
        for project_id in sorted(shared - set(inside)):
            unassign_in_project_later(tx, project_id)
    for number in gone:
        run.services.blobs.delete_prefix(stored_in("group", number))
        clear_place(run.services, number)
        announce(run.services, GroupDeleted(number))


@periodic("delete_marked_groups", every=3600)
def delete_marked_groups(run: Run) -> None:
    """Delete the groups whose grace period is over."""
    with run.db.write() as tx:
        days = application_setting(tx, "deletion_adjourned_period")
        due = namespaces.c.marked_for_deletion_on <= today() - timedelta(days=days)
        query = select(namespaces.c.id).where(namespaces.c.kind == "group", namespaces.c.pending_delete.is_(False), due)
        for group_id in tx.execute(query).scalars().all():
            delete.delete_now(tx, group_id)
