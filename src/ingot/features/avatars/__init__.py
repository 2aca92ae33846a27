"""Pictures of groups, projects and users: checked, stored, and served."""

from ingot.features.avatars.images import avatar_problems, picture_problems
from ingot.features.avatars.images import media_type as picture_type
from ingot.features.avatars.store import replace_avatar, stored_in

__all__ = ["avatar_problems", "picture_problems", "picture_type", "replace_avatar", "stored_in"]
