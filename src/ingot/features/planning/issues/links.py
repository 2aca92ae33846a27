"""Links between issues: reading, showing and creating them."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Select, and_, case, insert, or_, select

from ingot.access.call import Call
from ingot.features.planning.issues import policy, queries
from ingot.features.planning.issues.entities import LinkedIssue
from ingot.features.planning.issues.present import PageLoads, basic_values
from ingot.features.planning.issues.rows import IssueLinkRow, IssueRow, LinkedIssueRow
from ingot.features.planning.issues.tables import issue_links, issues
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.entity import wire
from ingot.kit.errors import Conflict


def linked_issues(actor: Actor, row: IssueRow) -> Select[Any]:
    """Issues that are linked with this one and that the actor may read, with their links."""
    table = issue_links
    other = case((table.c.source_id == row.id, table.c.target_id), else_=table.c.source_id)
    return (
        queries.with_project()
        .add_columns(
            table.c.id.label("link_id"),
            table.c.source_id.label("link_source_id"),
            table.c.link_type.label("kind_of_link"),
            table.c.created_at.label("link_created"),
            table.c.updated_at.label("link_updated"),
        )
        .join(table, and_(or_(table.c.source_id == row.id, table.c.target_id == row.id), issues.c.id == other))
        .where(policy.readable_issues(actor))
        .order_by(table.c.id)
    )


def linked_presenter(row: IssueRow) -> Callable[[Call, Sequence[LinkedIssueRow]], list[LinkedIssue]]:
    """Shows a page of `linked_issues`, with the links as this issue sees them."""

    def present(call: Call, rows: Sequence[LinkedIssueRow]) -> list[LinkedIssue]:
        loads = PageLoads(call, rows)
        return [
            LinkedIssue(
                **basic_values(call, one, loads, scope="project", label_details=False),
                issue_link_id=one.link_id,
                link_type=_seen_from(row, one),
                link_created_at=wire(one.link_created),
                link_updated_at=wire(one.link_updated),
            )
            for one in rows
        ]

    return present


def _seen_from(row: IssueRow, linked: LinkedIssueRow) -> str:
    is_blocked = linked.kind_of_link == "blocks" and linked.link_source_id != row.id
    return "is_blocked_by" if is_blocked else linked.kind_of_link


def create_link(tx: Connection, issue_id: int, other_id: int, link_type: str) -> IssueLinkRow:
    """Link two issues; `is_blocked_by` is stored as `blocks` from the other side."""
    source, target = (other_id, issue_id) if link_type == "is_blocked_by" else (issue_id, other_id)
    table = issue_links
    same_pair = or_(
        and_(table.c.source_id == source, table.c.target_id == target),
        and_(table.c.source_id == target, table.c.target_id == source),
    )
    take_turn(tx, f"issue_links:{min(source, target)}")
    if source == target or tx.execute(select(table.c.id).where(same_pair)).first() is not None:
        raise Conflict("Issue(s) already assigned")
    moment = now()
    values = {
        "source_id": source,
        "target_id": target,
        "link_type": "relates_to" if link_type == "relates_to" else "blocks",
        "created_at": moment,
        "updated_at": moment,
    }
    return tx.execute(insert(table).values(values).returning(table)).one()
