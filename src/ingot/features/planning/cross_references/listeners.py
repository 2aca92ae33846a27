"""A description or comment of an issue that names others leaves a note there, once for each pair."""

from sqlalchemy import Connection, select

from ingot.events import IssueTextWritten
from ingot.features.planning.issuables import Target
from ingot.features.planning.issues import issues, issues_with_project, mentioned_in, readable_issues
from ingot.features.planning.notes import add_system_note, notes
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users
from ingot.kit.db import take_turn
from ingot.kit.events import listen
from ingot.kit.services import Services

# Nobody means more issues; databases take only so many values in one statement.
MOST_ISSUES = 100


@listen(IssueTextWritten)
def note_mentions(services: Services, event: IssueTextWritten) -> None:
    """Tell the issues that the text names."""
    with services.db.read() as conn:
        source = conn.execute(issues_with_project().where(issues.c.id == event.issue_id)).one_or_none()
        if source is None:
            return
        body = f"mentioned in issue #{source.iid}"
        numbers = _numbers(event.text, source.project_path)
        if not _untold(conn, event, numbers, body):
            return
    with services.db.write() as tx:
        take_turn(tx, f"cross_references:{event.issue_id}")  # the same text may be written twice at once
        for issue_id in _untold(tx, event, numbers, body):
            add_system_note(tx, Target("Issue", issue_id, source.project_id), event.user_id, "cross_reference", body)


def _numbers(text: str, path: str) -> list[int]:
    """Issues of the same project: readers of others may not know of this one, so they are not told."""
    here = (None, path.lower(), path.rsplit("/", 1)[-1].lower())
    named = [iid for place, iid in mentioned_in(text) if (place.lower() if place else None) in here]
    return named[:MOST_ISSUES]


def _untold(conn: Connection, event: IssueTextWritten, numbers: list[int], body: str) -> list[int]:
    """Ids of the named issues that the author can read and that have no such note yet."""
    user = conn.execute(select(users).where(users.c.id == event.user_id)).one_or_none()
    if user is None or not numbers:
        return []
    confidential = select(issues.c.confidential).where(issues.c.id == event.issue_id).scalar_subquery()
    query = issues_with_project().where(
        issues.c.project_id == event.project_id,
        issues.c.iid.in_(numbers),
        issues.c.id != event.issue_id,
        # What a confidential issue names is told among confidential ones only.
        issues.c.confidential | ~confidential,
        readable_issues(actor_of_user(user)),
    )
    named = [row.id for row in conn.execute(query.order_by(issues.c.id))]
    told = select(notes.c.noteable_id).where(
        notes.c.noteable_type == "Issue", notes.c.noteable_id.in_(named), notes.c.system, notes.c.body == body
    )
    known = set(conn.execute(told).scalars())
    return [issue_id for issue_id in named if issue_id not in known]
