"""Badges on the wire: addresses as entered, and with placeholders replaced."""

from collections.abc import Callable, Sequence

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.access.rows import ProjectRow
from ingot.access.subjects import Project, find_project
from ingot.access.tables import projects
from ingot.access.visibility import visible_projects_below
from ingot.features.spaces.badges.rows import BadgeRow
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import GitError, refs
from ingot.kit.entity import Entity


class RenderedBadge(Entity):
    """A preview of a badge."""

    name: str | None
    link_url: str
    image_url: str
    rendered_link_url: str
    rendered_image_url: str


class Badge(RenderedBadge):
    """A badge of a project or of a group."""

    id: int
    kind: str


def present(call: Call, rows: Sequence[BadgeRow]) -> list[Badge]:
    """A page of badges."""
    render = renderer(call)
    return [
        Badge(
            name=row.name,
            link_url=row.link_url,
            image_url=row.image_url,
            rendered_link_url=render(row.link_url),
            rendered_image_url=render(row.image_url),
            id=row.id,
            kind=row.kind,
        )
        for row in rows
    ]


def renderer(call: Call) -> Callable[[str], str]:
    """Replaces placeholders with values of the project, or of the group's first project; without one they stay."""
    place = call.project if call.project_or_none is not None else _first_project(call)
    if place is None:
        return lambda text: text
    project = place.row
    values: dict[str, str] = {
        "project_path": project.full_path,
        "project_title": project.name,
        "project_name": project.path,
        "project_namespace": project.full_path.rpartition("/")[0],
        "group_name": project.full_path.partition("/")[0],
        "project_id": str(project.id),
        "gitlab_server": call.base_url.partition("://")[2],
    }
    # What tells about the code is left out for those who may not read it.
    reads_code = READ_CODE.allows(call.actor, place)
    values["default_branch"] = (project.default_branch or "") if reads_code else ""

    def render(text: str) -> str:
        if "%{commit_sha}" in text and "commit_sha" not in values:
            values["commit_sha"] = _head(call, project) if reads_code else ""
        for name, value in values.items():
            text = text.replace(f"%{{{name}}}", value)
        return text

    return render


def _first_project(call: Call) -> Project | None:
    below = visible_projects_below(call.actor, call.group.id)
    first = select(projects.c.id).where(projects.c.id.in_(below)).order_by(projects.c.id).limit(1)
    project_id = call.conn.execute(first).scalar_one_or_none()
    return None if project_id is None else find_project(call.conn, call.actor, project_id)


def _head(call: Call, project: ProjectRow) -> str:
    try:
        return refs.find_branch(repository_of(call.services, project), project.default_branch or "") or ""
    except GitError:
        return ""
