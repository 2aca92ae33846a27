"""Custom roles: of a top-level group for its owners, of the instance for administrators."""

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR, OWN_GROUP
from ingot.features.people.member_roles import commands, queries
from ingot.features.people.member_roles.entities import MemberRole, present
from ingot.features.people.member_roles.params import NewRole
from ingot.features.people.member_roles.tables import member_roles
from ingot.kit.endpoint import Routes
from ingot.kit.errors import BadRequest

routes = Routes("Member roles", tier="ultimate", errors=(400, 403, 404))


@routes.get("/groups/{id}/member_roles", guard=OWN_GROUP, returns=list[MemberRole])
def list_group_member_roles(call: Call) -> list[MemberRole]:
    """Custom roles of a top-level group."""
    return [present(row) for row in queries.list_roles(call.conn, _top_level(call))]


@routes.post("/groups/{id}/member_roles", guard=OWN_GROUP, params=NewRole, returns=MemberRole)
def create_group_member_role(call: Call[NewRole]) -> MemberRole:
    """Create a custom role in a top-level group."""
    group_id = _top_level(call)
    with call.write() as tx:
        return present(commands.create_role(tx, group_id, call.params))


@routes.delete("/groups/{id}/member_roles/{member_role_id:int}", guard=OWN_GROUP)
def delete_group_member_role(call: Call) -> None:
    """Delete a custom role that no member has."""
    _delete(call, _top_level(call))


@routes.get("/member_roles", guard=ADMINISTRATOR, returns=list[MemberRole])
def list_member_roles(call: Call) -> list[MemberRole]:
    """Custom roles of the instance."""
    return [present(row) for row in queries.list_roles(call.conn, None)]


@routes.post("/member_roles", guard=ADMINISTRATOR, params=NewRole, returns=MemberRole)
def create_member_role(call: Call[NewRole]) -> MemberRole:
    """Create a custom role of the instance."""
    with call.write() as tx:
        return present(commands.create_role(tx, None, call.params))


@routes.delete("/member_roles/{member_role_id:int}", guard=ADMINISTRATOR)
def delete_member_role(call: Call) -> None:
    """Delete a custom role of the instance that no member has."""
    _delete(call, None)


def _delete(call: Call, group_id: int | None) -> None:
    role_id = int(call.path["member_role_id"])
    with call.write() as tx:
        call.require_rows_unmodified(tx, member_roles, member_roles.c.id == role_id)
        commands.delete_role(tx, group_id, role_id)


def _top_level(call: Call) -> int:
    if call.group.parent_id is not None:
        raise BadRequest("Custom roles belong to the top-level group")
    return int(call.group.id)
