"""Texts and commits that name issues and merge requests."""

from sqlalchemy import Connection, select

from ingot.access.levels import GUEST, Feature, Visibility
from ingot.access.tables import projects
from ingot.events import Pushed, TextWritten
from ingot.features.planning.cross_references.commits import pushed_commits
from ingot.features.planning.cross_references.noting import Mention, add_mention_notes
from ingot.features.planning.issuables import Audience, get_kind, kinds, may_name
from ingot.kit.events import listen
from ingot.kit.services import Services


@listen(TextWritten)
def note_mentions(services: Services, event: TextWritten) -> None:
    """Tell what a title, description or comment names."""
    kind = get_kind(event.noteable_type)
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == event.project_id)).one_or_none()
        iid = conn.execute(select(kind.table.c.iid).where(kind.table.c.id == event.noteable_id)).scalar_one_or_none()
        if project is None or iid is None:
            return
        audience = kind.audience(conn, project, event.noteable_id)
    body = f"mentioned in {kind.title} {kind.sign}{iid}"
    mention = Mention(project, event.user_id, event.text, body, audience, (kind.type, event.noteable_id))
    # Merge requests keep a table of the issues that they name, whose keeper tells those.
    add_mention_notes(services, mention, [one for one in kinds() if (kind.type, one.type) != ("MergeRequest", "Issue")])


def _has_any(conn: Connection, project_id: int) -> bool:
    queries = (select(kind.table.c.id).where(kind.table.c.project_id == project_id) for kind in kinds())
    return any(conn.execute(query.limit(1)).first() is not None for query in queries)


@listen(Pushed, order=70)
def note_mentions_of_commits(services: Services, event: Pushed) -> None:
    """Tell what the messages of pushed commits name."""
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == event.project_id)).one_or_none()
        if project is None or not _has_any(conn, project.id):
            return
    is_open = project.repository_access_level >= Feature.ENABLED and project.visibility > Visibility.PRIVATE
    for commit in pushed_commits(services, project, event.changes):
        if may_name(commit.message):
            body = f"mentioned in commit {commit.id}"
            add_mention_notes(
                services, Mention(project, event.user_id, commit.message, body, Audience(GUEST, is_open)), kinds()
            )
