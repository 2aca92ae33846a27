"""What people change about themselves; the API leaves it to administrators."""

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, select

from ingot.access.call import Call
from ingot.features.people.users import changes, queries
from ingot.features.people.users.params import EditUser
from ingot.features.people.users.tables import emails
from ingot.identity.tables import users
from ingot.instance import application_setting
from ingot.kit.errors import Invalid

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
