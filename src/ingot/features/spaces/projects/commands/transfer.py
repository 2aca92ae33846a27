"""Moving a project into another namespace."""

from sqlalchemy import Connection, select, update

from ingot.access.authorizations import refresh_projects
from ingot.access.levels import Visibility
from ingot.access.namespaces import Namespace, may_import_into
from ingot.access.paths import is_path_taken, lock_namespace, release_path
from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.access.unassigning import unassign_in_project_later
from ingot.features.spaces.projects.commands.redirects import leave_redirect
from ingot.features.spaces.projects.commands.reporting import report_project
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.errors import ApiError


class TransferFailed(ApiError):
    """Failed to transfer project {:new_namespace=>["…"]}"""

    def __init__(self, reason: str) -> None:
        super().__init__(f'Failed to transfer project {{:new_namespace=>["{reason}"]}}')


def transfer_project(tx: Connection, actor: Actor, project: Project, target: Namespace) -> None:
    """Move the project; the old path redirects, rights follow the new namespace."""
    if target.id == project.namespace_id:
        raise TransferFailed("Project is already in this namespace.")
    if not may_import_into(tx, actor, target):
        raise TransferFailed("You don't have permission to transfer projects into that namespace.")
    lock_namespace(tx, target.id)
    full_path = f"{target.full_path}/{project.path}"
    same_name = select(projects.c.id).where(projects.c.namespace_id == target.id, projects.c.name == project.name)
    if is_path_taken(tx, full_path) or tx.execute(same_name).first() is not None:
        raise TransferFailed("Project with same name or path in target namespace already exists")
    visibility = min(project.visibility, target.visibility) if target.is_group else project.visibility
    leave_redirect(tx, project.id, project.full_path)
    release_path(tx, full_path)
    tx.execute(
        update(projects)
        .where(projects.c.id == project.id)
        .values(
            namespace_id=target.id,
            full_path=full_path,
            full_path_lower=full_path.lower(),
            full_name=f"{target.full_name} / {project.name}",
            visibility=int(Visibility(visibility)),
            updated_at=now(),
        )
    )
    refresh_projects(tx, [project.id])
    unassign_in_project_later(tx, project.id)
    report_project(tx, "transfer", project)
