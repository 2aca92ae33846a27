"""To-do items that follow from what happens to merge requests: missing approvals, pipelines that fail."""

from sqlalchemy import and_, bindparam, select, update

from ingot.events import MergeRequestChanged, PipelineChanged
from ingot.features.planning.issuables import Target
from ingot.features.planning.todos import notify, todos
from ingot.features.review.approvals import states
from ingot.features.review.merge_requests import find_by_id, merge_requests
from ingot.kit.clock import now
from ingot.kit.events import listen
from ingot.kit.services import Services

SETTLED_BY = ("merged", "closed")


@listen(MergeRequestChanged, order=60)
def ask_approvers(services: Services, event: MergeRequestChanged) -> None:
    """Create items for the approvers of a new merge request."""
    if event.what != "opened" or not services.settings.has_tier("premium"):
        return
    with services.db.read() as conn:
        row = find_by_id(conn, event.merge_request_id)
        state = None if row is None else states(conn, [row])[row.id]
    if row is None or state is None or state.approvals_left == 0:
        return
    approvers = sorted({user for rule in state.rules if rule.left and not rule.rule.is_any for user in rule.eligible})
    with services.db.write() as tx:
        target = Target("MergeRequest", row.id, row.project_id)
        notify(tx, target, event.user_id, "approval_required", approvers, body=row.title)


_TO_SETTLE = and_(
    todos.c.target_type == "MergeRequest",
    todos.c.target_id == bindparam("request_id"),
    todos.c.action.in_(("approval_required", "build_failed")),
    todos.c.state == "pending",
)
_ANY_TO_SETTLE = select(todos.c.id).where(_TO_SETTLE).limit(1)


@listen(MergeRequestChanged, order=61)
def settle_approvals(services: Services, event: MergeRequestChanged) -> None:
    """Complete the items of merged and closed merge requests."""
    if event.what not in SETTLED_BY:
        return
    about = {"request_id": event.merge_request_id}
    with services.db.read() as conn:
        if conn.execute(_ANY_TO_SETTLE, about).first() is None:
            return
    with services.db.write() as tx:
        tx.execute(update(todos).where(_TO_SETTLE).values(state="done", updated_at=now()), about)


@listen(PipelineChanged, order=60)
def add_failure_todos(services: Services, event: PipelineChanged) -> None:
    """Create items for authors when a head pipeline fails, and complete them when one succeeds."""
    if event.status not in ("failed", "success"):
        return
    table = merge_requests
    with services.db.read() as conn:
        query = select(table.c.id, table.c.project_id, table.c.author_id, table.c.title).where(
            table.c.head_sha == event.sha, table.c.state == "opened"
        )
        rows = conn.execute(query).all()
    for row in rows:
        target = Target("MergeRequest", row.id, row.project_id)
        with services.db.write() as tx:
            if event.status == "failed" and row.author_id is not None:
                notify(tx, target, None, "build_failed", [row.author_id], body=row.title)
            else:
                conditions = (todos.c.target_type == "MergeRequest", todos.c.target_id == row.id)
                tx.execute(
                    update(todos)
                    .where(*conditions, todos.c.action == "build_failed", todos.c.state == "pending")
                    .values(state="done", updated_at=now())
                )
