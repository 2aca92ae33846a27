"""Protected branches of top-level groups, which hold in all projects below."""

from dataclasses import dataclass

from sqlalchemy import select

from ingot.access.abilities import GroupAbility
from ingot.access.call import Call
from ingot.access.levels import OWNER
from ingot.features.code.protected_branches import group_commands
from ingot.features.code.protected_branches.entities import ProtectedBranch, present_group_branches
from ingot.features.code.protected_branches.params import GroupBranchRules, ListProtected, ProtectGroupBranch
from ingot.features.code.protected_branches.rows import GroupProtectedBranchRow
from ingot.features.code.protected_branches.tables import group_protected_branches
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound, RecordNotFound
from ingot.kit.letter_case import contains


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminGroupBranches(GroupAbility):
    """Owners of top-level groups."""

    def admit(self, call: Call) -> None:
        """Subgroups protect nothing of their own."""
        GroupAbility.admit(self, call)
        if call.group.parent_id is not None:
            raise NotFound


GUARD = AdminGroupBranches(ability="admin_group_protected_branches", level=OWNER, needs_user=True)
group_routes = Routes("Group protected branches", guard=GUARD, tier="premium")
BRANCHES = "/groups/{id}/protected_branches"
TABLE = group_protected_branches


def _row(call: Call) -> GroupProtectedBranchRow:
    query = select(TABLE).where(TABLE.c.group_id == call.group.id, TABLE.c.name == call.path["name"])
    row = call.conn.execute(query).one_or_none()
    if row is None:
        raise RecordNotFound
    return row


@group_routes.get(BRANCHES, params=ListProtected, returns=list[ProtectedBranch])
def list_group_protected_branches(call: Call[ListProtected]) -> Answer:
    """Protected branches and patterns of a top-level group."""
    query = select(TABLE).where(TABLE.c.group_id == call.group.id).order_by(TABLE.c.name, TABLE.c.id)
    if call.params.search:
        query = query.where(contains(TABLE.c.name, call.params.search.lower()))
    return call.page(query, present_group_branches)


@group_routes.get(BRANCHES + "/{name}", returns=ProtectedBranch)
def get_group_protected_branch(call: Call) -> Answer:
    """One protected branch or pattern of a group."""
    return present_group_branches(call, [_row(call)])[0]


@group_routes.post(BRANCHES, params=ProtectGroupBranch, returns=ProtectedBranch, errors=(409,))
def protect_group_branch(call: Call[ProtectGroupBranch]) -> Answer:
    """Protect a branch, or all branches that a pattern matches, in all projects below a top-level group."""
    with call.write() as tx:
        row = group_commands.protect(tx, call.group.id, call.params)
    return present_group_branches(call, [row])[0]


@group_routes.patch(BRANCHES + "/{name}", params=GroupBranchRules, returns=ProtectedBranch)
def update_group_protected_branch(call: Call[GroupBranchRules]) -> Answer:
    """Change who may push, merge or unprotect, and the switches."""
    row = _row(call)
    with call.write() as tx:
        group_commands.change(tx, row, call.params)
    return present_group_branches(call, [_row(call)])[0]


@group_routes.delete(BRANCHES + "/{name}")
def unprotect_group_branch(call: Call) -> None:
    """Unprotect a branch or pattern of a group."""
    row = _row(call)
    with call.write() as tx:
        call.delete_rows(tx, TABLE, TABLE.c.id == row.id)
        group_commands.report(tx, "delete", row)
