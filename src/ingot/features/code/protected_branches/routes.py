"""Protected branches and tags."""

from typing import Any

from sqlalchemy import Row, Select, Subquery, Table, select

from ingot.access.call import Call
from ingot.access.policy import ADMIN_PROJECT
from ingot.features.code.protected_branches import commands
from ingot.features.code.protected_branches.entities import (
    ProtectedBranch,
    ProtectedTag,
    present_branches,
    present_tags,
)
from ingot.features.code.protected_branches.group_routes import group_routes
from ingot.features.code.protected_branches.inherited import all_protected_branches
from ingot.features.code.protected_branches.params import BranchRules, ListProtected, ProtectBranch, ProtectTag
from ingot.features.code.protected_branches.protection import load
from ingot.features.code.protected_branches.rows import ListedBranchRow
from ingot.features.code.protected_branches.tables import protected_branches, protected_tags
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden, RecordNotFound
from ingot.kit.letter_case import contains

routes = Routes("Protected branches", guard=ADMIN_PROJECT)
tag_routes = Routes("Protected tags", guard=ADMIN_PROJECT)
ROUTES = [routes, tag_routes, group_routes]

BRANCHES = "/projects/{id}/protected_branches"
TAGS = "/projects/{id}/protected_tags"


@routes.get(BRANCHES, params=ListProtected, returns=list[ProtectedBranch])
def list_protected_branches(call: Call[ListProtected]) -> Answer:
    """Protected branches and patterns of a project."""
    return call.page(_list(call, all_protected_branches), present_branches)


@routes.get(BRANCHES + "/{name}", returns=ProtectedBranch)
def get_protected_branch(call: Call) -> Answer:
    """One protected branch or pattern; the project's own before that of a group above."""
    return present_branches(call, [_shown(call, call.path["name"])])[0]


@routes.post(BRANCHES, params=ProtectBranch, returns=ProtectedBranch, errors=(409, 422))
def protect_branch(call: Call[ProtectBranch]) -> Answer:
    """Protect a branch, or all branches that a pattern matches."""
    options = call.params
    is_paid = call.services.settings.has_tier("premium")
    grants = {
        "push": commands.usual(options.allowed_to_push if is_paid else [], options.push_access_level),
        "merge": commands.usual(options.allowed_to_merge if is_paid else [], options.merge_access_level),
        "unprotect": commands.usual(options.allowed_to_unprotect, options.unprotect_access_level, None)
        if is_paid
        else [],
    }
    new = commands.NewBranch(
        options.name, grants, bool(options.allow_force_push), bool(options.code_owner_approval_required and is_paid)
    )
    with call.write() as tx:
        commands.protect_branch(tx, call.project.id, new)
    return present_branches(call, [_shown(call, options.name)])[0]


@routes.patch(BRANCHES + "/{name}", params=BranchRules, returns=ProtectedBranch, errors=(422,))
def update_protected_branch(call: Call[BranchRules]) -> Answer:
    """Change who may push, merge or unprotect, and the switches."""
    options = call.params
    row = _changeable(call)
    switches = ("allow_force_push", "code_owner_approval_required")
    values = {name: bool(value) for name in switches if (value := getattr(options, name)) is not None}
    grants = {
        "push": options.allowed_to_push,
        "merge": options.allowed_to_merge,
        "unprotect": options.allowed_to_unprotect,
    }
    with call.write() as tx:
        commands.change_branch(tx, call.project.id, row, values, grants)
    return present_branches(call, [_shown(call, row.name)])[0]


@routes.delete(BRANCHES + "/{name}")
def unprotect_branch(call: Call) -> Answer:
    """Unprotect a branch or pattern."""
    row = _changeable(call)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.unprotect_branch(tx, row)


@tag_routes.get(TAGS, params=ListProtected, returns=list[ProtectedTag])
def list_protected_tags(call: Call[ListProtected]) -> Answer:
    """Protected tags and patterns of a project."""
    return call.page(_list(call, protected_tags), present_tags)


@tag_routes.get(TAGS + "/{name}", returns=ProtectedTag)
def get_protected_tag(call: Call) -> Answer:
    """One protected tag or pattern."""
    return present_tags(call, [_find(call, protected_tags)])[0]


@tag_routes.post(TAGS, params=ProtectTag, returns=ProtectedTag, errors=(409, 422))
def protect_tag(call: Call[ProtectTag]) -> Answer:
    """Protect a tag, or all tags that a pattern matches."""
    options = call.params
    listed = options.allowed_to_create if call.services.settings.has_tier("premium") else []
    with call.write() as tx:
        commands.protect_tag(tx, call.project.id, options.name, commands.usual(listed, options.create_access_level))
    return present_tags(call, [_row(call, protected_tags, options.name)])[0]


@tag_routes.delete(TAGS + "/{name}")
def unprotect_tag(call: Call) -> Answer:
    """Unprotect a tag or pattern."""
    row = _find(call, protected_tags)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.unprotect_tag(tx, row)


def _shown(call: Call, name: str) -> ListedBranchRow:
    """The rule of this name that holds in the project."""
    table = all_protected_branches
    query = select(table).where(table.c.project_id == call.project.id, table.c.name == name)
    row = call.conn.execute(query.order_by(table.c.inherited).limit(1)).one_or_none()
    if row is None:
        raise RecordNotFound
    return row


def _changeable(call: Call) -> Row[Any]:
    """The project's own rule of the path, for those who may remove it; one of a group is changed there."""
    name = call.path["name"]
    if _shown(call, name).inherited or not load(call.conn, call.actor, call.project).may_unprotect(name):
        raise Forbidden
    return _find(call, protected_branches)


def _list(call: Call[ListProtected], table: Table | Subquery) -> Select[Any]:
    statement = select(table).where(table.c.project_id == call.project.id).order_by(table.c.name, table.c.id)
    if call.params.search:
        search = call.params.search.lower()
        statement = statement.where(contains(table.c.name, search))
    return statement


def _find(call: Call, table: Table) -> Row[Any]:
    return _row(call, table, call.path["name"])


def _row(call: Call, table: Table, name: str) -> Row[Any]:
    condition = (table.c.project_id == call.project.id) & (table.c.name == name)
    row = call.conn.execute(select(table).where(condition)).one_or_none()
    if row is None:
        raise RecordNotFound
    return row
