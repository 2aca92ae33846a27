"""Users on the wire: the basic form that other resources embed, and the full forms."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, bindparam, select

from ingot.access.call import Call
from ingot.features.people.custom_attributes import CustomAttribute
from ingot.identity.rows import BasicUserRow, PictureRow
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.entity import UNSET, Entity, UnsetType
from ingot.kit.statements import lasting, rows_by_id
from ingot.kit.unchanged import Unchanged


class UserBasic(Entity):
    """The user object embedded everywhere."""

    id: int
    username: str
    public_email: str | None
    name: str
    state: str
    locked: bool
    avatar_url: str | None
    web_url: str


class Identity(Entity):
    """An account at an identity provider."""

    provider: str
    extern_uid: str
    saml_provider_id: int | UnsetType | None = UNSET


class ScimIdentity(Entity):
    """A group membership managed by its identity provider."""

    extern_uid: str
    group_id: int
    active: bool


class User(UserBasic):
    """A user; each group of fields is shown to those who may see it."""

    # The profile; the first and the followers are absent where the profile is private.
    created_at: datetime | UnsetType = UNSET
    bio: str | UnsetType = UNSET
    location: str | UnsetType | None = UNSET
    skype: str | UnsetType = UNSET
    linkedin: str | UnsetType = UNSET
    twitter: str | UnsetType = UNSET
    discord: str | UnsetType = UNSET
    website_url: str | UnsetType = UNSET
    organization: str | UnsetType | None = UNSET
    job_title: str | UnsetType | None = UNSET
    pronouns: str | UnsetType | None = UNSET
    bot: bool | UnsetType = UNSET
    work_information: str | UnsetType | None = UNSET
    followers: int | UnsetType = UNSET
    following: int | UnsetType = UNSET
    is_followed: bool | UnsetType = UNSET
    local_time: str | UnsetType | None = UNSET
    # The account; for its owner and for administrators.
    last_sign_in_at: datetime | UnsetType | None = UNSET
    confirmed_at: datetime | UnsetType | None = UNSET
    last_activity_on: date | UnsetType | None = UNSET
    email: str | UnsetType = UNSET
    theme_id: int | UnsetType | None = UNSET
    color_scheme_id: int | UnsetType = UNSET
    projects_limit: int | UnsetType = UNSET
    current_sign_in_at: datetime | UnsetType | None = UNSET
    identities: list[Identity] | UnsetType = UNSET
    can_create_group: bool | UnsetType = UNSET
    can_create_project: bool | UnsetType = UNSET
    two_factor_enabled: bool | UnsetType = UNSET
    external: bool | UnsetType = UNSET
    private_profile: bool | UnsetType = UNSET
    commit_email: str | UnsetType = UNSET
    shared_runners_minutes_limit: int | UnsetType | None = UNSET
    extra_shared_runners_minutes_limit: int | UnsetType | None = UNSET
    scim_identities: list[ScimIdentity] | UnsetType = UNSET
    # For administrators.
    is_admin: bool | UnsetType = UNSET
    note: str | UnsetType | None = UNSET
    namespace_id: int | UnsetType | None = UNSET
    created_by: UserBasic | UnsetType | None = UNSET
    email_reset_offered_at: datetime | UnsetType | None = UNSET
    using_license_seat: bool | UnsetType = UNSET
    is_auditor: bool | UnsetType = UNSET
    provisioned_by_group_id: int | UnsetType | None = UNSET
    enterprise_group_id: int | UnsetType | None = UNSET
    enterprise_group_associated_at: datetime | UnsetType | None = UNSET
    highest_role: int | UnsetType = UNSET
    current_sign_in_ip: str | UnsetType | None = UNSET
    last_sign_in_ip: str | UnsetType | None = UNSET
    sign_in_count: int | UnsetType = UNSET
    custom_attributes: list[CustomAttribute] | UnsetType = UNSET


class UserStatus(Entity):
    """A user's status."""

    emoji: str | None
    message: str | None
    availability: str | None
    message_html: str
    clear_status_at: datetime | None


class Email(Entity):
    """A secondary address."""

    id: int
    email: str
    confirmed_at: datetime | None


class Key(Entity):
    """An SSH key."""

    id: int
    title: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    key: str
    usage_type: str


class DeployKeyProject(Entity):
    """A project that a deploy key opens."""

    id: int
    deploy_key_id: int
    project_id: int
    created_at: datetime
    updated_at: datetime
    can_push: bool


class KeyWithUser(Key):
    """An SSH key with its owner; a deploy key with its projects, and with the user who added it."""

    user: User | None
    deploy_keys_projects: list[DeployKeyProject] | UnsetType = UNSET


BASIC_COLUMNS = (
    users.c.id, users.c.username, users.c.public_email, users.c.name, users.c.state, users.c.avatar,
    users.c.email_lower, users.c.locked_until,
)  # fmt: skip


def avatar_url(row: PictureRow, base_url: str) -> str:
    """The uploaded avatar, or the address of a generated one."""
    if row.avatar:
        return f"{base_url}/uploads/-/system/user/avatar/{row.id}/{row.avatar.rsplit('/', 1)[-1]}"
    return _generated_url(row.email_lower)


@lru_cache(1000)
def _generated_url(email: str) -> str:
    digest = hashlib.sha256(email.encode()).hexdigest()
    return f"https://www.gravatar.com/avatar/{digest}?s=80&d=identicon"


def user_basic(row: BasicUserRow, base_url: str) -> UserBasic:
    """The basic form of a row that holds `BASIC_COLUMNS`."""
    return UserBasic(**basic_fields(row, base_url))


_shown: Unchanged[UserBasic] = Unchanged(are_parts=True)


def _shown_basic(row: BasicUserRow, base_url: str) -> UserBasic:
    """The same of a row of `BASIC_COLUMNS` alone, made once while nothing has changed."""
    if row.locked_until is not None:
        return user_basic(row, base_url)  # a lock ends by itself
    key, parts = (row.id, base_url), (row,)
    return _shown.find(key, parts) or _shown.keep(key, parts, user_basic(row, base_url), None)


def basic_fields(row: BasicUserRow, base_url: str) -> dict[str, Any]:
    """The fields of the basic form."""
    return {
        "id": row.id,
        "username": row.username,
        "public_email": row.public_email,
        "name": row.name,
        "state": row.state,
        "locked": row.locked_until is not None and row.locked_until > now(),
        "avatar_url": avatar_url(row, base_url),
        "web_url": f"{base_url}/{row.username}",
    }


def present_basic(call: Call, rows: Sequence[BasicUserRow]) -> list[UserBasic]:
    """A page of users in the basic form."""
    return [user_basic(row, call.base_url) for row in rows]


_BY_IDS = lasting(select(*BASIC_COLUMNS).where(users.c.id.in_(bindparam("ids", expanding=True))))


def users_by_id(conn: Connection, ids: Iterable[int | None], base_url: str) -> dict[int, UserBasic]:
    """The users of a page of other records, in one query."""
    user_ids = {user_id for user_id in ids if user_id is not None}
    if not user_ids:
        return {}
    return {row.id: _shown_basic(row, base_url) for row in rows_by_id(conn, _BY_IDS, user_ids)}
