"""Presenting users: related records are loaded once per page."""

from collections.abc import Callable, Collection, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import BindParameter, ColumnElement, Connection, ScalarSelect, bindparam, exists, func, select

from ingot.access.call import Call
from ingot.access.tables import group_authorizations, namespaces, project_authorizations
from ingot.features.people.custom_attributes import CustomAttribute, attributes_by_owner, user_custom_attributes
from ingot.features.people.users.entities import Identity, ScimIdentity, User, UserBasic, basic_fields, users_by_id
from ingot.features.people.users.tables import follows
from ingot.identity.rows import IdentityRow, ScimIdentityRow, UserRow
from ingot.identity.second_factors import with_second_factor
from ingot.identity.tables import identities, scim_identities, users
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.entity import UNSET, group_by, wire, wire_or_none
from ingot.kit.unchanged import Unchanged


class UserFacts(NamedTuple):
    """What is counted and looked up for each user of a page."""

    followers: int = 0
    following: int = 0
    is_followed: bool = False  # by the caller
    has_second_factor: bool = False
    has_identities: bool = False
    has_scim_identities: bool = False


GONE = UserFacts()  # deleted meanwhile


class Surroundings(msgspec.Struct):
    """Related records of a page of users."""

    facts: dict[int, UserFacts] = msgspec.field(default_factory=dict)
    identities: dict[int, list[IdentityRow]] = msgspec.field(default_factory=dict)
    scim_identities: dict[int, list[ScimIdentityRow]] = msgspec.field(default_factory=dict)
    namespaces: dict[int, int] = msgspec.field(default_factory=dict)
    creators: dict[int, UserBasic] = msgspec.field(default_factory=dict)
    seats: frozenset[int] = frozenset()


def present_users(call: Call, rows: Sequence[UserRow]) -> list[User | UserBasic]:
    """A page of whole rows: with the account for administrators, basic for others."""
    if not call.actor.is_admin:
        return [UserBasic(**basic_fields(row, call.base_url)) for row in rows]
    context = _load_related(call.conn, rows, call.actor, call.base_url, account=True, administration=True)
    attributes = _attributes(call, [row.id for row in rows])
    shown = [_with_admin(call, row, context) for row in rows]
    for user in shown:
        user.custom_attributes = attributes.get(user.id, UNSET)
    return [*shown]


def present_self(call: Call, row: UserRow) -> User:
    """The caller's own account."""
    context = _load_related(call.conn, [row], call.actor, call.base_url, account=True, administration=row.is_admin)
    if row.is_admin:
        return _with_admin(call, row, context)
    number, is_locked = row.id, row.locked_until is not None and row.locked_until > now()
    key = (number, call.base_url, call.services.settings.tier)
    related = context.facts.get(number), context.identities.get(number), context.scim_identities.get(number)
    parts = (_columns(row), is_locked, *related)
    shown = _shown.find(key, parts)
    if shown is None:
        account = User(**_profile(call, row, context), **_account(call, row, context))
        shown = _shown.keep(key, parts, account, row.profile.get("bio"))
    return shown


# Callers ask for their own account more than for anything else. What is no part of it is not kept.
_shown: Unchanged[User] = Unchanged()
# By place, which costs a fifth of names; rows hold all columns in their order.
_columns: Callable[[Any], tuple[object, ...]] = itemgetter(
    *(place for place, column in enumerate(users.c) if column.name not in ("password_hash", "note"))
)


def present_one(call: Call, row: UserRow) -> User:
    """One user as the caller may see them."""
    is_admin = call.actor.is_admin
    context = _load_related(call.conn, [row], call.actor, call.base_url, account=is_admin, administration=is_admin)
    if not is_admin:
        return User(**_profile(call, row, context))
    shown = _with_admin(call, row, context)
    shown.highest_role = highest_role(call.conn, row.id)
    shown.current_sign_in_ip = row.current_sign_in_ip
    shown.last_sign_in_ip = row.last_sign_in_ip
    shown.sign_in_count = row.sign_in_count
    shown.custom_attributes = _attributes(call, [row.id]).get(row.id, UNSET)
    return shown


def _attributes(call: Call, ids: Collection[int]) -> dict[int, list[CustomAttribute]]:
    if not getattr(call.params, "with_custom_attributes", False):
        return {}
    return attributes_by_owner(call.conn, user_custom_attributes, ids)


def highest_role(conn: Connection, user_id: int) -> int:
    """The highest level that the user has anywhere."""
    levels = [
        conn.execute(select(func.max(table.c.access_level)).where(table.c.user_id == user_id)).scalar_one() or 0
        for table in (project_authorizations, group_authorizations)
    ]
    return max(levels)


def _number_of(column: ColumnElement[int]) -> ScalarSelect[int]:
    """How many follow the user of a row, or are followed by them."""
    return select(func.count()).where(column == users.c.id).scalar_subquery()


_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_SOMEBODY = follows.alias()
# One look for all of this: most callers have no identities, which are then not looked for.
_FACTS = select(
    users.c.id,
    _number_of(follows.c.followee_id).label("followers"),
    _number_of(follows.c.follower_id).label("following"),
    exists()
    .where(_SOMEBODY.c.follower_id == bindparam("actor_id"), _SOMEBODY.c.followee_id == users.c.id)
    .label("is_followed"),
    with_second_factor(users.c.id).label("has_second_factor"),
    exists().where(identities.c.user_id == users.c.id).label("has_identities"),
    exists().where(scim_identities.c.user_id == users.c.id).label("has_scim_identities"),
).where(users.c.id.in_(_IDS))
_IDENTITIES = select(identities).where(identities.c.user_id.in_(_IDS)).order_by(identities.c.id)
_SCIM_IDENTITIES = select(scim_identities).where(scim_identities.c.user_id.in_(_IDS)).order_by(scim_identities.c.id)
_HOMES = select(namespaces.c.owner_id, namespaces.c.id).where(
    namespaces.c.kind == "user", namespaces.c.owner_id.in_(_IDS)
)
# Not `DISTINCT` over all rights of these users: one row of each is enough.
_SEATS = select(users.c.id).where(
    users.c.id.in_(_IDS),
    select(project_authorizations.c.user_id).where(project_authorizations.c.user_id == users.c.id).exists(),
)


