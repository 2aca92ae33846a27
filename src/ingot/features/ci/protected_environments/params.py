"""Parameters of the protected environment endpoints."""

from ingot.access.levels import ADMIN, DEVELOPER, MAINTAINER
from ingot.kit.params import CursorPaging, Param, Params

LEVELS = (DEVELOPER, MAINTAINER, ADMIN)
MOST_APPROVALS = 1000


def _number_of_approvals(number: int) -> str | None:
    return None if 0 <= number <= MOST_APPROVALS else "does not have a valid value"


class DeployEntry(Params):
    """Who may deploy: a role, a user or a group."""

    id: int | None = Param("An existing entry, to change or remove.")
    access_level: int | None = Param("A role.", one_of=LEVELS)
    user_id: int | None = Param("A person.")
    group_id: int | None = Param("A group.")
    group_inheritance_type: int | None = Param("1 to include inherited members of the group.", one_of=(0, 1))
    destroy: bool | None = Param("Remove the entry.", wire="_destroy")


class ApprovalEntry(DeployEntry):
    """Who approves, and how many of them."""

    required_approvals: int | None = Param("How many have to approve; 1 unless given.", check=_number_of_approvals)


class ListProtectedEnvironments(CursorPaging):
    """A page of protected environments."""


class EnvironmentRules(Params):
    """Who may deploy, and who has to approve."""

    deploy_access_levels: list[DeployEntry] = Param("Who can deploy.")
    approval_rules: list[ApprovalEntry] = Param("Who has to approve deployments.")
    required_approval_count: int | None = Param(
        "Required approvals from those who can deploy, if there are no approval rules.",
        check=_number_of_approvals,
    )


class ProtectEnvironment(EnvironmentRules):
    """A new protected environment."""

    name: str = Param("The environment; the tier in a group.", required=True, blank=False, max_length=255)
    deploy_access_levels: list[DeployEntry] = Param("Who can deploy.", required=True)
