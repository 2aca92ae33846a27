"""Parameters of the endpoints of project and group access tokens."""

from datetime import date

from ingot.access.levels import MAINTAINER, MEMBER_LEVELS
from ingot.kit.params import Param, Params

# Scopes of bots: none about users, administration or the instance.
SCOPES = (
    "api", "read_api", "read_repository", "write_repository", "read_registry", "write_registry", "create_runner",
    "manage_runner", "ai_features", "k8s_proxy", "read_observability", "write_observability", "self_rotate",
)  # fmt: skip


class CreateResourceToken(Params):
    """A new token of a project or group."""

    name: str = Param("Name of the token and of its bot.", required=True)
    description: str | None = Param("Description.")
    scopes: list[str] = Param("Scopes.", required=True, comma=True, one_of=SCOPES)
    access_level: int = Param("Role of the bot; at most the caller's own.", default=MAINTAINER, one_of=MEMBER_LEVELS)
    expires_at: date | None = Param("Expiry date; a year from today if absent.")
