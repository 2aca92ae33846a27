"""Stopping what fills a new project with git data: a fork, a copy of a template, an import or mirror from a URL."""

from sqlalchemy import Connection, select, update

from ingot.access.tables import projects
from ingot.features.spaces.projects.commands.mirrors import note_end
from ingot.features.spaces.projects.commands.repository import clear_place, make_repository
from ingot.kit.clock import now
from ingot.kit.services import Services

FILLING = ("scheduled", "started")
CANCELED = "canceled"


def filling_keys(project_id: int) -> tuple[str, ...]:
    """The keys of the background jobs that may fill it."""
    return (f"import_repository-{project_id}", f"fork_project-{project_id}")


def mark_canceled(tx: Connection, project_id: int, sentence: str) -> bool:
    """Say on the project that its import was cancelled; False where none was under way."""
    open_ones = update(projects).where(projects.c.id == project_id, projects.c.import_status.in_(FILLING))
    values = {"import_status": CANCELED, "import_error": sentence, "updated_at": now()}
    if tx.execute(open_ones.values(**values)).rowcount != 1:
        return False
    note_end(tx, project_id, succeeded=False)
    return True


def empty_if_canceled(services: Services, project_id: int) -> None:
    """What git had brought when the import was cancelled goes again, so that no part of it looks like the whole."""
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
    if project is not None and project.import_status == CANCELED:
        clear_place(services, project.repository_storage, project_id)
        make_repository(services, project)
