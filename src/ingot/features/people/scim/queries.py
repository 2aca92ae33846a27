"""Reading SCIM identities and tokens."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, or_, select

from ingot.access.tables import namespaces
from ingot.features.people.saml import saml_providers
from ingot.features.people.scim.protocol.filters import Filter
from ingot.features.people.scim.rows import ScimPersonRow, ScimProviderRow, ScimTokenRow
from ingot.features.people.scim.tables import scim_tokens
from ingot.identity import tokens
from ingot.identity.rows import ScimIdentityRow
from ingot.identity.tables import scim_identities, users
from ingot.kit.errors import NotFound


def list_identities(conn: Connection, group_id: int) -> Sequence[ScimIdentityRow]:
    """All identities of a group, oldest first."""
    query = select(scim_identities).where(scim_identities.c.group_id == group_id).order_by(scim_identities.c.id)
    return conn.execute(query).all()


def get_identity(conn: Connection, group_id: int, uid: str) -> ScimIdentityRow:
    """One identity of a top-level group by its exact text."""
    row = conn.execute(
        select(scim_identities)
        .join(namespaces, namespaces.c.id == scim_identities.c.group_id)
        .where(
            scim_identities.c.group_id == group_id,
            namespaces.c.parent_id.is_(None),
            scim_identities.c.extern_uid == uid,
        )
    ).one_or_none()
    if row is None:
        raise NotFound("Identity")
    return row


def find_token(conn: Connection, group_id: int) -> ScimTokenRow | None:
    """The group's token, without its value."""
    return conn.execute(select(scim_tokens).where(scim_tokens.c.group_id == group_id)).one_or_none()


def find_group_of_token(conn: Connection, clear: str) -> ScimProviderRow | None:
    """The SAML provider of the group that the token opens, with the group's path and name."""
    columns: list[Any] = [*saml_providers.c, namespaces.c.full_path_lower, namespaces.c.name.label("group_name")]
    return conn.execute(
        select(*columns)
        .join_from(scim_tokens, saml_providers, saml_providers.c.group_id == scim_tokens.c.group_id)
        .join(namespaces, namespaces.c.id == scim_tokens.c.group_id)
        .where(
            scim_tokens.c.digest == tokens.digest(clear),
            namespaces.c.parent_id.is_(None),
            namespaces.c.pending_delete.is_(False),
        )
    ).one_or_none()


def find_person(conn: Connection, group_id: int, *, uid: str = "", user_id: int = 0) -> ScimPersonRow | None:
    """One identity with its account, by the name at the provider (whatever its case) or by the account."""
    here = scim_identities.c.user_id == user_id if user_id else scim_identities.c.extern_uid_lower == uid.lower()
    return conn.execute(_people(group_id).where(here)).one_or_none()


def get_person(conn: Connection, group_id: int, user_id: int) -> ScimPersonRow:
    """The identity of an account that has one."""
    return conn.execute(_people(group_id).where(scim_identities.c.user_id == user_id)).one()


def list_people(
    conn: Connection, group_id: int, options: Filter | None, offset: int, limit: int
) -> tuple[int, Sequence[ScimPersonRow]]:
    """How many identities fit, and one page of them with their accounts."""
    result = _people(group_id)
    if options is not None:
        result = result.where(_fits(options))
    total = conn.execute(select(func.count()).select_from(result.subquery())).scalar_one()
    if not limit:
        return total, []
    return total, conn.execute(result.order_by(scim_identities.c.id).limit(limit).offset(offset)).all()


def _people(group_id: int) -> Select[Any]:
    columns: list[Any] = [*scim_identities.c, users.c.username, users.c.name, users.c.email]
    return (
        select(*columns)
        .join_from(scim_identities, users, users.c.id == scim_identities.c.user_id)
        .where(scim_identities.c.group_id == group_id)
    )


def _fits(options: Filter) -> ColumnElement[bool]:
    text = options.value.lower()
    if options.name == "id":
        return scim_identities.c.extern_uid_lower == text
    if options.name == "emails":
        return users.c.email_lower == text
    # Many identity providers use the address as the user name.
    return or_(users.c.username_lower == text, users.c.email_lower == text)
