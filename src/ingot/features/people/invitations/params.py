"""Parameters of the invitation endpoints."""

from datetime import date
from typing import ClassVar

from ingot.kit.params import Paging, Param, Params


class ListInvitations(Paging):
    """Filter of open invitations."""

    query: str | None = Param("Part of the email address.")


class Invite(Params):
    """New invitations."""

    email: str | None = Param("Email address, or several with commas.")
    user_id: str | None = Param("User id, or several with commas.")
    access_level: int = Param("The role: 10, 15, 20, 30, 40 or 50; in groups 5 too.", required=True, default=0)
    expires_at: date | None = Param("Expires at the start of this date.")
    member_role_id: int | None = Param("A custom role.")
    invite_source: str | None = Param("Where the invitation came from.")
    at_least_one: ClassVar[tuple[str, ...]] = ("email", "user_id")


class OneInvitation(Params):
    """An invitation by its address."""

    email: str = Param("The invited address.", required=True)


class EditInvitation(OneInvitation):
    """Another role or expiry."""

    access_level: int | None = Param("The role: 10, 15, 20, 30, 40 or 50; in groups 5 too.")
    expires_at: date | None = Param("Expires at the start of this date; empty: never.")
