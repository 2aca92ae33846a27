"""Avatars of groups, projects and users: checked, stored, and served."""

from ingot.features.people.avatars.images import avatar_problems, picture_problems
from ingot.features.people.avatars.images import media_type as picture_type
from ingot.features.people.avatars.images import safe_name as picture_name
from ingot.features.people.avatars.pages import picture_route
from ingot.features.people.avatars.store import replace_avatar, stored_in

__all__ = [
    "avatar_problems",
    "picture_name",
    "picture_problems",
    "picture_route",
    "picture_type",
    "replace_avatar",
    "stored_in",
]
