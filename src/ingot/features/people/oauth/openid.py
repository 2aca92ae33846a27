"""OpenID Connect: who a user is, for applications that asked for the scope `openid`."""

import hashlib
from datetime import timedelta

from sqlalchemy import Connection, select

from ingot.access.levels import DEVELOPER, MAINTAINER, OWNER
from ingot.access.tables import members, namespace_ancestors, namespaces
from ingot.features.people.oauth.issuing import Issued
from ingot.features.people.users import avatar_url
from ingot.identity.rows import UserRow
from ingot.identity.signing_keys import sign
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.services import Services

LIFETIME = timedelta(minutes=2)
MOST_GROUPS = 1000
ROLE_CLAIMS = {
    "https://gitlab.org/claims/groups/owner": OWNER,
    "https://gitlab.org/claims/groups/maintainer": MAINTAINER,
    "https://gitlab.org/claims/groups/developer": DEVELOPER,
}


def id_token(services: Services, issued: Issued, client_id: str, base_url: str) -> str:
    """Says to one client, for two minutes, who signed in."""
    moment = now()
    with services.db.read() as conn:
        user: UserRow = conn.execute(select(users).where(users.c.id == issued.row.user_id)).one()
        claims: dict[str, object] = {
            "iss": base_url,
            "sub": str(user.id),
            "sub_legacy": _legacy_subject(services, user.id),
            "aud": client_id,
            "exp": int((moment + LIFETIME).timestamp()),
            "iat": int(moment.timestamp()),
            **_identity(user, issued.row.scopes),
            "groups_direct": [path for path, _ in direct_groups(conn, user.id)],
        }
    if issued.signed_in_at is not None:
        claims["auth_time"] = int(issued.signed_in_at.timestamp())
    if issued.nonce is not None:
        claims["nonce"] = issued.nonce
    return sign(services, claims)


def userinfo(services: Services, conn: Connection, user_id: int, scopes: list[str], base_url: str) -> dict[str, object]:
    """What an application may know about the user."""
    user: UserRow = conn.execute(select(users).where(users.c.id == user_id)).one()
    direct = direct_groups(conn, user.id)
    result: dict[str, object] = {
        "sub": str(user.id),
        "sub_legacy": _legacy_subject(services, user.id),
        "name": user.name,
        "nickname": user.username,
        "preferred_username": user.username,
        **_identity(user, scopes),
        "profile": f"{base_url}/{user.username}",
        "picture": avatar_url(user, base_url),
        "groups": _all_groups(conn, user.id),
    }
    if website := user.profile.get("website_url"):
        result["website"] = website
    for claim, level in ROLE_CLAIMS.items():
        if paths := [path for path, access_level in direct if access_level == level]:
            result[claim] = paths
    return result


def _legacy_subject(services: Services, user_id: int) -> str:
    """Another lasting name of the user, for clients that ask for it."""
    return hashlib.sha256(f"{user_id}-{services.secret_key}".encode()).hexdigest()


def _identity(user: UserRow, scopes: list[str]) -> dict[str, object]:
    """The address: the primary one with the scope `email`, else the one that everybody can see."""
    if "email" in scopes:
        return {"email": user.email, "email_verified": user.confirmed_at is not None}
    return {"email": user.public_email, "email_verified": True} if user.public_email else {}


def direct_groups(conn: Connection, user_id: int) -> list[tuple[str, int]]:
    """Paths of the groups that the user is a member of, with the role there."""
    rows = conn.execute(
        select(namespaces.c.full_path, members.c.access_level)
        .join_from(members, namespaces, namespaces.c.id == members.c.group_id)
        .where(members.c.user_id == user_id, namespaces.c.pending_delete.is_(False))
        .order_by(namespaces.c.id)
        .limit(MOST_GROUPS)
    )
    return [(row.full_path, row.access_level) for row in rows]


def _all_groups(conn: Connection, user_id: int) -> list[str]:
    """Paths of the user's groups and of all groups below them."""
    own = select(members.c.group_id).where(members.c.user_id == user_id, members.c.group_id.is_not(None))
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id.in_(own))
    rows = conn.execute(
        select(namespaces.c.full_path)
        .where(namespaces.c.id.in_(below), namespaces.c.kind == "group", namespaces.c.pending_delete.is_(False))
        .order_by(namespaces.c.id)
        .limit(MOST_GROUPS)
    )
    return [row.full_path for row in rows]
