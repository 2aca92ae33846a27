"""Endpoints of feature flags and user lists."""

from sqlalchemy import delete

from ingot.access.call import Call
from ingot.features.ci.project_flags import commands, queries, user_list_commands
from ingot.features.ci.project_flags.client_routes import client_routes
from ingot.features.ci.project_flags.entities import ProjectFlag, UserList, present_flags, present_user_lists
from ingot.features.ci.project_flags.params import (
    CreateFlag,
    CreateUserList,
    FlagPath,
    ListFlags,
    ListUserLists,
    UpdateFlag,
    UpdateUserList,
    UserListPath,
)
from ingot.features.ci.project_flags.policy import CHANGE_FLAGS, READ_FLAGS
from ingot.features.ci.project_flags.rows import FlagRow, UserListRow
from ingot.features.ci.project_flags.tables import flag_user_lists, project_flags
from ingot.kit.endpoint import Answer, Routes

routes = Routes("Feature flags of projects")
ROUTES = [routes, client_routes]
FLAGS = "/projects/{id}/feature_flags"
FLAG = FLAGS + "/{feature_flag_name}"
LISTS = "/projects/{id}/feature_flags_user_lists"
LIST = LISTS + "/{iid}"


def _flag(call: Call[FlagPath]) -> FlagRow:
    return queries.get_flag(call.conn, call.project.id, call.params.feature_flag_name)


def _shown(call: Call, name: str) -> ProjectFlag:
    return present_flags(call, [queries.get_flag(call.conn, call.project.id, name)])[0]


def _list(call: Call[UserListPath]) -> UserListRow:
    return queries.get_user_list(call.conn, call.project.id, call.params.iid)


@routes.get(FLAGS, guard=READ_FLAGS, params=ListFlags, returns=list[ProjectFlag])
def list_project_feature_flags(call: Call[ListFlags]) -> Answer:
    """Feature flags of a project, by name."""
    return call.page(queries.listed(call.project.id, call.params.scope), present_flags, keyset=queries.FLAGS_BY_NAME)


@routes.get(FLAG, guard=READ_FLAGS, params=FlagPath, returns=ProjectFlag)
def get_project_feature_flag(call: Call[FlagPath]) -> Answer:
    """One feature flag."""
    return present_flags(call, [_flag(call)])[0]


@routes.post(FLAGS, guard=CHANGE_FLAGS, params=CreateFlag, returns=ProjectFlag)
def create_project_feature_flag(call: Call[CreateFlag]) -> Answer:
    """Add a feature flag, which applications read with a client of Unleash."""
    with call.write() as tx:
        commands.create_flag(tx, call.project.id, call.params)
    return _shown(call, call.params.name)


@routes.put(FLAG, guard=CHANGE_FLAGS, params=UpdateFlag, returns=ProjectFlag)
def update_project_feature_flag(call: Call[UpdateFlag]) -> Answer:
    """Change a feature flag: strategies without an id are added."""
    row = _flag(call)
    with call.write() as tx:
        commands.change_flag(tx, row, call.actor.user_id, call.params)
    return _shown(call, call.params.name or row.name)


@routes.delete(FLAG, guard=CHANGE_FLAGS, params=FlagPath, returns=ProjectFlag, status=200)
def delete_project_feature_flag(call: Call[FlagPath]) -> Answer:
    """Remove a feature flag; the answer is what it was."""
    row = _flag(call)
    call.require_unmodified(row.updated_at)
    shown = present_flags(call, [row])[0]
    with call.write() as tx:
        tx.execute(delete(project_flags).where(project_flags.c.id == row.id))
        commands.report_flag(tx, "delete", row.project_id, row.id, row.name, {})
    return shown


@routes.get(LISTS, guard=READ_FLAGS, params=ListUserLists, returns=list[UserList])
def list_feature_flag_user_lists(call: Call[ListUserLists]) -> Answer:
    """User lists of a project, by name."""
    query = queries.user_lists(call.project.id, call.params.search)
    return call.page(query, present_user_lists, keyset=queries.LISTS_BY_NAME)


@routes.get(LIST, guard=READ_FLAGS, params=UserListPath, returns=UserList)
def get_feature_flag_user_list(call: Call[UserListPath]) -> Answer:
    """One user list."""
    return present_user_lists(call, [_list(call)])[0]


@routes.post(LISTS, guard=CHANGE_FLAGS, params=CreateUserList, returns=UserList)
def create_feature_flag_user_list(call: Call[CreateUserList]) -> Answer:
    """Add a list of users that strategies may name."""
    with call.write() as tx:
        row = user_list_commands.create_user_list(tx, call.project.id, call.params)
    return present_user_lists(call, [row])[0]


@routes.put(LIST, guard=CHANGE_FLAGS, params=UpdateUserList, returns=UserList)
def update_feature_flag_user_list(call: Call[UpdateUserList]) -> Answer:
    """Change a user list."""
    row = _list(call)
    with call.write() as tx:
        changed = user_list_commands.change_user_list(tx, row, call.params)
    return present_user_lists(call, [changed])[0]


@routes.delete(LIST, guard=CHANGE_FLAGS, params=UserListPath, errors=(409,))
def delete_feature_flag_user_list(call: Call[UserListPath]) -> None:
    """Remove a user list that no strategy names."""
    row = _list(call)
    with call.write() as tx:
        user_list_commands.require_unused(tx, row)
        call.delete_rows(tx, flag_user_lists, flag_user_lists.c.id == row.id)
