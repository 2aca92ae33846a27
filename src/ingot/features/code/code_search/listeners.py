"""What brings the index up to date: pushes, forks and imports (by the figures that they refresh), another branch."""

from sqlalchemy import Connection, select

from ingot.events import ProjectDeleted, ProjectSettingsChanged
from ingot.features.code.code_search.jobs import queue_index, queue_sweep
from ingot.features.code.code_search.tables import code_indexes
from ingot.features.spaces.projects import follows_refresh
from ingot.kit.events import listen
from ingot.kit.services import Services


@follows_refresh
def index_head(tx: Connection, project_id: int, head: str | None) -> None:
    """The head of the default branch is known: queue its files, unless they are in the index."""
    known = tx.execute(select(code_indexes.c.head).where(code_indexes.c.project_id == project_id)).scalar_one_or_none()
    if known != head:
        queue_index(tx, project_id)


@listen(ProjectSettingsChanged)
def index_other_branch(services: Services, event: ProjectSettingsChanged) -> None:
    """The default branch may be another one."""
    if "default_branch" in event.names:
        with services.db.write() as tx:
            queue_index(tx, event.project_id)


@listen(ProjectDeleted)
def sweep_contents(services: Services, _event: ProjectDeleted) -> None:
    """The files went with the project; contents that only they had follow."""
    with services.db.write() as tx:
        queue_sweep(tx)
