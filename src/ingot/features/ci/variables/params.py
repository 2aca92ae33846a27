"""Parameters of CI variables."""

from ingot.kit.params import Paging, Param, Params

TYPES = ("env_var", "file")


class ScopeFilter(Params):
    """Which of several variables with one key."""

    environment_scope: str | None = Param("The scope of the variable that is meant.")


class VariablePath(Params):
    """One variable."""

    key: str = Param("The variable's key.", required=True)
    filter: ScopeFilter | None = Param("Tells variables of one key apart.")


class ListVariables(Paging):
    """A page of variables."""


class VariableFields(Params):
    """What a variable consists of besides key and value."""

    variable_type: str = Param("`env_var` or `file`.", default="env_var", one_of=TYPES)
    protected: bool = Param("Only for protected branches and tags.", default=False)
    masked: bool = Param("Hidden in job logs.", default=False)
    raw: bool = Param("References in the value are not expanded.", default=False)
    description: str | None = Param("A note.")


class CreateVariable(VariableFields):
    """A new variable of a project or group."""

    key: str = Param("Name: letters, digits and `_`.", required=True)
    value: str = Param("Value.", required=True)
    masked_and_hidden: bool = Param("Hidden in job logs and never shown again.", default=False)
    environment_scope: str = Param("Environments that get it.", default="*")


class UpdateVariable(VariablePath):
    """Changes of a variable."""

    value: str | None = Param("Value.")
    variable_type: str | None = Param("`env_var` or `file`.", one_of=TYPES)
    protected: bool | None = Param("Only for protected branches and tags.")
    masked: bool | None = Param("Hidden in job logs.")
    raw: bool | None = Param("References in the value are not expanded.")
    environment_scope: str | None = Param("Environments that get it.")
    description: str | None = Param("A note.")


class CreateInstanceVariable(VariableFields):
    """A new variable of the instance."""

    key: str = Param("Name: letters, digits and `_`.", required=True)
    value: str = Param("Value.", required=True)


class UpdateInstanceVariable(Params):
    """Changes of a variable of the instance."""

    key: str = Param("The variable's key.", required=True)
    value: str | None = Param("Value.")
    variable_type: str | None = Param("`env_var` or `file`.", one_of=TYPES)
    protected: bool | None = Param("Only for protected branches and tags.")
    masked: bool | None = Param("Hidden in job logs.")
    raw: bool | None = Param("References in the value are not expanded.")
    description: str | None = Param("A note.")


class InstanceVariablePath(Params):
    """One variable of the instance."""

    key: str = Param("The variable's key.", required=True)
