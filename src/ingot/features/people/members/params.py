"""Parameters of the member endpoints."""

from datetime import date

from ingot.kit.params import Paging, Param, Params


class ListMembers(Paging):
    """Filters of direct members."""

    query: str | None = Param("Part of the name, username or email address.")
    user_ids: list[int] = Param("Limit the list to these users.", comma=True)
    skip_users: list[int] = Param("Without these users.", comma=True)
    show_seat_info: bool = Param("Show whether the member uses a seat.", default=False)


class ListAllMembers(Paging):
    """Filters of direct, inherited and invited members."""

    query: str | None = Param("Part of the name, username or email address.")
    user_ids: list[int] = Param("Limit the list to these users.", comma=True)
    skip_users: list[int] = Param("Without these users.", comma=True)
    show_seat_info: bool = Param("Show whether the member uses a seat.", default=False)
    state: str | None = Param("State of the membership.", one_of=("awaiting", "active"))


class OneMember(Params):
    """A member by user."""

    user_id: int = Param("The member's user id.", required=True)


class AddMember(Params):
    """New members."""

    user_id: str | None = Param("User id, or several with commas.")
    username: str | None = Param("Username, or several with commas.")
    access_level: int = Param("The role: 10, 15, 20, 30, 40 or 50; in groups 5 too.", required=True, default=0)
    expires_at: date | None = Param("Expires at the start of this date.")
    member_role_id: int | None = Param("A custom role.")
    invite_source: str | None = Param("Where the invitation came from.")
    exclusive = (("user_id", "username"),)
    at_least_one = ("user_id", "username")


class EditMember(OneMember):
    """Another role or expiry."""

    access_level: int = Param("The role: 10, 15, 20, 30, 40 or 50; in groups 5 too.", required=True, default=0)
    expires_at: date | None = Param("Expires at the start of this date; empty: never.")
    member_role_id: int | None = Param("A custom role.")


class RemoveMember(OneMember):
    """Options of removing a member."""

    skip_subresources: bool = Param("Keep memberships of subgroups and projects below.", default=False)
    unassign_issuables: bool = Param("Unassign the user from issues and merge requests there.", default=False)
