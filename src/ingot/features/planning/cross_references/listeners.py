"""Texts and commits that name issues and merge requests."""

from functools import cache
from typing import Any

from sqlalchemy import Select, Table, bindparam, select

from ingot.access.levels import GUEST, Feature, Visibility
from ingot.access.tables import projects
from ingot.events import Pushed, TextWritten
from ingot.features.planning.cross_references.closing import close_named
from ingot.features.planning.cross_references.commits import pushed_commits
from ingot.features.planning.cross_references.noting import Mention, add_mention_notes
from ingot.features.planning.issuables import Audience, Source, get_kind, kinds, may_name
from ingot.kit.events import listen
from ingot.kit.services import Services

_PROJECT = select(projects).where(projects.c.id == bindparam("project_id"))


@cache
def _number(table: Table) -> Select[Any]:
    return select(table.c.iid).where(table.c.id == bindparam("noteable"))


@listen(TextWritten)
def note_mentions(services: Services, event: TextWritten) -> None:
    """Add notes for what a title, description or comment mentions."""
    kind = get_kind(event.noteable_type)
    with services.db.read() as conn:
        project = conn.execute(_PROJECT, {"project_id": event.project_id}).one_or_none()
        iid = conn.execute(_number(kind.table), {"noteable": event.noteable_id}).scalar_one_or_none()
        if project is None or iid is None:
            return
        audience = kind.audience(conn, project, event.noteable_id)
    source = Source(kind.type, event.noteable_id)
    mention = Mention(project, event.user_id, event.text, kind.title, kind.sign, iid, audience, source)
    # Merge requests keep a table of the issues that they name, whose listener notes those of the same project.
    add_mention_notes(services, mention, kinds(), frozenset(["Issue"] if kind.type == "MergeRequest" else []))


@listen(Pushed, order=70)
def note_mentions_of_commits(services: Services, event: Pushed) -> None:
    """Add notes for what pushed commits mention, and close the issues that commits of the default branch close."""
    with services.db.read() as conn:
        project = conn.execute(_PROJECT, {"project_id": event.project_id}).one_or_none()
    if project is None:
        return
    is_open = project.repository_access_level >= Feature.ENABLED and project.visibility > Visibility.PRIVATE
    audience, source = Audience(GUEST, is_open), Source("Commit", project.id)
    by_default = [change for change in event.changes if change.branch == project.default_branch]
    elsewhere = [change for change in event.changes if change.branch != project.default_branch]
    for changes in (by_default, elsewhere):
        for commit in pushed_commits(services, project, changes):
            if not may_name(commit.message):
                continue
            mention = Mention(project, event.user_id, commit.message, "commit", "@", commit.id, audience, source)
            add_mention_notes(services, mention, kinds())
            if changes is by_default:
                close_named(services, project, event.user_id, commit)
