"""Parameters of the token endpoints."""

from datetime import date, datetime

from ingot.identity.tokens import SCOPES
from ingot.kit.params import Paging, Param, Params

SORTS = (
    "created_asc", "created_desc", "expires_asc", "expires_desc", "last_used_asc", "last_used_desc", "name_asc",
    "name_desc",
)  # fmt: skip


class TokenFilters(Paging):
    """Filters that all lists of tokens share."""

    revoked: bool | None = Param("Only revoked ones, or only those that are not.")
    state: str | None = Param("Only usable ones, or only the others.", one_of=("active", "inactive"))
    created_before: datetime | None = Param("Created at or before.")
    created_after: datetime | None = Param("Created at or after.")
    last_used_before: datetime | None = Param("Last used at or before.")
    last_used_after: datetime | None = Param("Last used at or after.")
    expires_before: date | None = Param("Expires before this date.")
    expires_after: date | None = Param("Expires after this date.")
    search: str | None = Param("Part of the name.")
    sort: str | None = Param("Order.", one_of=SORTS)


class ListTokens(TokenFilters):
    """Filters of the list of personal tokens."""

    user_id: int | None = Param("Only tokens of this user; administrators may name others.")


class CreateToken(Params):
    """A new token of any user (administrators)."""

    name: str = Param("Name.", required=True)
    description: str | None = Param("Description.")
    expires_at: date | None = Param("Expiry date; a year from today if absent.")
    scopes: list[str] = Param("Scopes.", required=True, comma=True, one_of=SCOPES)


class CreateOwnToken(Params):
    """A new token of the caller, with the scopes that the API may grant."""

    name: str = Param("Name.", required=True)
    description: str | None = Param("Description.")
    scopes: list[str] = Param("Scopes.", required=True, comma=True, one_of=("k8s_proxy", "self_rotate"))
    expires_at: date | None = Param("Expiry date; tomorrow if absent.")


class RotateToken(Params):
    """Options of a rotation."""

    expires_at: date | None = Param("Expiry date of the new token; in a week if absent.")


class ListImpersonationTokens(Paging):
    """Filter of impersonation tokens."""

    state: str = Param("Only tokens in this state.", default="all", one_of=("all", "active", "inactive"))
