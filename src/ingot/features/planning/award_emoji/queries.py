"""Reading reactions of many records at once."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from ingot.features.planning.award_emoji.rows import AwardEmojiRow
from ingot.features.planning.award_emoji.tables import award_emoji


def awards_of(conn: Connection, awardable_type: str, ids: Sequence[int]) -> Sequence[AwardEmojiRow]:
    """The reactions to these records, the oldest first."""
    if not ids:
        return []
    wanted = (award_emoji.c.awardable_type == awardable_type, award_emoji.c.awardable_id.in_(ids))
    rows: Sequence[AwardEmojiRow] = conn.execute(select(award_emoji).where(*wanted).order_by(award_emoji.c.id)).all()
    return rows
