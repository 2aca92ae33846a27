"""Endpoints of groups."""

from typing import Any

from sqlalchemy import Select

from ingot.access.addresses import forget_ranges
from ingot.access.call import Call
from ingot.access.policy import ANYONE, OWN_GROUP, READ_GROUP, REMOVE_GROUP, SIGNED_IN
from ingot.access.subjects import find_group, get_group
from ingot.access.tables import namespaces
from ingot.features.people.avatars import avatar_problems, replace_avatar
from ingot.features.spaces.groups import policy, presenting, queries
from ingot.features.spaces.groups.commands import delete, share
from ingot.features.spaces.groups.commands.clear_place import clear_place
from ingot.features.spaces.groups.commands.create import create_group as create
from ingot.features.spaces.groups.commands.edit import edit_group as edit
from ingot.features.spaces.groups.commands.transfer import transfer_group as transfer
from ingot.features.spaces.groups.entities import Group, GroupDetail, GroupLocation
from ingot.features.spaces.groups.params import (
    CreateGroup,
    DeleteGroup,
    EditGroup,
    GetGroup,
    GroupFilters,
    InvitedGroups,
    ListGroups,
    ShareGroup,
    TransferGroup,
    TransferLocations,
    UnshareGroup,
)
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import ACCEPTED, MessageOnly
from ingot.kit.errors import Forbidden, Invalid, NotFound, Unsaved

routes = Routes("Groups")


@routes.get("/groups", guard=ANYONE, params=ListGroups, returns=list[Group])
def list_groups(call: Call[ListGroups]) -> Answer:
    """Groups that the caller may see; anonymous callers see public ones."""
    limited = "Group" if call.actor.is_anonymous else None
    return _page(call, queries.listed(call.actor, call.params), limited)


@routes.get("/groups/{id}/subgroups", guard=READ_GROUP, params=ListGroups, returns=list[Group])
def list_subgroups(call: Call[ListGroups]) -> Answer:
    """Groups directly below a group."""
    return _page(call, queries.children_of(queries.listed(call.actor, call.params), call.group.id))


@routes.get("/groups/{id}/descendant_groups", guard=READ_GROUP, params=ListGroups, returns=list[Group])
def list_descendant_groups(call: Call[ListGroups]) -> Answer:
    """Groups below a group, at any depth."""
    return _page(call, queries.descendants_of(queries.listed(call.actor, call.params), call.group.id))


@routes.get("/groups/{id}/groups/shared", guard=READ_GROUP, params=GroupFilters, returns=list[Group])
def list_groups_shared_with_group(call: Call[GroupFilters]) -> Answer:
    """Groups that this group was invited to."""
    return _page(call, queries.shared_to(queries.related(call.actor, call.params), call.group.id))


@routes.get("/groups/{id}/invited_groups", guard=READ_GROUP, params=InvitedGroups, returns=list[Group])
def list_invited_groups(call: Call[InvitedGroups]) -> Answer:
    """Groups that were invited to this group or to one above it."""
    result = queries.related(call.actor, call.params)
    return _page(call, queries.invited_to(result, call.group.id, call.params.relation))


def _page(call: Call[GroupFilters], result: Select[Any], limited: str | None = None) -> Answer:
    options = call.params
    day = getattr(options, "marked_for_deletion_on", None)
    if day is not None and _is_licensed(call):
        result = result.where(namespaces.c.marked_for_deletion_on == day)
    return call.page(
        queries.ordered(result, options), presenting.present, keyset=queries.keyset(options), limited=limited
    )


@routes.post("/groups", guard=SIGNED_IN, params=CreateGroup, returns=GroupDetail)
def create_group(call: Call[CreateGroup]) -> Answer:
    """Create a group, or with `parent_id` a subgroup. The caller becomes its owner."""
    options = call.params
    parent = None if options.parent_id is None else get_group(call.conn, call.actor, options.parent_id)
    if not policy.may_create_group(call.conn, call.actor, parent):
        raise Forbidden
    if result := avatar_problems(options.avatar):
        raise Unsaved("Failed to save group", {"avatar": result})
    attributes = options.attributes(licensed=_is_licensed(call))
    with call.write() as tx:
        group_id = create(tx, call.actor, name=options.name, path=options.path, parent=parent, options=attributes)
    clear_place(call.services, group_id)
    if options.avatar is not None:
        replace_avatar(call.services, namespaces, "group", group_id, options.avatar)
    return _shown(call, group_id)


