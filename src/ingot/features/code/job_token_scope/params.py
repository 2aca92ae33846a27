"""Parameters of the job token scope."""

from ingot.kit.params import Paging, Param, Params


class ChangeScope(Params):
    """Switching the limit."""

    enabled: bool = Param("Only listed projects reach this one with their job tokens.", required=True)


class ListAllowed(Paging):
    """Pages of the allowlist."""


class AllowProject(Params):
    """A project for the list."""

    target_project_id: int = Param("The project whose jobs may reach this one.", required=True)


class AllowGroup(Params):
    """A group for the list."""

    target_group_id: int = Param("The group whose projects' jobs may reach this one.", required=True)
