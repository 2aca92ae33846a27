"""Endpoints of access requests: the same four for groups and for projects."""

from collections.abc import Sequence
from datetime import datetime

from ingot.access.call import Call
from ingot.access.policy import READ_GROUP_SIGNED_IN, READ_PROJECT_SIGNED_IN
from ingot.access.subjects import Group, Project
from ingot.features.people.members import (
    MANAGE_GROUP_MEMBERS,
    MANAGE_PROJECT_MEMBERS,
    Member,
    get_effective_member,
    present_members,
    require_manager,
    require_reach,
    source_of,
)
from ingot.features.people.users import UserBasic, basic_fields
from ingot.features.spaces.access_requests import commands
from ingot.features.spaces.access_requests.policy import may_ask
from ingot.features.spaces.access_requests.rows import AccessRequestRow
from ingot.features.spaces.access_requests.tables import access_requests
from ingot.features.spaces.groups import GroupSettings
from ingot.features.spaces.projects import project_settings
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import wire
from ingot.kit.errors import Forbidden
from ingot.kit.events import announce
from ingot.kit.params import Paging, Param, Params

group_routes = Routes("Access requests")
project_routes = Routes("Access requests")
ROUTES = [group_routes, project_routes]


class AccessRequester(UserBasic, kw_only=True):
    """A user who requests access."""

    created_at: datetime
    requested_at: datetime


class OneRequest(Params):
    """A request by user."""

    user_id: int = Param("The user who requested access.", required=True)


class Approve(OneRequest):
    """The role to give."""

    access_level: int = Param("The role.", default=30)


@group_routes.get(
    "/groups/{id}/access_requests", guard=MANAGE_GROUP_MEMBERS, params=Paging, returns=list[AccessRequester]
)
def list_group_access_requests(call: Call[Paging]) -> Answer:
    """Access requests of a group."""
    return call.page(commands.requests_of(source_of(call)), present)


@project_routes.get(
    "/projects/{id}/access_requests", guard=MANAGE_PROJECT_MEMBERS, params=Paging, returns=list[AccessRequester]
)
def list_project_access_requests(call: Call[Paging]) -> Answer:
    """Access requests of a project."""
    return call.page(commands.requests_of(source_of(call)), present)


@group_routes.post("/groups/{id}/access_requests", guard=READ_GROUP_SIGNED_IN, returns=AccessRequester)
def request_group_access(call: Call) -> Answer:
    """Request access to a group."""
    return _ask(call, call.group, enabled=GroupSettings.of(call.group).request_access_enabled)


@project_routes.post("/projects/{id}/access_requests", guard=READ_PROJECT_SIGNED_IN, returns=AccessRequester)
def request_project_access(call: Call) -> Answer:
    """Request access to a project."""
    return _ask(call, call.project, enabled=project_settings(call.project).request_access_enabled)


@group_routes.put(
    "/groups/{id}/access_requests/{user_id}/approve",
    guard=MANAGE_GROUP_MEMBERS,
    params=Approve,
    returns=Member,
    status=201,
    errors=(409,),
)
def approve_group_access_request(call: Call[Approve]) -> Answer:
    """Approve an access request of a group."""
    return _approve(call, call.group.level)


@project_routes.put(
    "/projects/{id}/access_requests/{user_id}/approve",
    guard=MANAGE_PROJECT_MEMBERS,
    params=Approve,
    returns=Member,
    status=201,
    errors=(409,),
)
def approve_project_access_request(call: Call[Approve]) -> Answer:
    """Approve an access request of a project."""
    return _approve(call, call.project.level)


@group_routes.delete("/groups/{id}/access_requests/{user_id}", guard=READ_GROUP_SIGNED_IN, params=OneRequest)
def deny_group_access_request(call: Call[OneRequest]) -> Answer:
    """Deny a request, or withdraw one's own."""
    _withdraw(call, call.group)


@project_routes.delete("/projects/{id}/access_requests/{user_id}", guard=READ_PROJECT_SIGNED_IN, params=OneRequest)
def deny_project_access_request(call: Call[OneRequest]) -> Answer:
    """Deny a request, or withdraw one's own."""
    _withdraw(call, call.project)


def _ask(call: Call, subject: Group | Project, *, enabled: bool) -> AccessRequester:
    if not may_ask(subject, enabled=enabled):
        raise Forbidden
    source = source_of(call)
    with call.write() as tx:
        commands.ask(tx, source, call.actor.id)
    row = call.conn.execute(commands.requests_of(source).where(access_requests.c.user_id == call.actor.id)).one()
    return present(call, [row])[0]


def _approve(call: Call[Approve], level: int) -> Member:
    source, options = source_of(call), call.params
    require_reach(call.actor, level, options.access_level)
    with call.write() as tx:
        commands.approve(tx, source, options.user_id, options.access_level, call.actor.id)
    announce(call.services, source.changed(options.user_id))
    return present_members(call, [get_effective_member(call.conn, source, options.user_id)])[0]


def _withdraw(call: Call[OneRequest], subject: Group | Project) -> None:
    source = source_of(call)
    if call.params.user_id != call.actor.user_id:
        require_manager(call.actor, subject)
    with call.write() as tx:
        call.require_unmodified(commands.requested_at(tx, source, call.params.user_id))
        commands.withdraw(tx, source, call.params.user_id)


def present(call: Call, rows: Sequence[AccessRequestRow]) -> list[AccessRequester]:
    """A page of requests."""
    return [
        AccessRequester(
            **basic_fields(row, call.base_url),
            created_at=wire(row.requested_at),
            requested_at=wire(row.requested_at),
        )
        for row in rows
    ]
