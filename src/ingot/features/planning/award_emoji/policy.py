"""Who may withdraw award emoji."""

from ingot.features.planning.award_emoji.rows import AwardEmojiRow
from ingot.kit.actor import Actor


def may_withdraw(actor: Actor, award: AwardEmojiRow) -> bool:
    """Who gave it, and administrators."""
    return award.user_id == actor.user_id or actor.is_admin
