"""Reading providers, identities and group links."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.tables import namespace_ancestors, namespaces
from ingot.features.people.saml.errors import SeveralLinks
from ingot.features.people.saml.rows import GroupIdentityRow, GroupProviderRow, SamlGroupLinkRow, SamlProviderRow
from ingot.features.people.saml.tables import saml_group_links, saml_providers
from ingot.identity.rows import IdentityRow, ScimIdentityRow
from ingot.identity.tables import identities, scim_identities, users
from ingot.kit.errors import NotFound


def find_provider(conn: Connection, group_id: int) -> SamlProviderRow | None:
    """The provider of exactly this group; a group that is not top-level has none."""
    return conn.execute(
        select(saml_providers)
        .join_from(namespaces, saml_providers, saml_providers.c.group_id == namespaces.c.id)
        .where(namespaces.c.id == group_id, namespaces.c.parent_id.is_(None))
    ).one_or_none()


def find_provider_above(conn: Connection, group_id: int) -> SamlProviderRow | None:
    """The provider of the group's hierarchy: the one of its top-level group."""
    return conn.execute(
        select(saml_providers)
        .join_from(namespace_ancestors, saml_providers, saml_providers.c.group_id == namespace_ancestors.c.ancestor_id)
        .join(namespaces, namespaces.c.id == namespace_ancestors.c.ancestor_id)
        .where(namespace_ancestors.c.namespace_id == group_id, namespaces.c.parent_id.is_(None))
    ).one_or_none()


def find_provider_by_path(conn: Connection, full_path: str) -> GroupProviderRow | None:
    """The provider of a group, with the group's path and name; the user is not known yet."""
    columns: list[Any] = [*saml_providers.c, namespaces.c.full_path, namespaces.c.name.label("group_name")]
    return conn.execute(
        select(*columns)
        .join_from(namespaces, saml_providers, saml_providers.c.group_id == namespaces.c.id)
        .where(
            namespaces.c.full_path_lower == full_path.lower().strip("/"),
            namespaces.c.kind == "group",
            namespaces.c.parent_id.is_(None),
            namespaces.c.pending_delete.is_(False),
        )
    ).one_or_none()


def sign_in_path_of(conn: Connection, provider_id: int) -> str | None:
    """Where people sign in by this provider; None where it was switched off."""
    query = (
        select(namespaces.c.full_path)
        .join_from(saml_providers, namespaces, namespaces.c.id == saml_providers.c.group_id)
        .where(saml_providers.c.id == provider_id, saml_providers.c.enabled, namespaces.c.pending_delete.is_(False))
    )
    path = conn.execute(query).scalar_one_or_none()
    return None if path is None else f"/groups/{path}/-/saml/sso"


def list_identities(conn: Connection, provider_id: int) -> Sequence[IdentityRow]:
    """All identities of a provider, oldest first."""
    return conn.execute(
        select(identities).where(identities.c.saml_provider_id == provider_id).order_by(identities.c.id)
    ).all()


def get_identity(conn: Connection, group_id: int, uid: str) -> IdentityRow:
    """One identity by its exact text."""
    row = conn.execute(
        select(identities)
        .join(saml_providers, saml_providers.c.id == identities.c.saml_provider_id)
        .join(namespaces, namespaces.c.id == saml_providers.c.group_id)
        .where(namespaces.c.id == group_id, namespaces.c.parent_id.is_(None), identities.c.extern_uid == uid)
    ).one_or_none()
    if row is None:
        raise NotFound("Identity")
    return row


def find_identity(conn: Connection, provider_id: int, *, uid: str = "", user_id: int = 0) -> IdentityRow | None:
    """The identity with this name (whatever its case) or of this person."""
    here = identities.c.user_id == user_id if user_id else identities.c.extern_uid_lower == uid.lower()
    row = conn.execute(select(identities).where(identities.c.saml_provider_id == provider_id, here)).one_or_none()
    return row if row is None or user_id or is_same_name(row.extern_uid, uid) else None


def is_same_name(one: str, other: str) -> bool:
    """Equal but for case. Both directions count: a Kelvin sign becomes a k in lower case, but no k becomes one."""
    return one.lower() == other.lower() and one.upper() == other.upper()


def identities_of_members(
    conn: Connection, group_id: int, user_ids: Collection[int]
) -> dict[int, GroupIdentityRow] | None:
    """Members' identities at the provider of the group's hierarchy; None where there is no provider."""
    provider = find_provider_above(conn, group_id)
    if provider is None:
        return None
    rows = conn.execute(
        select(identities).where(identities.c.saml_provider_id == provider.id, identities.c.user_id.in_(user_ids))
    )
    return {row.user_id: row for row in rows}


def scim_identities_of_members(
    conn: Connection, group_id: int, user_ids: Collection[int]
) -> dict[int, ScimIdentityRow]:
    """What the provider of the group's hierarchy keeps of these people through SCIM."""
    above = select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == group_id)
    rows = conn.execute(
        select(scim_identities).where(scim_identities.c.group_id.in_(above), scim_identities.c.user_id.in_(user_ids))
    )
    return {row.user_id: row for row in rows}


def is_deprovisioned(conn: Connection, group_id: int, user_id: int) -> bool:
    """The identity provider of this top-level group took the person out of it, and has not brought them back."""
    ended = select(scim_identities.c.id).where(
        scim_identities.c.group_id == group_id,
        scim_identities.c.user_id == user_id,
        scim_identities.c.active.is_(False),
    )
    return conn.execute(ended).first() is not None


def needs_identity(conn: Connection, group_id: int, user_id: int) -> bool:
    """The hierarchy requires an identity at its provider, and the user has none (any more)."""
    provider = find_provider_above(conn, group_id)
    if provider is None or not (provider.enabled and provider.enforced_sso):
        return False
    known = select(identities.c.id).where(identities.c.saml_provider_id == provider.id, identities.c.user_id == user_id)
    return conn.execute(known).first() is None or is_deprovisioned(conn, provider.group_id, user_id)


def is_human(conn: Connection, user_id: int) -> bool:
    """A human account, not a bot."""
    return bool(conn.execute(select(users.c.kind).where(users.c.id == user_id)).scalar_one() == "human")


def list_links(conn: Connection, group_id: int) -> Sequence[SamlGroupLinkRow]:
    """All links of one group, oldest first."""
    return conn.execute(
        select(saml_group_links).where(saml_group_links.c.group_id == group_id).order_by(saml_group_links.c.id)
    ).all()


def get_link(conn: Connection, group_id: int, name: str, provider: str | None) -> SamlGroupLinkRow:
    """One link; a name alone must not be ambiguous."""
    statement = select(saml_group_links).where(
        saml_group_links.c.group_id == group_id, saml_group_links.c.saml_group_name == name
    )
    if provider is not None:
        statement = statement.where(saml_group_links.c.provider == provider.strip())
    rows = conn.execute(statement.limit(2)).all()
    if not rows:
        raise NotFound
    if len(rows) > 1:
        raise SeveralLinks
    return rows[0]
