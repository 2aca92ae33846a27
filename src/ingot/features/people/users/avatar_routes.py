"""Endpoints of users' avatars."""

import hashlib

from sqlalchemy import func, select

from ingot.access.call import Call
from ingot.access.policy import ANYONE, SIGNED_IN
from ingot.features.people.avatars import avatar_problems, replace_avatar
from ingot.features.people.users.entities import avatar_url
from ingot.identity.tables import users
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import Invalid
from ingot.kit.params import Param, Params, UploadedFile

routes = Routes("Avatars")


class AvatarOf(Params):
    """Whose avatar."""

    email: str = Param("Email address.", required=True)
    size: int | None = Param("Width and height in pixels, for generated images.")


class OwnAvatar(Params):
    """The caller's new avatar."""

    avatar: UploadedFile = Param("Image of up to 200 KB; empty removes the avatar.", required=True)


class AvatarUrl(Entity, kw_only=True):
    """The address of an avatar."""

    avatar_url: str | None


@routes.get("/avatar", guard=ANYONE, params=AvatarOf, returns=AvatarUrl)
def get_avatar_of_email(call: Call[AvatarOf]) -> Answer:
    """The avatar of the user with this public email address."""
    email = (call.params.email or "").lower()
    row = call.conn.execute(
        select(users.c.id, users.c.avatar, users.c.email_lower).where(func.lower(users.c.public_email) == email)
    ).first()
    if row is not None and row.avatar:
        return AvatarUrl(avatar_url=avatar_url(row, call.base_url))
    size = min(max(call.params.size or 40, 1), 1024) * 2
    digest = hashlib.sha256(email.encode()).hexdigest()
    return AvatarUrl(avatar_url=f"https://www.gravatar.com/avatar/{digest}?s={size}&d=identicon")


@routes.put("/user/avatar", guard=SIGNED_IN, params=OwnAvatar, returns=AvatarUrl)
def set_own_avatar(call: Call[OwnAvatar]) -> Answer:
    """Change the caller's own avatar."""
    if result := avatar_problems(call.params.avatar):
        raise Invalid({"avatar": result})
    replace_avatar(call.services, users, "user", call.actor.id, call.params.avatar)
    row = call.conn.execute(
        select(users.c.id, users.c.avatar, users.c.email_lower).where(users.c.id == call.actor.id)
    ).one()
    return AvatarUrl(avatar_url=avatar_url(row, call.base_url))
