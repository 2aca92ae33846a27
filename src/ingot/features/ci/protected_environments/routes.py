"""Endpoints of protected environments: the same for projects and groups."""

from ingot.access.call import Call
from ingot.features.ci.protected_environments import commands, queries
from ingot.features.ci.protected_environments.entities import ProtectedEnvironment, present
from ingot.features.ci.protected_environments.params import (
    EnvironmentRules,
    ListProtectedEnvironments,
    ProtectEnvironment,
)
from ingot.features.ci.protected_environments.policy import (
    ADMIN_GROUP_PROTECTED_ENVIRONMENTS,
    ADMIN_PROTECTED_ENVIRONMENTS,
    READ_PROTECTED_ENVIRONMENTS,
)
from ingot.features.ci.protected_environments.queries import Place
from ingot.features.ci.protected_environments.tables import protected_environments
from ingot.kit.endpoint import Answer, Routes

routes = Routes("Protected environments", tier="premium")
PROJECT, GROUP = "/projects/{id}/protected_environments", "/groups/{id}/protected_environments"


def _project(call: Call) -> Place:
    return {"project_id": call.project.id}


def _group(call: Call) -> Place:
    return {"group_id": call.group.id}


def _one(call: Call, place: Place) -> Answer:
    return present(call, [queries.get(call.conn, place, call.path["name"])])[0]


def _protect(call: Call[ProtectEnvironment], place: Place) -> Answer:
    with call.write() as tx:
        row = commands.protect(tx, place, call.params)
    return present(call, [row])[0]


def _change(call: Call[EnvironmentRules], place: Place) -> Answer:
    row = queries.get(call.conn, place, call.path["name"])
    with call.write() as tx:
        commands.change(tx, place, row, call.params)
    return _one(call, place)


def _unprotect(call: Call, place: Place) -> None:
    row = queries.get(call.conn, place, call.path["name"])
    with call.write() as tx:
        call.delete_rows(tx, protected_environments, protected_environments.c.id == row.id)
        commands.report(tx, "delete", row)


@routes.get(
    PROJECT,
    guard=READ_PROTECTED_ENVIRONMENTS,
    params=ListProtectedEnvironments,
    returns=list[ProtectedEnvironment],
)
def list_protected_environments(call: Call[ListProtectedEnvironments]) -> Answer:
    """Protected environments of a project, by name."""
    return call.page(queries.listed(_project(call)), present, keyset=queries.BY_NAME)


@routes.get(PROJECT + "/{name}", guard=READ_PROTECTED_ENVIRONMENTS, returns=ProtectedEnvironment)
def get_protected_environment(call: Call) -> Answer:
    """One protected environment."""
    return _one(call, _project(call))


@routes.post(
    PROJECT,
    guard=ADMIN_PROTECTED_ENVIRONMENTS,
    params=ProtectEnvironment,
    returns=ProtectedEnvironment,
    errors=(409, 422),
)
def protect_environment(call: Call[ProtectEnvironment]) -> Answer:
    """Protect an environment: only those who are named deploy to it, stop and delete it; with rules, after approval."""
    return _protect(call, _project(call))


@routes.put(
    PROJECT + "/{name}",
    guard=ADMIN_PROTECTED_ENVIRONMENTS,
    params=EnvironmentRules,
    returns=ProtectedEnvironment,
    errors=(422,),
)
def update_protected_environment(call: Call[EnvironmentRules]) -> Answer:
    """Change who may deploy and approve: entries with an id are changed or removed, others added."""
    return _change(call, _project(call))


@routes.delete(PROJECT + "/{name}", guard=ADMIN_PROTECTED_ENVIRONMENTS)
def unprotect_environment(call: Call) -> None:
    """Remove the protection of an environment."""
    _unprotect(call, _project(call))


@routes.get(
    GROUP,
    guard=ADMIN_GROUP_PROTECTED_ENVIRONMENTS,
    params=ListProtectedEnvironments,
    returns=list[ProtectedEnvironment],
)
def list_group_protected_environments(call: Call[ListProtectedEnvironments]) -> Answer:
    """Protected tiers of a group, by name."""
    return call.page(queries.listed(_group(call)), present, keyset=queries.BY_NAME)


@routes.get(GROUP + "/{name}", guard=ADMIN_GROUP_PROTECTED_ENVIRONMENTS, returns=ProtectedEnvironment)
def get_group_protected_environment(call: Call) -> Answer:
    """One protected tier of a group."""
    return _one(call, _group(call))


@routes.post(
    GROUP,
    guard=ADMIN_GROUP_PROTECTED_ENVIRONMENTS,
    params=ProtectEnvironment,
    returns=ProtectedEnvironment,
    errors=(409, 422),
)
def protect_group_environment(call: Call[ProtectEnvironment]) -> Answer:
    """Protect all environments of a tier in the projects below a group."""
    return _protect(call, _group(call))


@routes.put(
    GROUP + "/{name}",
    guard=ADMIN_GROUP_PROTECTED_ENVIRONMENTS,
    params=EnvironmentRules,
    returns=ProtectedEnvironment,
    errors=(422,),
)
def update_group_protected_environment(call: Call[EnvironmentRules]) -> Answer:
    """Change who may deploy to a tier, and who approves."""
    return _change(call, _group(call))


@routes.delete(GROUP + "/{name}", guard=ADMIN_GROUP_PROTECTED_ENVIRONMENTS)
def unprotect_group_environment(call: Call) -> None:
    """Remove the protection of a tier."""
    _unprotect(call, _group(call))
