"""Parameters of the deploy token endpoints."""

from datetime import datetime

from ingot.kit.params import CursorPaging, Param, Params

SCOPES = (
    "read_repository", "read_registry", "write_registry", "read_package_registry", "write_package_registry",
    "read_virtual_registry", "write_virtual_registry",
)  # fmt: skip


class TokenPath(Params):
    """One deploy token."""

    token_id: int = Param("The token's id.", required=True)


class ListDeployTokens(CursorPaging):
    """Filters of deploy tokens."""

    active: bool | None = Param("Only active tokens (true), or only inactive ones (false).")


class CreateDeployToken(Params):
    """A new deploy token."""

    name: str = Param("Name.", required=True)
    scopes: list[str] = Param("Scopes.", required=True, comma=True, one_of=SCOPES)
    expires_at: datetime | None = Param("Expiry; never if absent.")
    username: str | None = Param("Username; `gitlab+deploy-token-<id>` if absent.")
