"""Endpoints of members: the same seven for groups and for projects."""

from sqlalchemy import false

from ingot.access.call import Call
from ingot.access.levels import MINIMAL
from ingot.access.policy import READ_GROUP_SIGNED_IN, READ_PROJECT_SIGNED_IN
from ingot.access.subjects import Group, Project
from ingot.features.people.members import adding, commands, queries
from ingot.features.people.members.custom_roles import changed_role
from ingot.features.people.members.entities import Member, Outcome, present
from ingot.features.people.members.leaving import unassign
from ingot.features.people.members.params import (
    AddMember,
    EditMember,
    ListAllMembers,
    ListMembers,
    OneMember,
    RemoveMember,
)
from ingot.features.people.members.policy import MANAGE_GROUP_MEMBERS, MANAGE_PROJECT_MEMBERS, require_unlocked
from ingot.features.people.members.rows import MemberRow
from ingot.features.people.members.source import outside_reader, source_of
from ingot.kit.endpoint import Answer, OneOf, Routes
from ingot.kit.errors import Invalid, RecordNotFound
from ingot.kit.events import announce

group_routes = Routes("Group members")
project_routes = Routes("Project members")
ROUTES = [group_routes, project_routes]


@group_routes.get("/groups/{id}/members", guard=READ_GROUP_SIGNED_IN, params=ListMembers, returns=list[Member])
def list_group_members(call: Call[ListMembers]) -> Answer:
    """Direct members of a group."""
    return _list_direct(call)


@project_routes.get("/projects/{id}/members", guard=READ_PROJECT_SIGNED_IN, params=ListMembers, returns=list[Member])
def list_project_members(call: Call[ListMembers]) -> Answer:
    """Direct members of a project."""
    return _list_direct(call)


@group_routes.get("/groups/{id}/members/all", guard=READ_GROUP_SIGNED_IN, params=ListAllMembers, returns=list[Member])
def list_all_group_members(call: Call[ListAllMembers]) -> Answer:
    """Direct, inherited and invited members of a group, one row per user."""
    return _list_all(call)


@project_routes.get(
    "/projects/{id}/members/all", guard=READ_PROJECT_SIGNED_IN, params=ListAllMembers, returns=list[Member]
)
def list_all_project_members(call: Call[ListAllMembers]) -> Answer:
    """Direct, inherited and invited members of a project, one row per user."""
    return _list_all(call)


@group_routes.get("/groups/{id}/members/{user_id}", guard=READ_GROUP_SIGNED_IN, params=OneMember, returns=Member)
def get_group_member(call: Call[OneMember]) -> Answer:
    """One direct member of a group."""
    return _get_direct(call)


@project_routes.get("/projects/{id}/members/{user_id}", guard=READ_PROJECT_SIGNED_IN, params=OneMember, returns=Member)
def get_project_member(call: Call[OneMember]) -> Answer:
    """One direct member of a project."""
    return _get_direct(call)


@group_routes.get("/groups/{id}/members/all/{user_id}", guard=READ_GROUP_SIGNED_IN, params=OneMember, returns=Member)
def get_effective_group_member(call: Call[OneMember]) -> Answer:
    """One member of a group with the highest effective role."""
    return _get_effective(call)


@project_routes.get(
    "/projects/{id}/members/all/{user_id}", guard=READ_PROJECT_SIGNED_IN, params=OneMember, returns=Member
)
def get_effective_project_member(call: Call[OneMember]) -> Answer:
    """One member of a project with the highest effective role."""
    return _get_effective(call)


@group_routes.post(
    "/groups/{id}/members", guard=MANAGE_GROUP_MEMBERS, params=AddMember, returns=OneOf(Member, Outcome), errors=(409,)
)
def add_group_member(call: Call[AddMember]) -> Answer:
    """Add one or several members to a group."""
    return _add(call)


@project_routes.post(
    "/projects/{id}/members",
    guard=MANAGE_PROJECT_MEMBERS,
    params=AddMember,
    returns=OneOf(Member, Outcome),
    errors=(409,),
)
def add_project_member(call: Call[AddMember]) -> Answer:
    """Add one or several members to a project."""
    return _add(call)