def _load_related(
    conn: Connection, rows: Sequence[UserRow], actor: Actor, base_url: str, *, account: bool, administration: bool
) -> Surroundings:
    """What the profile shows; with the `account` and what is shown for the `administration` of users, if asked for."""
    ids = [row.id for row in rows]
    if not ids:
        return Surroundings()
    page = {"ids": ids}
    facts: Sequence[Any] = conn.execute(_FACTS, {"ids": ids, "actor_id": actor.user_id or 0}).all()
    context = Surroundings()
    # Lists of administrators look always, so that a page costs the same whoever is on it.
    has_identities = has_scim_identities = administration
    for row in facts:
        context.facts[row.id] = row
        has_identities |= row.has_identities
        has_scim_identities |= row.has_scim_identities
    if not account:
        return context
    if has_identities:
        context.identities = group_by(conn.execute(_IDENTITIES, page).all(), lambda row: row.user_id)
    if has_scim_identities:
        context.scim_identities = group_by(conn.execute(_SCIM_IDENTITIES, page).all(), lambda row: row.user_id)
    if not administration:
        return context
    context.namespaces = {row.owner_id: row.id for row in conn.execute(_HOMES, page)}
    context.creators = users_by_id(conn, [row.created_by_id for row in rows], base_url)
    context.seats = frozenset(conn.execute(_SEATS, page).scalars())
    return context


def _profile(call: Call, row: UserRow, context: Surroundings) -> dict[str, Any]:
    texts, facts = row.profile, context.facts.get(row.id, GONE)
    is_open = not row.private_profile or call.actor.is_admin or call.actor.user_id == row.id
    job, company = texts.get("job_title") or None, texts.get("organization") or None
    return {
        **basic_fields(row, call.base_url),
        "created_at": wire(row.created_at) if is_open else UNSET,
        "bio": texts.get("bio") or "",
        "location": texts.get("location"),
        "skype": texts.get("skype") or "",
        "linkedin": texts.get("linkedin") or "",
        "twitter": texts.get("twitter") or "",
        "discord": texts.get("discord") or "",
        "website_url": texts.get("website_url") or "",
        "organization": company,
        "job_title": job,
        "pronouns": texts.get("pronouns"),
        "bot": row.kind not in {"human", "ghost"},
        "work_information": f"{job} at {company}" if job and company else job or company,
        "followers": facts.followers if is_open else UNSET,
        "following": facts.following if is_open else UNSET,
        "is_followed": facts.is_followed if is_open and not call.actor.is_anonymous else UNSET,
        "local_time": None,
    }


def _account(call: Call, row: UserRow, context: Surroundings) -> dict[str, Any]:
    result = {
        "last_sign_in_at": wire_or_none(row.last_sign_in_at),
        "confirmed_at": wire_or_none(row.confirmed_at),
        "last_activity_on": row.last_activity_on,
        "email": row.email,
        "theme_id": row.profile.get("theme_id", 3),
        "color_scheme_id": row.profile.get("color_scheme_id", 1),
        "projects_limit": row.projects_limit,
        "current_sign_in_at": wire_or_none(row.current_sign_in_at),
        "identities": [
            Identity(provider=one.provider, extern_uid=one.extern_uid, saml_provider_id=one.saml_provider_id)
            for one in context.identities.get(row.id, [])
        ],
        "can_create_group": row.can_create_group,
        "can_create_project": row.projects_limit > 0,
        "two_factor_enabled": context.facts.get(row.id, GONE).has_second_factor,
        "external": row.is_external,
        "private_profile": row.private_profile,
        "commit_email": row.commit_email or row.email,
    }
    if call.services.settings.has_tier("premium"):
        result |= {
            "shared_runners_minutes_limit": row.profile.get("shared_runners_minutes_limit"),
            "extra_shared_runners_minutes_limit": row.profile.get("extra_shared_runners_minutes_limit"),
            "scim_identities": [
                ScimIdentity(extern_uid=one.extern_uid, group_id=one.group_id, active=one.active)
                for one in context.scim_identities.get(row.id, [])
            ],
        }
    return result


def _licensed(row: UserRow, context: Surroundings) -> dict[str, Any]:
    """What administrators see of a user in the paid tiers only."""
    return {
        "using_license_seat": row.state == "active" and row.kind == "human" and row.id in context.seats,
        "is_auditor": bool(row.profile.get("auditor", False)),
        "provisioned_by_group_id": row.profile.get("provisioned_by_group_id"),
        "enterprise_group_id": None,
        "enterprise_group_associated_at": None,
    }


def _with_admin(call: Call, row: UserRow, context: Surroundings) -> User:
    return User(
        **_profile(call, row, context),
        **_account(call, row, context),
        **(_licensed(row, context) if call.services.settings.has_tier("premium") else {}),
        is_admin=row.is_admin,
        note=row.note,
        namespace_id=context.namespaces.get(row.id),
        created_by=context.creators.get(row.created_by_id or 0),
        email_reset_offered_at=None,
    )
