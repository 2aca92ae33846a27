"""Endpoints between groups and projects."""

from sqlalchemy import ColumnElement, and_, bindparam

from ingot.access.call import Call
from ingot.access.namespaces import find_namespace
from ingot.access.policy import ADMIN_PROJECT, ADMINISTRATOR, OWN_PROJECT, READ_GROUP, READ_PROJECT
from ingot.access.subjects import get_group, get_project
from ingot.features.spaces.groups import GroupDetail, GroupLocation, present_detail, present_locations, search_groups
from ingot.features.spaces.project_groups import queries
from ingot.features.spaces.project_groups.params import (
    GroupProjects,
    InvitedGroups,
    MoveProject,
    ProjectGroups,
    SearchGroups,
    SharedProjects,
)
from ingot.features.spaces.project_groups.security_reports import has_security_reports
from ingot.features.spaces.projects import Base, ProjectFull, base_set, page_of_projects, transfer_project
from ingot.instance import application_setting
from ingot.kit.actor import Actor
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound

routes = Routes("Groups and projects")


@routes.get("/groups/{id}/projects", guard=READ_GROUP, params=GroupProjects, returns=list[ProjectFull], errors=(405,))
def list_group_projects(call: Call[GroupProjects]) -> Answer:
    """Projects of a group that the caller may see; without authentication in the simple form."""
    is_reporting = call.params.with_security_reports and call.services.settings.has_tier("ultimate")
    base = Base(_inside_with_reports if is_reporting else _inside, {"group_id": call.group.id})
    return page_of_projects(call, base, permissions=None)


def _inside(actor: Actor, options: GroupProjects) -> ColumnElement[bool]:
    return and_(queries.inside(bindparam("group_id"), options), base_set(actor, options))


def _inside_with_reports(actor: Actor, options: GroupProjects) -> ColumnElement[bool]:
    return and_(_inside(actor, options), has_security_reports())


@routes.get(
    "/groups/{id}/projects/shared", guard=READ_GROUP, params=SharedProjects, returns=list[ProjectFull], errors=(405,)
)
def list_projects_shared_with_group(call: Call[SharedProjects]) -> Answer:
    """Projects that were shared with a group."""
    return page_of_projects(call, Base(_shared, {"group_id": call.group.id}), permissions=None)


def _shared(actor: Actor, options: SharedProjects) -> ColumnElement[bool]:
    return and_(queries.shared_with([bindparam("group_id")]), base_set(actor, options))


@routes.post("/groups/{id}/projects/{project_id}", guard=ADMINISTRATOR, params=MoveProject, returns=GroupDetail)
def move_project_into_group(call: Call[MoveProject]) -> Answer:
    """Move a project into a group (administrators)."""
    group = get_group(call.conn, call.actor, call.path["id"])
    project = get_project(call.conn, call.actor, call.params.project_id)
    target = find_namespace(call.conn, call.actor, group.id)
    if target is None:
        raise NotFound("Group")
    with call.write() as tx:
        transfer_project(tx, call.actor, project, target)
    return present_detail(call, group)


@routes.get("/projects/{id}/groups", guard=READ_PROJECT, params=ProjectGroups, returns=list[GroupLocation])
def list_project_groups(call: Call[ProjectGroups]) -> Answer:
    """Parent groups of a project and, on request, groups it is shared with."""
    result = queries.groups_of(call.actor, call.project, call.params)
    return call.page(search_groups(result, call.params.search), present_locations)


@routes.get("/projects/{id}/invited_groups", guard=READ_PROJECT, params=InvitedGroups, returns=list[GroupLocation])
def list_groups_invited_to_project(call: Call[InvitedGroups]) -> Answer:
    """Groups that were invited to a project or to a group above it."""
    result = queries.invited(call.actor, call.project, call.params)
    return call.page(search_groups(result, call.params.search), present_locations)


@routes.get("/projects/{id:int}/share_locations", guard=ADMIN_PROJECT, params=SearchGroups, returns=list[GroupLocation])
def list_share_locations(call: Call[SearchGroups]) -> Answer:
    """Groups that the caller can share a project with."""
    result = queries.share_locations(call.actor, call.project)
    return call.page(search_groups(result, call.params.search), present_locations)


@routes.get("/projects/{id}/transfer_locations", guard=OWN_PROJECT, params=SearchGroups, returns=list[GroupLocation])
def list_project_transfer_locations(call: Call[SearchGroups]) -> Answer:
    """Groups that the caller can move a project into."""
    default = application_setting(call.conn, "default_project_creation")
    result = queries.transfer_locations(call.actor, call.project, default)
    return call.page(search_groups(result, call.params.search), present_locations)
