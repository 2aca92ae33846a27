"""Preferences of users that other rooms obey; they are part of `users.profile`."""

from sqlalchemy import Connection, select

from ingot.identity.tables import identities, users

PASS_IDENTITIES = "pass_user_identities_to_ci_jwt"


def identities_to_pass(conn: Connection, user_id: int) -> list[dict[str, str]] | None:
    """The user's accounts at identity providers, for tokens of jobs; None if the user does not pass them on."""
    profile = conn.execute(select(users.c.profile).where(users.c.id == user_id)).scalar_one_or_none()
    if not profile or not profile.get(PASS_IDENTITIES):
        return None
    own = select(identities.c.provider, identities.c.extern_uid).where(identities.c.user_id == user_id)
    rows = conn.execute(own.order_by(identities.c.id))
    return [{"provider": row.provider, "extern_uid": row.extern_uid} for row in rows]
