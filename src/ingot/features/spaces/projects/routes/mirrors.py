"""Pull mirrors (paid tiers), and cluster agents, which are not supported."""

from datetime import datetime

from sqlalchemy import select

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import DEVELOPER
from ingot.access.policy import ADMIN_PROJECT
from ingot.access.subjects import get_project
from ingot.features.spaces.projects.commands.edit import edit_project
from ingot.features.spaces.projects.commands.import_url import queue_import, stored_login
from ingot.features.spaces.projects.params.mirrors import UpdatePullMirror, as_edit
from ingot.features.spaces.projects.settings import project_settings
from ingot.features.spaces.projects.tables import project_mirror_updates
from ingot.instance.outbound import is_silent
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity, wire_or_none
from ingot.kit.errors import Failure
from ingot.kit.params import Paging

routes = Routes("Projects")
READ_AGENTS = ProjectAbility(ability="read_cluster_agent", level=DEVELOPER, needs_user=True)
PULL = "/projects/{id}/mirror/pull"


class PullMirror(Entity):
    """A pull mirror and its last update."""

    id: int
    update_status: str
    url: str | None
    last_error: str | None
    last_update_at: datetime | None
    last_update_started_at: datetime | None
    last_successful_update_at: datetime | None
    enabled: bool
    mirror_trigger_builds: bool
    only_mirror_protected_branches: bool
    mirror_overwrites_diverged_branches: bool
    mirror_branch_regex: str | None


class ClusterAgent(Entity):
    """An agent of a cluster."""

    id: int
    name: str


def _require_mirror(call: Call) -> None:
    if not project_settings(call.project).mirror or not call.project.import_url:
        raise Failure(400, "The project is not mirrored")


def _present(call: Call) -> PullMirror:
    project, settings, table = call.project, project_settings(call.project), project_mirror_updates
    last = call.conn.execute(select(table).where(table.c.project_id == project.id)).one_or_none()
    return PullMirror(
        id=project.id,
        update_status=project.import_status or "none",
        url=project.import_url,
        last_error=project.import_error,
        last_update_at=wire_or_none(last.ended_at if last is not None else None),
        last_update_started_at=wire_or_none(last.started_at if last is not None else None),
        last_successful_update_at=wire_or_none(last.succeeded_at if last is not None else None),
        enabled=settings.mirror,
        mirror_trigger_builds=settings.mirror_trigger_builds,
        only_mirror_protected_branches=settings.only_mirror_protected_branches,
        mirror_overwrites_diverged_branches=settings.mirror_overwrites_diverged_branches,
        mirror_branch_regex=settings.mirror_branch_regex,
    )


@routes.get(PULL, guard=ADMIN_PROJECT, returns=PullMirror, tier="premium")
def get_pull_mirror(call: Call) -> Answer:
    """The pull mirror of a project, and its last update."""
    _require_mirror(call)
    return _present(call)


@routes.put(PULL, guard=ADMIN_PROJECT, params=UpdatePullMirror, returns=PullMirror, tier="premium")
def update_pull_mirror(call: Call[UpdatePullMirror]) -> Answer:
    """Have a project follow a repository elsewhere, or change how; a new address or login is used at once.

    Of a login at the same address, the part that is not sent stays as it is.
    """
    login = stored_login(call.services, call.conn, call.project.id)
    change = as_edit(call.params, call.project.import_url, login)
    edit_project(call.services, call.actor, call.project, change, probed=False)
    call.project = get_project(call.conn, call.actor, call.project.id)
    return _present(call)


@routes.post(PULL, guard=ADMIN_PROJECT, returns=int, status=200, tier="premium")
def pull_mirror(call: Call) -> Answer:
    """Fetch a mirrored project again, in the background; not while the instance is silent."""
    _require_mirror(call)
    with call.write() as tx:
        if not is_silent(tx):
            queue_import(tx, call.project.id)
    return 200


@routes.get("/projects/{id}/cluster_agents", guard=READ_AGENTS, params=Paging, returns=list[ClusterAgent])
def list_cluster_agents(call: Call[Paging]) -> Answer:
    """Cluster agents; always empty, because clusters are not supported."""
    return call.page_of_list([], lambda _call, _part: [])
