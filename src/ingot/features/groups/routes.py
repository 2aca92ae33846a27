"""Endpoints of groups."""

from ingot.access.policy import READ_GROUP, SIGNED_IN
from ingot.access.subjects import get_group
from ingot.features.groups import entities, policy
from ingot.features.groups.commands.create import create_group as create
from ingot.features.groups.entities import GroupDetail
from ingot.features.groups.params import CreateGroup
from ingot.kit.call import Call
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden

routes = Routes("Groups")


@routes.post("/groups", guard=SIGNED_IN, params=CreateGroup, returns=GroupDetail)
def create_group(call: Call) -> Answer:
    """Create a group, or with `parent_id` a subgroup. The caller becomes its owner."""
    wish = call.params
    parent = None if wish.parent_id is None else get_group(call.conn, call.actor, wish.parent_id)
    allowed = (
        policy.may_create_top_level(call.conn, call.actor)
        if parent is None
        else policy.may_create_subgroup(call.actor, parent)
    )
    if not allowed:
        raise Forbidden
    with call.write() as tx:
        group_id = create(tx, call.actor, name=wish.name, path=wish.path, parent=parent, wish=wish.attributes())
    return entities.present_detail(call, get_group(call.conn, call.actor, group_id))


@routes.get("/groups/{id}", guard=READ_GROUP, returns=GroupDetail)
def get_one_group(call: Call) -> Answer:
    """One group by id or full path."""
    return entities.present_detail(call, call.group)
