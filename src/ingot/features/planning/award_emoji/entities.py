"""Reactions on the wire."""

from collections.abc import Sequence
from datetime import datetime

from ingot.access.call import Call
from ingot.features.people.users import UserBasic, users_by_id
from ingot.features.planning.award_emoji.rows import AwardEmojiRow
from ingot.kit.entity import Entity, wire


class AwardEmoji(Entity):
    """A reaction."""

    id: int
    name: str
    user: UserBasic | None
    created_at: datetime
    updated_at: datetime
    awardable_id: int
    awardable_type: str
    url: str | None


def present(call: Call, rows: Sequence[AwardEmojiRow]) -> list[AwardEmoji]:
    """A page of reactions."""
    people = users_by_id(call.conn, (row.user_id for row in rows), call.base_url)
    return [
        AwardEmoji(
            id=row.id,
            name=row.name,
            user=people.get(row.user_id),
            created_at=wire(row.created_at),
            updated_at=wire(row.updated_at),
            awardable_id=row.awardable_id,
            awardable_type=row.awardable_type,
            url=None,
        )
        for row in rows
    ]
