"""`approvals_before_merge`: the legacy number of the rule for all eligible users."""

from sqlalchemy import Connection, select, update

from ingot.features.review.approvals.rule_commands import RuleTables, create_rule, delete_rule
from ingot.features.review.approvals.tables import ANY_APPROVER
from ingot.kit.clock import now

NAME = "All Members"


def required(conn: Connection, tables: RuleTables, owner_id: int) -> int:
    """The number now."""
    query = select(tables.rules.c.approvals_required).where(
        tables.rules.c[tables.owner] == owner_id, tables.rules.c.rule_type == ANY_APPROVER
    )
    return int(conn.execute(query).scalar_one_or_none() or 0)


def set_required(tx: Connection, tables: RuleTables, owner_id: int, number: int, **more: object) -> None:
    """Change the number; zero removes the rule."""
    known = tx.execute(
        select(tables.rules).where(tables.rules.c[tables.owner] == owner_id, tables.rules.c.rule_type == ANY_APPROVER)
    ).one_or_none()
    if known is None:
        if number > 0:
            values = {"name": NAME, "approvals_required": number, "rule_type": ANY_APPROVER, **more}
            create_rule(tx, tables, owner_id, values, [], [])
    elif number == 0:
        delete_rule(tx, tables, known.id)
    else:
        tx.execute(
            update(tables.rules)
            .where(tables.rules.c.id == known.id)
            .values(approvals_required=number, updated_at=now(), **more)
        )
