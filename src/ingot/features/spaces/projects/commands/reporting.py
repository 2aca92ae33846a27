"""Reports what became of a project, in the transaction that changes it."""

from sqlalchemy import Connection

from ingot.access.subjects import Project
from ingot.kit.changes import Change, report_change


def report_project(tx: Connection, action: str, project: Project) -> None:
    """The project was changed (`update`), has another path (`rename`) or another namespace (`transfer`)."""
    details = {"old_path_with_namespace": project.full_path, "before": project.row}
    report_change(tx, Change("project", action, project.id, project_id=project.id, details=details))
