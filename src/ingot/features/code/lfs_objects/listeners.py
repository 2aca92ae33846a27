"""Reactions to repositories that are filled."""

from sqlalchemy import select

from ingot.access.tables import projects
from ingot.events import RepositoryFilled
from ingot.features.code.lfs_objects.commands import copy_objects
from ingot.kit.events import listen
from ingot.kit.services import Services


@listen(RepositoryFilled)
def share_with_fork(services: Services, event: RepositoryFilled) -> None:
    """A new fork has the objects of its source, also when the source loses them: its commits name them."""
    columns = (projects.c.forked_from_id, projects.c.import_status)
    with services.db.write() as tx:
        row = tx.execute(select(*columns).where(projects.c.id == event.project_id)).one_or_none()
        if row is not None and row.forked_from_id is not None and row.import_status in ("scheduled", "started"):
            copy_objects(tx, row.forked_from_id, event.project_id)
