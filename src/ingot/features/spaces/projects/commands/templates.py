"""Creating projects from templates: the git data is copied, without a fork relation."""

from typing import Any

from sqlalchemy import Connection, func, or_, select

from ingot.access.policy import READ_CODE
from ingot.access.subjects import Group, Project, find_group, find_project
from ingot.access.tables import namespace_ancestors, projects
from ingot.access.visibility import visible_projects
from ingot.features.spaces.projects.params.create import CreateProject
from ingot.instance import application_setting
from ingot.kit import jobs
from ingot.kit.actor import Actor
from ingot.kit.errors import Invalid
from ingot.settings import Settings


def template_of(conn: Connection, actor: Actor, params: CreateProject, settings: Settings) -> Project | None:
    """The project to copy; there are no built-in templates, so every name of one is unknown."""
    if not params.template_name and params.template_project_id is None:
        return None
    is_custom = params.use_custom_template and settings.has_tier("premium")
    project = _custom_template(conn, actor, params) if is_custom else _any_project(conn, actor, params)
    if project is not None and READ_CODE.allows(actor, project):
        return project
    if params.template_project_id is not None:
        raise Invalid({"template_project_id": [f"{params.template_project_id} is unknown or invalid"]})
    raise Invalid({"template_name": [f"'{params.template_name}' is unknown or invalid"]})


def _any_project(conn: Connection, actor: Actor, params: CreateProject) -> Project | None:
    project_id = params.template_project_id
    return None if project_id is None else find_project(conn, actor, project_id)


def _custom_template(conn: Connection, actor: Actor, params: CreateProject) -> Project | None:
    """A template project directly in the named group, or in the instance's template group."""
    group_id = params.group_with_project_templates_id
    if group_id is None:
        group_id = application_setting(conn, "custom_project_templates_group_id")
    elif (group := find_group(conn, actor, group_id)) is None:
        return None
    elif not _is_offered_in(conn, group, params.namespace_id):
        raise Invalid({"namespace": ["is not a descendant of the Group owning the template"]})
    query = select(projects.c.id).where(projects.c.namespace_id == group_id, visible_projects(actor))
    if params.template_project_id is not None:
        query = query.where(projects.c.id == params.template_project_id)
    else:
        name = (params.template_name or "").lower()
        query = query.where(or_(func.lower(projects.c.name) == name, func.lower(projects.c.path) == name))
    template_id = conn.execute(query.order_by(projects.c.id).limit(1)).scalar_one_or_none()
    return None if template_id is None else find_project(conn, actor, template_id)


def _is_offered_in(conn: Connection, group: Group, namespace_id: int | None) -> bool:
    """A group offers the templates of a subgroup to itself and to everything below it."""
    tree = namespace_ancestors
    inside = select(tree.c.depth).where(tree.c.namespace_id == namespace_id, tree.c.ancestor_id == group.parent_id)
    return conn.execute(inside).first() is not None


def columns_of(template: Project | None) -> dict[str, Any]:
    """Columns of a project that is being created from a template."""
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
