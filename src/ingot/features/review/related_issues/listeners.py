"""Issues that a merge request mentions and closes: updated when its texts or commits change."""

from sqlalchemy import Connection, delete, insert, or_, select

from ingot.access.tables import projects
from ingot.events import MergeRequestChanged, TextWritten
from ingot.features.planning.issuables import Target, may_name
from ingot.features.planning.issues import issue_mentions, issues
from ingot.features.planning.notes import add_system_note, notes
from ingot.features.review.merge_requests import (
    MergeRequestWithProject,
    closing_condition,
    commits_of,
    find_by_id,
    related_condition,
)
from ingot.features.review.related_issues import threads
from ingot.gitstore import GitError
from ingot.kit.events import announce, listen
from ingot.kit.services import Services

REGISTERED = (threads,)  # importing it registers what follows an opened issue
MARKS = ("#", "/issues/", "/work_items/")  # a text without any of these mentions no issue
CHANGES = ("opened", "pushed", "retargeted", "updated", "reopened", "commented")


@listen(MergeRequestChanged, order=40)
def keep_mentions(services: Services, event: MergeRequestChanged) -> None:
    """Store the mentioned issues; newly mentioned ones get a note."""
    if event.what not in CHANGES:
        return
    with services.db.read() as conn:
        row = find_by_id(conn, event.merge_request_id)
        if row is None:
            return
        named = _named(services, conn, row)
        table = issue_mentions
        known = {
            one.issue_id: one.closes
            for one in conn.execute(select(table).where(table.c.merge_request_id == event.merge_request_id))
        }
    if {issue_id: closes for issue_id, (_, closes) in named.items()} == known:
        return
    with services.db.write() as tx:
        tx.execute(delete(table).where(table.c.merge_request_id == row.id))
        for issue_id, (project_id, closes) in named.items():
            tx.execute(insert(table).values(issue_id=issue_id, merge_request_id=row.id, closes=closes))
            # Issues of other projects get their notes from `cross_references`, which respects their readers' rights.
            if issue_id not in known and project_id == row.project_id:
                body = f"mentioned in merge request !{row.iid}"
                add_system_note(tx, Target("Issue", issue_id, project_id), event.user_id, "cross_reference", body)


@listen(MergeRequestChanged, order=41)
def announce_texts(services: Services, event: MergeRequestChanged) -> None:
    """Announce the title and description, which may mention others."""
    if event.what not in ("opened", "updated"):
        return
    with services.db.read() as conn:
        row = find_by_id(conn, event.merge_request_id)
    text = "" if row is None else f"{row.title}\n{row.description or ''}"
    if may_name(text):
        announce(services, TextWritten("MergeRequest", event.merge_request_id, event.project_id, text, event.user_id))


def _named(services: Services, conn: Connection, row: MergeRequestWithProject) -> dict[int, tuple[int, bool]]:
    """Maps issue ids to their project, and whether the request closes them."""
    try:
        commits = commits_of(services, row)
    except GitError:
        commits = []
    here = (notes.c.noteable_type == "MergeRequest", notes.c.noteable_id == row.id, ~notes.c.system)
    naming = or_(*(notes.c.body.contains(mark) for mark in MARKS))
    # What an internal note mentions is hidden from the readers of the issue.
    texts = list(conn.execute(select(notes.c.body).where(*here, ~notes.c.internal, naming)).scalars())
    related, closed = related_condition(row, commits, texts), closing_condition(row, commits)
    if related is None:
        return {}
    query = select(issues.c.id, issues.c.project_id).join_from(issues, projects, projects.c.id == issues.c.project_id)
    closes = set() if closed is None else {one.id for one in conn.execute(query.where(closed))}
    return {one.id: (one.project_id, one.id in closes) for one in conn.execute(query.where(related))}