@routes.get("/groups/{id}", guard=READ_GROUP, params=GetGroup, returns=GroupDetail)
def get_one_group(call: Call[GetGroup]) -> Answer:
    """One group by id or full path."""
    return presenting.present_detail(call, call.group, with_projects=call.params.with_projects)


@routes.put("/groups/{id}", guard=OWN_GROUP, params=EditGroup, returns=GroupDetail)
def edit_group(call: Call[EditGroup]) -> Answer:
    """Change a group. A new path moves everything below it; the old addresses redirect."""
    options = call.params
    if result := avatar_problems(options.avatar):
        raise Invalid({"avatar": result})
    with call.write() as tx:
        edit(tx, call.actor, call.group, options.attributes(licensed=_is_licensed(call)))
    if "ip_restriction_ranges" in options.sent:
        forget_ranges(call.services)
    if "avatar" in options.sent:
        replace_avatar(call.services, namespaces, "group", call.group.id, options.avatar)
    return _shown(call, call.group.id)


@routes.delete("/groups/{id}", guard=REMOVE_GROUP, params=DeleteGroup, status=202, returns=MessageOnly)
def delete_group(call: Call[DeleteGroup]) -> Answer:
    """Delete a group with its subgroups and projects, after the grace period if the instance has one."""
    options, group = call.params, call.group
    _require_removable_by_role(call)
    call.require_unmodified(group.updated_at)
    delayed = delete.is_delayed(call.conn, call.services.settings)
    if delayed and options.permanently_remove:
        delete.require_removable(group, options.full_path)
    with call.write() as tx:
        if delayed and not options.permanently_remove:
            delete.mark_for_deletion(tx, group)
        else:
            delete.delete_now(tx, group.id)
    return ACCEPTED


@routes.post("/groups/{id}/restore", guard=REMOVE_GROUP, returns=GroupDetail, tier="premium")
def restore_group(call: Call) -> Answer:
    """Restore a group that was marked for deletion."""
    _require_removable_by_role(call)
    if not delete.is_delayed(call.conn, call.services.settings):
        raise NotFound
    with call.write() as tx:
        delete.restore(tx, call.group)
    return _shown(call, call.group.id)


@routes.post("/groups/{id}/transfer", guard=OWN_GROUP, params=TransferGroup, returns=GroupDetail)
def transfer_group(call: Call[TransferGroup]) -> Answer:
    """Move a group below another one, or without `group_id` to the top."""
    parent_id = call.params.group_id
    parent = None if parent_id is None else get_group(call.conn, call.actor, parent_id)
    permitted = policy.may_create_group(call.conn, call.actor, parent)
    with call.write() as tx:
        transfer(tx, call.group, parent, permitted=permitted)
    return _shown(call, call.group.id)


@routes.get("/groups/{id}/transfer_locations", guard=OWN_GROUP, params=TransferLocations, returns=list[GroupLocation])
def list_group_transfer_locations(call: Call[TransferLocations]) -> Answer:
    """Groups that this group can be moved to."""
    result = queries.transfer_locations(call.actor, call.group, call.params.search)
    return call.page(result, presenting.present_locations)


@routes.post("/groups/{id}/share", guard=policy.SHARE_GROUP, params=ShareGroup, returns=GroupDetail, errors=(409,))
def share_group(call: Call[ShareGroup]) -> Answer:
    """Give the members of another group a role in this one."""
    options = call.params
    invited = find_group(call.conn, call.actor, options.group_id)
    with call.write() as tx:
        share.share_group(tx, call.group, invited, options.group_access, options.expires_at)
    return _shown(call, call.group.id)


@routes.delete("/groups/{id}/share/{group_id}", guard=policy.SHARE_GROUP, params=UnshareGroup)
def unshare_group(call: Call[UnshareGroup]) -> Answer:
    """End the share with another group."""
    call.require_unmodified(share.shared_since(call.conn, call.group.id, call.params.group_id))
    with call.write() as tx:
        share.unshare_group(tx, call.group.id, call.params.group_id)


def _require_removable_by_role(call: Call) -> None:
    """A custom role can only delete subgroups."""
    if call.group.parent_id is None and not OWN_GROUP.allows(call.actor, call.group):
        raise Forbidden


def _is_licensed(call: Call) -> bool:
    return bool(call.services.settings.has_tier("premium"))


def _shown(call: Call, group_id: int) -> GroupDetail:
    return presenting.present_detail(call, get_group(call.conn, call.actor, group_id))
