"""Parameters of the deploy token endpoints."""

from datetime import datetime

from ingot.kit.params import Paging, Param, Params

SCOPES = (
    "read_repository", "read_registry", "write_registry", "read_package_registry", "write_package_registry",
    "read_virtual_registry", "write_virtual_registry",
)  # fmt: skip


class TokenPath(Params):
    """One deploy token."""

    token_id: int = Param("The token's id.", required=True)


class ListDeployTokens(Paging):
    """Filters of deploy tokens."""

    active: bool | None = Param("Only those that work (true), or only those that do not (false).")


class CreateDeployToken(Params):
    """A new deploy token."""

    name: str = Param("Name.", required=True)
    scopes: list[str] = Param("What it opens.", required=True, comma=True, one_of=SCOPES)
    expires_at: datetime | None = Param("When it stops working; never, when left out.")
    username: str | None = Param("User name; `gitlab+deploy-token-<id>` when left out.")
