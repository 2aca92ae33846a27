"""Reading users: the list's filters, one function each."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, func, literal, or_, select

from ingot.access.tables import members, namespaces, projects
from ingot.features.people.custom_attributes import has_attributes, user_custom_attributes
from ingot.features.people.users.params import ListUsers
from ingot.features.people.users.tables import emails
from ingot.identity.rows import UserRow
from ingot.identity.second_factors import with_second_factor
from ingot.identity.tables import identities, users
from ingot.kit.actor import Actor
from ingot.kit.clock import through
from ingot.kit.errors import NotFound
from ingot.kit.pagination import Keyset

HIDDEN_STATES = ("blocked", "ldap_blocked", "banned")
BLOCKED_STATES = (*HIDDEN_STATES, "blocked_pending_approval")
INTERNAL_KINDS = ("ghost",)


_BY_ID = select(users).where(users.c.id == bindparam("user_id"))


def find_user(conn: Connection, user_id: int) -> UserRow | None:
    """The user's row, or None."""
    return conn.execute(_BY_ID, {"user_id": user_id}).one_or_none()


def get_user(conn: Connection, user_id: int) -> UserRow:
    """The user's row; raises 404."""
    row = find_user(conn, user_id)
    if row is None:
        raise NotFound("User")
    return row


def find_user_by_email(conn: Connection, email: str) -> UserRow | None:
    """The user who has this address, as the first or as a further one, or None."""
    further = select(emails.c.user_id).where(emails.c.email_lower == email.lower())
    here = or_(users.c.email_lower == email.lower(), users.c.id.in_(further))
    return conn.execute(select(users).where(here).limit(1)).one_or_none()


def listed(actor: Actor, options: ListUsers) -> Select[Any]:
    """Users that the actor may see, filtered; only administrators order and use the filters marked so."""
    query = by_kind(by_state(by_name(select(users), actor, options), actor, options), options)
    if actor.is_admin:
        query = by_account(query, options)
    column = users.c[order_of(actor, options)]
    descending = is_descending(actor, options)
    order = [column] if column is users.c.id else [column, users.c.id]
    return query.order_by(*(part.desc() if descending else part.asc() for part in order))


def keyset(actor: Actor, options: ListUsers) -> Keyset:
    """How the list continues by key."""
    name = order_of(actor, options)
    return Keyset(users.c[name], is_descending(actor, options), label=name, tie=None if name == "id" else users.c.id)


def order_of(actor: Actor, options: ListUsers) -> str:
    """The column of the effective order."""
    order = options.order_by if actor.is_admin else "id"
    return f"{order}_lower" if order in ("name", "username") else order


def is_descending(actor: Actor, options: ListUsers) -> bool:
    """The effective direction."""
    return options.sort == "desc" if actor.is_admin else True


def by_name(query: Select[Any], actor: Actor, options: ListUsers) -> Select[Any]:
    """Exact user name, and free search."""
    if options.username:
        query = query.where(users.c.username_lower == options.username.lower())
    if options.search:
        text = options.search.lower()
        address = users.c.email_lower if actor.is_admin else func.lower(users.c.public_email)
        query = query.where(
            or_(
                users.c.name_lower.contains(text, autoescape=True),
                users.c.username_lower.contains(text, autoescape=True),
                address == text,
            )
        )
    return query


def by_state(query: Select[Any], actor: Actor, options: ListUsers) -> Select[Any]:
    """Active and blocked; people who may not sign in are shown to administrators only."""
    if not actor.is_admin:
        query = query.where(users.c.state.not_in(HIDDEN_STATES))
    if options.active:
        query = query.where(users.c.state == "active", users.c.kind != "ghost")
    if options.blocked:
        query = query.where(users.c.state.in_(BLOCKED_STATES))
    if options.exclude_active:
        query = query.where(users.c.state != "active")
    return query


def by_kind(query: Select[Any], options: ListUsers) -> Select[Any]:
    """People, bots, internal and external users."""
    if options.external:
        query = query.where(users.c.is_external)
    if options.exclude_external:
        query = query.where(~users.c.is_external)
    if options.exclude_internal:
        query = query.where(users.c.kind.not_in(INTERNAL_KINDS))
    if options.without_project_bots:
        query = query.where(users.c.kind != "project_bot")
    if options.humans:
        query = query.where(users.c.kind == "human")
    if options.exclude_humans:
        query = query.where(users.c.kind != "human")
    return query


def by_account(query: Select[Any], options: ListUsers) -> Select[Any]:
    """Filters for administrators only."""
    if options.extern_uid is not None and options.provider is not None:
        query = query.where(
            _has_identity(
                identities.c.provider == options.provider, identities.c.extern_uid_lower == options.extern_uid.lower()
            )
        )
    if options.saml_provider_id is not None:
        query = query.where(_has_identity(identities.c.saml_provider_id == options.saml_provider_id))
    if options.admins:
        query = query.where(users.c.is_admin)
    if options.created_after is not None:
        query = query.where(users.c.created_at >= options.created_after)
    if options.created_before is not None:
        query = query.where(users.c.created_at <= through(options.created_before))
    if options.two_factor is not None:
        has_factor = with_second_factor(users.c.id)
        query = query.where(has_factor if options.two_factor == "enabled" else ~has_factor)
    if options.without_projects:
        query = query.where(~_in_a_project())
    if options.custom_attributes:
        query = query.where(has_attributes(user_custom_attributes, users.c.id, options.custom_attributes))
    return query


def _has_identity(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return select(literal(1)).where(identities.c.user_id == users.c.id, *conditions).exists()


def _in_a_project() -> ColumnElement[bool]:
    own = (
        select(literal(1))
        .join_from(projects, namespaces, namespaces.c.id == projects.c.namespace_id)
        .where(and_(namespaces.c.kind == "user", namespaces.c.owner_id == users.c.id))
    )
    member = select(literal(1)).where(members.c.user_id == users.c.id, members.c.project_id.is_not(None))
    return or_(own.exists(), member.exists())
