"""What people change about themselves; the API leaves it to administrators."""

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, select

from ingot.access.call import Call
from ingot.access.tables import namespaces
from ingot.access.turns import take_turn
from ingot.features.people.users import changes, departure, queries
from ingot.features.people.users.params import EditUser
from ingot.features.people.users.tables import emails
from ingot.identity.tables import users
from ingot.instance import application_setting
from ingot.kit.errors import Conflict, Invalid

FIELDS = (
    "name", "pronouns", "bio", "location", "job_title", "organization", "website_url", "linkedin", "twitter",
    "discord", "public_email", "commit_email", "private_profile",
)  # fmt: skip
ADDRESSES = ("public_email", "commit_email")


def own_addresses(conn: Connection, user_id: int) -> list[str]:
    """The confirmed addresses of a user, the first one first."""
    row = queries.get_user(conn, user_id)
    second = conn.execute(
        select(emails.c.email).where(emails.c.user_id == user_id, emails.c.confirmed_at.is_not(None))
    ).scalars()
    return [*([row.email] if row.confirmed_at is not None else []), *second]


def signing_addresses(conn: Connection, user_ids: Collection[int]) -> dict[int, set[str]]:
    """By user, in small letters: the addresses that they have proven, and the one that this server gave for commits."""
    if not user_ids:
        return {}
    given_here = f"@{application_setting(conn, 'commit_email_hostname')}"
    columns = (users.c.id, users.c.email_lower, users.c.confirmed_at, users.c.commit_email)
    result: dict[int, set[str]] = {}
    for row in conn.execute(select(*columns).where(users.c.id.in_(user_ids))).all():
        result[row.id] = {row.email_lower} if row.confirmed_at is not None else set()
        given = (row.commit_email or "").lower()
        if given.endswith(given_here):
            result[row.id].add(given)
    proven = emails.c.confirmed_at.is_not(None)
    others = select(emails.c.user_id, emails.c.email).where(emails.c.user_id.in_(user_ids), proven)
    for user_id, email in conn.execute(others).all():
        result[user_id].add(email.lower())
    return result


def edit_own_profile(call: Call, values: Mapping[str, object]) -> None:
    """Change the caller's own profile: texts, the name, and which confirmed address is shown."""
    known = own_addresses(call.conn, call.actor.id)
    wrong = {name: ["is not an email you own"] for name in ADDRESSES if values.get(name) not in (None, "", *known)}
    if wrong:
        raise Invalid(wrong)
    given = {name: values[name] for name in FIELDS if name in values}
    for name in ADDRESSES:
        if given.get(name) == "":
            given[name] = None
    changes.edit(call, queries.get_user(call.conn, call.actor.id), EditUser.parse(given))


def rename_oneself(call: Call, username: str) -> None:
    """Take another user name; the old addresses of the caller's projects lead to the new ones."""
    changes.edit(call, queries.get_user(call.conn, call.actor.id), EditUser.parse({"username": username}))


def why_not_removed(conn: Connection, user_id: int) -> str:
    """What has to happen before somebody can delete their account; empty if nothing has."""
    owned = departure.sole_groups(conn, user_id)
    if owned:
        paths = conn.execute(
            select(namespaces.c.full_path).where(namespaces.c.id.in_(owned)).order_by(namespaces.c.full_path)
        ).scalars()
        return f"You are the only owner of these groups. Add another owner or delete them: {', '.join(paths)}."
    others = select(users.c.id).where(users.c.is_admin, users.c.state == "active", users.c.id != user_id)
    if queries.get_user(conn, user_id).is_admin and conn.execute(others).first() is None:
        return "You are the only administrator."
    return ""


def remove_oneself(call: Call) -> None:
    """Delete the caller's account with their projects; what they wrote elsewhere goes to the ghost user."""
    with call.write() as tx:
        take_turn(tx, exclusive=True)  # of two owners, or administrators, who leave at once, the second has to stay
        reason = why_not_removed(tx, call.actor.id)
        if reason:
            raise Conflict(reason)
        departure.delete_user(tx, call.actor.id, hard=False)
    changes.forget_tokens(call)
