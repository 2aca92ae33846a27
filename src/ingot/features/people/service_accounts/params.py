"""Parameters of the endpoints of service accounts."""

from datetime import date

from ingot.features.people.personal_access_tokens import RotateToken, TokenFilters
from ingot.identity.tokens import SCOPES
from ingot.kit.params import CursorPaging, Param, Params


class ListAccounts(CursorPaging):
    """Order of the list."""

    order_by: str = Param("Order.", default="id", one_of=("id", "username"))
    sort: str = Param("Direction.", default="desc", one_of=("asc", "desc"))


class AccountFields(Params):
    """A new or changed account."""

    name: str | None = Param("Display name; `Service account user` if absent on creation.")
    username: str | None = Param("Username; generated if absent on creation.")
    email: str | None = Param("Email address; one that receives no mail if absent on creation.")


class EditInstanceAccount(AccountFields):
    """Changes to an account of the instance."""

    id: int = Param("The account's user id.", required=True)


class AccountPath(Params):
    """One account of a group."""

    user_id: int = Param("The account's user id.", required=True)


class EditAccount(AccountPath, AccountFields):
    """Changes to an account of a group."""


class DeleteAccount(AccountPath):
    """Options of removing an account."""

    hard_delete: bool = Param("Also delete what the account wrote, and groups that only it owns.", default=False)


class ListAccountTokens(AccountPath, TokenFilters):
    """Tokens of one account."""


class CreateAccountToken(AccountPath):
    """A new token of an account."""

    name: str = Param("Name.", required=True)
    description: str | None = Param("Description.")
    scopes: list[str] = Param("Scopes.", required=True, comma=True, one_of=SCOPES)
    expires_at: date | None = Param("Expiry date; the latest that is allowed if absent.")


class TokenPath(AccountPath):
    """One token of an account."""

    token_id: int = Param("The token's id.", required=True)


class RotateAccountToken(TokenPath, RotateToken):
    """Options of a rotation."""
