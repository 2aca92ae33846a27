"""Projects made from another project: its git data is copied, no relation stays."""

from typing import Any

from sqlalchemy import Connection

from ingot.access.policy import READ_CODE
from ingot.access.subjects import Project, find_project
from ingot.features.spaces.projects.params.create import CreateProject
from ingot.kit import jobs
from ingot.kit.actor import Actor
from ingot.kit.errors import Invalid


def template_of(conn: Connection, actor: Actor, params: CreateProject) -> Project | None:
    """The project to copy; there are no built-in templates, so every other name is unknown."""
    if params.template_name:
        raise Invalid({"template_name": [f"'{params.template_name}' is unknown or invalid"]})
    if params.template_project_id is None:
        return None
    project = find_project(conn, actor, params.template_project_id)
    if project is None or not READ_CODE.held(actor, project):
        raise Invalid({"template_project_id": [f"{params.template_project_id} is unknown or invalid"]})
    return project


def columns_of(template: Project | None) -> dict[str, Any]:
    """What marks a project that is being filled from a template."""
    if template is None:
        return {}
    return {
        "import_type": "gitlab_custom_project_template",
        "import_status": "scheduled",
        "default_branch": template.default_branch,
        "repository_storage": template.repository_storage,
    }


def queue_copy(tx: Connection, project_id: int, template: Project) -> None:
    """Copy the template's git data in the background, as a fork's is."""
    args = {"project_id": project_id, "source_id": template.id, "branch": None}
    jobs.enqueue(tx, "fork_project", args=args, key=f"fork_project-{project_id}", subject=f"project:{project_id}")
