"""Adding and removing reactions; votes are counted in the same transaction."""

from sqlalchemy import Connection, delete, func, select, update

from ingot.features.planning.award_emoji.tables import award_emoji
from ingot.features.planning.issuables import find_kind, kinds
from ingot.kit.changes import Change, report_change, report_change_now
from ingot.kit.clock import now
from ingot.kit.upsert import upsert

VOTES = {"thumbsup": "upvotes", "thumbsdown": "downvotes"}


def award(tx: Connection, awardable_type: str, awardable_id: int, user_id: int, name: str) -> int | None:
    """Add a reaction; returns the id, or None if the user has reacted already."""
    moment = now()
    created = upsert(tx.dialect.name, award_emoji).values(
        awardable_type=awardable_type,
        awardable_id=awardable_id,
        user_id=user_id,
        name=name,
        created_at=moment,
        updated_at=moment,
    )
    number = tx.execute(created.on_conflict_do_nothing().returning(award_emoji.c.id)).scalar_one_or_none()
    recount_votes(tx, awardable_type, awardable_id)
    if number is not None:
        report_change(tx, Change("emoji", "award", number, user_id=user_id))
    return number


def withdraw(tx: Connection, awardable_type: str, awardable_id: int, award_id: int) -> None:
    """Remove a reaction."""
    report_change_now(tx, Change("emoji", "revoke", award_id))
    tx.execute(delete(award_emoji).where(award_emoji.c.id == award_id))
    recount_votes(tx, awardable_type, awardable_id)


def voted_on(tx: Connection, user_id: int) -> list[tuple[str, int]]:
    """What a user has voted on: to be counted again after the user is removed."""
    query = select(award_emoji.c.awardable_type, award_emoji.c.awardable_id).where(
        award_emoji.c.user_id == user_id,
        award_emoji.c.name.in_(VOTES),
        award_emoji.c.awardable_type.in_([kind.type for kind in kinds()]),
    )
    return [(row.awardable_type, row.awardable_id) for row in tx.execute(query.distinct())]


def recount_votes(tx: Connection, awardable_type: str, awardable_id: int) -> None:
    """Store the numbers of thumbs up and down."""
    kind = find_kind(awardable_type)
    if kind is None:
        return
    table = kind.table
    # Lock the row first: the counts below must see concurrent votes.
    tx.execute(select(table.c.id).where(table.c.id == awardable_id).with_for_update())
    values = {
        column: select(func.count())
        .where(
            award_emoji.c.awardable_type == awardable_type,
            award_emoji.c.awardable_id == awardable_id,
            award_emoji.c.name == name,
        )
        .scalar_subquery()
        for name, column in VOTES.items()
    }
    tx.execute(update(table).where(table.c.id == awardable_id).values(values))
