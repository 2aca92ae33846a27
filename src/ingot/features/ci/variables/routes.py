"""Endpoints of CI variables."""

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.ci.variables import commands
from ingot.features.ci.variables.commands import Owner
from ingot.features.ci.variables.entities import InstanceVariable, Variable, present, present_instance
from ingot.features.ci.variables.params import (
    CreateInstanceVariable,
    CreateVariable,
    InstanceVariablePath,
    ListVariables,
    UpdateInstanceVariable,
    UpdateVariable,
    VariablePath,
)
from ingot.features.ci.variables.policy import ADMIN_GROUP_VARIABLES, ADMIN_VARIABLES
from ingot.features.ci.variables.rows import CiVariableRow
from ingot.features.ci.variables.tables import ci_variables
from ingot.kit.endpoint import Answer, Routes

routes = Routes("CI variables")

_PROJECT, _GROUP, _ADMIN = "/projects/{id}/variables", "/groups/{id}/variables", "/admin/ci/variables"
_CHANGES = ("value", "variable_type", "protected", "masked", "raw", "environment_scope", "description")


def _owner(call: Call) -> Owner:
    if call.project_or_none is not None:
        return Owner(project_id=call.project.id)
    return Owner(group_id=call.group.id) if call.group_or_none is not None else Owner()


def _find(call: Call[VariablePath | InstanceVariablePath | UpdateInstanceVariable]) -> CiVariableRow:
    options = call.params
    chosen = options.filter if isinstance(options, VariablePath) else None
    scope = chosen.environment_scope if chosen is not None else None
    return commands.get_variable(call.conn, _owner(call), options.key, scope)


def _created(call: Call[CreateVariable | CreateInstanceVariable]) -> CiVariableRow:
    options = call.params
    names = ("key", "value", "variable_type", "protected", "masked", "raw", "description")
    values = {name: getattr(options, name) for name in names}
    values["value"] = values["value"] or ""
    if isinstance(options, CreateVariable):
        values |= {"environment_scope": options.environment_scope, "hidden": options.masked_and_hidden}
        values["masked"] = options.masked or options.masked_and_hidden
    with call.write() as tx:
        created = commands.create(tx, call.services, _owner(call), values)
    return call.conn.execute(commands.listed(_owner(call)).where(ci_variables.c.id == created)).one()


def _changed(call: Call[UpdateInstanceVariable | UpdateVariable]) -> CiVariableRow:
    row = _find(call)
    values = {name: value for name, value in call.params.given().items() if name in _CHANGES}
    values = {name: value for name, value in values.items() if value is not None or name == "description"}
    with call.write() as tx:
        commands.change(tx, call.services, _owner(call), row, values)
    return call.conn.execute(commands.listed(_owner(call)).where(ci_variables.c.id == row.id)).one()


def _removed(call: Call[InstanceVariablePath | VariablePath]) -> None:
    row = _find(call)
    call.require_unmodified(row.created_at)
    with call.write() as tx:
        commands.remove(tx, _owner(call), row)


@routes.get(_PROJECT, guard=ADMIN_VARIABLES, params=ListVariables, returns=list[Variable])
def list_project_variables(call: Call[ListVariables]) -> Answer:
    """Variables of a project."""
    return call.page(commands.listed(_owner(call)), present)


@routes.get(f"{_PROJECT}/{{key}}", guard=ADMIN_VARIABLES, params=VariablePath, returns=Variable, errors=(409,))
def get_project_variable(call: Call[VariablePath]) -> Answer:
    """One variable of a project."""
    return present(call, [_find(call)])[0]


@routes.post(_PROJECT, guard=ADMIN_VARIABLES, params=CreateVariable, returns=Variable)
def create_project_variable(call: Call[CreateVariable]) -> Answer:
    """Add a variable to a project."""
    return present(call, [_created(call)])[0]


@routes.put(f"{_PROJECT}/{{key}}", guard=ADMIN_VARIABLES, params=UpdateVariable, returns=Variable, errors=(409,))
def update_project_variable(call: Call[UpdateVariable]) -> Answer:
    """Change a variable of a project."""
    return present(call, [_changed(call)])[0]


@routes.delete(f"{_PROJECT}/{{key}}", guard=ADMIN_VARIABLES, params=VariablePath, errors=(409,))
def delete_project_variable(call: Call[VariablePath]) -> None:
    """Delete a variable of a project."""
    _removed(call)


@routes.get(_GROUP, guard=ADMIN_GROUP_VARIABLES, params=ListVariables, returns=list[Variable])
def list_group_variables(call: Call[ListVariables]) -> Answer:
    """Variables of a group, which all projects below it get."""
    return call.page(commands.listed(_owner(call)), present)


@routes.get(f"{_GROUP}/{{key}}", guard=ADMIN_GROUP_VARIABLES, params=VariablePath, returns=Variable, errors=(409,))
def get_group_variable(call: Call[VariablePath]) -> Answer:
    """One variable of a group."""
    return present(call, [_find(call)])[0]


@routes.post(_GROUP, guard=ADMIN_GROUP_VARIABLES, params=CreateVariable, returns=Variable)
def create_group_variable(call: Call[CreateVariable]) -> Answer:
    """Add a variable to a group."""
    return present(call, [_created(call)])[0]


@routes.put(f"{_GROUP}/{{key}}", guard=ADMIN_GROUP_VARIABLES, params=UpdateVariable, returns=Variable, errors=(409,))
def update_group_variable(call: Call[UpdateVariable]) -> Answer:
    """Change a variable of a group."""
    return present(call, [_changed(call)])[0]


@routes.delete(f"{_GROUP}/{{key}}", guard=ADMIN_GROUP_VARIABLES, params=VariablePath, errors=(409,))
def delete_group_variable(call: Call[VariablePath]) -> None:
    """Delete a variable of a group."""
    _removed(call)


@routes.get(_ADMIN, guard=ADMINISTRATOR, params=ListVariables, returns=list[InstanceVariable])
def list_instance_variables(call: Call[ListVariables]) -> Answer:
    """Variables of the instance, which all projects get."""
    return call.page(commands.listed(_owner(call)), present_instance)


@routes.get(f"{_ADMIN}/{{key}}", guard=ADMINISTRATOR, params=InstanceVariablePath, returns=InstanceVariable)
def get_instance_variable(call: Call[InstanceVariablePath]) -> Answer:
    """One variable of the instance."""
    return present_instance(call, [_find(call)])[0]


@routes.post(_ADMIN, guard=ADMINISTRATOR, params=CreateInstanceVariable, returns=InstanceVariable)
def create_instance_variable(call: Call[CreateInstanceVariable]) -> Answer:
    """Add a variable to the instance."""
    return present_instance(call, [_created(call)])[0]


@routes.put(f"{_ADMIN}/{{key}}", guard=ADMINISTRATOR, params=UpdateInstanceVariable, returns=InstanceVariable)
def update_instance_variable(call: Call[UpdateInstanceVariable]) -> Answer:
    """Change a variable of the instance."""
    return present_instance(call, [_changed(call)])[0]


@routes.delete(f"{_ADMIN}/{{key}}", guard=ADMINISTRATOR, params=InstanceVariablePath)
def delete_instance_variable(call: Call[InstanceVariablePath]) -> None:
    """Delete a variable of the instance."""
    _removed(call)
