"""Reading reactions of many records at once."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, and_, or_, select

from ingot.features.planning.award_emoji.rows import AwardEmojiRow
from ingot.features.planning.award_emoji.tables import award_emoji


def awards_among(conn: Connection, wanted: Mapping[str, Sequence[int]]) -> Sequence[AwardEmojiRow]:
    """The reactions to records of several types, by type and ids, the oldest first."""
    table = award_emoji
    conditions = [
        and_(table.c.awardable_type == name, table.c.awardable_id.in_(ids)) for name, ids in wanted.items() if ids
    ]
    if not conditions:
        return []
    rows: Sequence[AwardEmojiRow] = conn.execute(select(table).where(or_(*conditions)).order_by(table.c.id)).all()
    return rows