@group_routes.put("/groups/{id}/members/{user_id}", guard=MANAGE_GROUP_MEMBERS, params=EditMember, returns=Member)
def edit_group_member(call: Call[EditMember]) -> Answer:
    """Change the role or expiry of a direct member of a group."""
    return _edit(call)


@project_routes.put("/projects/{id}/members/{user_id}", guard=MANAGE_PROJECT_MEMBERS, params=EditMember, returns=Member)
def edit_project_member(call: Call[EditMember]) -> Answer:
    """Change the role or expiry of a direct member of a project."""
    return _edit(call)


@group_routes.delete("/groups/{id}/members/{user_id}", guard=READ_GROUP_SIGNED_IN, params=RemoveMember)
def remove_group_member(call: Call[RemoveMember]) -> Answer:
    """Remove a member from a group; everybody may remove themselves."""
    _remove(call)


@project_routes.delete("/projects/{id}/members/{user_id}", guard=READ_PROJECT_SIGNED_IN, params=RemoveMember)
def remove_project_member(call: Call[RemoveMember]) -> Answer:
    """Remove a member from a project; everybody may remove themselves."""
    _remove(call)


def _list_direct(call: Call[ListMembers]) -> Answer:
    return call.page(queries.filtered(queries.direct_members(source_of(call)), call.params), present)


def _list_all(call: Call[ListAllMembers]) -> Answer:
    result = queries.filtered(queries.all_members(source_of(call), outside_reader(call)), call.params)
    if call.params.state == "awaiting":
        result = result.where(false())  # every membership here is active
    return call.page(result, present)


def _get_direct(call: Call[OneMember]) -> Answer:
    return _shown(call, queries.find_member(call.conn, source_of(call), call.params.user_id))


def _get_effective(call: Call[OneMember]) -> Answer:
    row = queries.find_effective_member(call.conn, source_of(call), call.params.user_id, outside_reader(call))
    return _shown(call, row)


def _shown(call: Call[OneMember], row: MemberRow | None) -> Member:
    if row is None:
        raise RecordNotFound
    return present(call, [row])[0]


def _subject(call: Call) -> Group | Project:
    result: Group | Project = call.group if call.group_or_none is not None else call.project
    return result


def _level(call: Call) -> int:
    return _subject(call).level


def _require_level(call: Call[AddMember | EditMember]) -> None:
    """Minimal access is a role of the paid tiers."""
    if call.params.access_level == MINIMAL and not call.services.settings.has_tier("premium"):
        raise Invalid({"access_level": [commands.NOT_IN_LIST]})


def _add(call: Call[AddMember]) -> Answer:
    source = source_of(call)
    _require_level(call)
    require_unlocked(call, source)
    commands.require_reach(call.actor, _level(call), call.params.access_level)
    return adding.add(call, source)


def _edit(call: Call[EditMember]) -> Answer:
    source, options = source_of(call), call.params
    _require_level(call)
    values: commands.RoleChange = {"access_level": options.access_level}
    if "expires_at" in options.sent:
        values["expires_at"] = options.expires_at
    with call.write() as tx:
        before = queries.find_member(tx, source, options.user_id)
        values["member_role_id"] = changed_role(tx, call, source, before)
        commands.edit_member(tx, call.actor, source, _level(call), options.user_id, values)
    announce(call.services, source.changed(options.user_id))
    return _get_direct(call)


def _remove(call: Call[RemoveMember]) -> None:
    source, options = source_of(call), call.params
    with call.write() as tx:
        member = queries.find_member(tx, source, options.user_id)
        if member is None:
            raise RecordNotFound
        call.require_unmodified(member.changed_at)
        commands.remove_member(tx, call.actor, source, _subject(call), member, below=not options.skip_subresources)
        if options.unassign_issuables:
            unassign(tx, source, options.user_id)
    announce(call.services, source.changed(options.user_id))
