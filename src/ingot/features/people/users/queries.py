"""Reading users: the list's filters, one function each."""

from typing import Any

from sqlalchemy import Connection, Select, and_, func, literal, or_, select

from ingot.access.tables import members, namespaces, projects
from ingot.features.people.custom_attributes import has_attributes, user_custom_attributes
from ingot.features.people.users.params import ListUsers
from ingot.features.people.users.tables import emails
from ingot.identity.tables import identities, users
from ingot.kit.actor import Actor
from ingot.kit.clock import through
from ingot.kit.errors import NotFound
from ingot.kit.pagination import Keyset

HIDDEN_STATES = ("blocked", "ldap_blocked", "banned")
BLOCKED_STATES = (*HIDDEN_STATES, "blocked_pending_approval")
INTERNAL_KINDS = ("ghost",)


def find_user(conn: Connection, user_id: int) -> Any:
    """The user's row, or None."""
    return conn.execute(select(users).where(users.c.id == user_id)).one_or_none()


def get_user(conn: Connection, user_id: int) -> Any:
    """The user's row; raises 404."""
    row = find_user(conn, user_id)
    if row is None:
        raise NotFound("User")
    return row


def find_user_by_email(conn: Connection, email: str) -> Any:
    """The user who has this address, as the first or as a further one, or None."""
    further = select(emails.c.user_id).where(emails.c.email_lower == email.lower())
    here = or_(users.c.email_lower == email.lower(), users.c.id.in_(further))
    return conn.execute(select(users).where(here).limit(1)).one_or_none()


def listed(actor: Actor, wish: ListUsers) -> Select[Any]:
    """Users that the actor may see, filtered; only administrators order and use the filters marked so."""
    found = by_kind(by_state(by_name(select(users), actor, wish), actor, wish), wish)
    if actor.is_admin:
        found = by_account(found, wish)
    column = users.c[order_of(actor, wish)]
    descending = is_descending(actor, wish)
    order = [column] if column is users.c.id else [column, users.c.id]
    return found.order_by(*(part.desc() if descending else part.asc() for part in order))


def keyset(actor: Actor, wish: ListUsers) -> Keyset:
    """How the list continues by key."""
    name = order_of(actor, wish)
    return Keyset(users.c[name], is_descending(actor, wish), label=name, tie=None if name == "id" else users.c.id)


def order_of(actor: Actor, wish: ListUsers) -> str:
    """The column of the effective order."""
    order = wish.order_by if actor.is_admin else "id"
    return f"{order}_lower" if order in ("name", "username") else order


def is_descending(actor: Actor, wish: ListUsers) -> bool:
    """The effective direction."""
    return wish.sort == "desc" if actor.is_admin else True


def by_name(found: Select[Any], actor: Actor, wish: ListUsers) -> Select[Any]:
    """Exact user name, and free search."""
    if wish.username:
        found = found.where(users.c.username_lower == wish.username.lower())
    if wish.search:
        text = wish.search.lower()
        address = users.c.email_lower if actor.is_admin else func.lower(users.c.public_email)
        found = found.where(
            or_(
                users.c.name_lower.contains(text, autoescape=True),
                users.c.username_lower.contains(text, autoescape=True),
                address == text,
            )
        )
    return found


def by_state(found: Select[Any], actor: Actor, wish: ListUsers) -> Select[Any]:
    """Active and blocked; people who may not sign in are shown to administrators only."""
    if not actor.is_admin:
        found = found.where(users.c.state.not_in(HIDDEN_STATES))
    if wish.active:
        found = found.where(users.c.state == "active", users.c.kind != "ghost")
    if wish.blocked:
        found = found.where(users.c.state.in_(BLOCKED_STATES))
    if wish.exclude_active:
        found = found.where(users.c.state != "active")
    return found


def by_kind(found: Select[Any], wish: ListUsers) -> Select[Any]:
    """People, bots, internal and external users."""
    if wish.external:
        found = found.where(users.c.is_external)
    if wish.exclude_external:
        found = found.where(~users.c.is_external)
    if wish.exclude_internal:
        found = found.where(users.c.kind.not_in(INTERNAL_KINDS))
    if wish.without_project_bots:
        found = found.where(users.c.kind != "project_bot")
    if wish.humans:
        found = found.where(users.c.kind == "human")
    if wish.exclude_humans:
        found = found.where(users.c.kind != "human")
    return found


def by_account(found: Select[Any], wish: ListUsers) -> Select[Any]:
    """What only administrators ask for."""
    if wish.extern_uid is not None and wish.provider is not None:
        found = found.where(
            _has_identity(
                identities.c.provider == wish.provider, identities.c.extern_uid_lower == wish.extern_uid.lower()
            )
        )
    if wish.saml_provider_id is not None:
        found = found.where(_has_identity(identities.c.saml_provider_id == wish.saml_provider_id))
    if wish.admins:
        found = found.where(users.c.is_admin)
    if wish.created_after is not None:
        found = found.where(users.c.created_at >= wish.created_after)
    if wish.created_before is not None:
        found = found.where(users.c.created_at <= through(wish.created_before))
    if wish.two_factor == "enabled":
        # Nobody has a second factor: it is not offered.
        found = found.where(literal(value=False))
    if wish.without_projects:
        found = found.where(~_in_a_project())
    if wish.custom_attributes:
        found = found.where(has_attributes(user_custom_attributes, users.c.id, wish.custom_attributes))
    return found


def _has_identity(*conditions: Any) -> Any:
    return select(literal(1)).where(identities.c.user_id == users.c.id, *conditions).exists()


def _in_a_project() -> Any:
    own = (
        select(literal(1))
        .join_from(projects, namespaces, namespaces.c.id == projects.c.namespace_id)
        .where(and_(namespaces.c.kind == "user", namespaces.c.owner_id == users.c.id))
    )
    member = select(literal(1)).where(members.c.user_id == users.c.id, members.c.project_id.is_not(None))
    return or_(own.exists(), member.exists())
