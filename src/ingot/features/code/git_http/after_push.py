"""After git moved refs: announces the push, and prints links to merge requests."""

from collections.abc import Sequence

from msgspec.structs import replace
from sqlalchemy import select

from ingot.access.tables import projects
from ingot.events import Pushed, RefChange
from ingot.features.code.git_http.access import Opened
from ingot.features.code.pushing import (
    Note,
    announce_push,
    apply_options,
    has_options,
    links_after_push,
    note_push,
    refusal,
    remove_push_note,
)
from ingot.gitstore.push import Push
from ingot.gitstore.push_report import RefResult
from ingot.kit.services import Services

CHANGED = "The branch was changed by somebody else in the meantime. Fetch first, then push again."
# How git reports that a ref moved between the client's look at it and its push.
RACED = ("failed to update ref", "failed to lock", "reference already exists", "already exists")


def store_note(services: Services, opened: Opened, push: Push) -> Note:
    """Store the refs that are about to move, so that the push is announced even if this process dies."""
    before = {command.ref: command.old for command in push.commands}
    after = {command.ref: command.new for command in push.commands}
    with services.db.write() as tx:
        note = note_push(tx, opened.project.id, opened.actor.user_id, before, after, push.options)
    return replace(note, more_follows=has_options(push.options))


def follow_up(
    services: Services, opened: Opened, push: Push, note: Note, results: Sequence[RefResult], base_url: str
) -> list[str]:
    """Announce the moved refs; returns lines for the terminal."""
    changes = tuple(
        RefChange(result.command.ref, result.command.old, result.command.new) for result in results if result.is_done
    )
    lines = [refusal(CHANGED)] if any(result.error in RACED for result in results) else []
    if not changes:
        with services.db.write() as tx:
            remove_push_note(tx, note)
        return lines
    event = Pushed(opened.project.id, opened.actor.user_id, changes, tuple(push.options))
    succeeded = announce_push(services, event, note)
    lines += _warnings(push, apply_options(services, opened.actor, opened.project.id, changes, push.options))
    if note.more_follows and succeeded:
        with services.db.write() as tx:
            remove_push_note(tx, note)
    branches = [change.branch for change in changes if change.branch is not None and not change.is_deletion]
    return lines + _links(services, opened, branches, base_url)


def _warnings(push: Push, problems: list[str]) -> list[str]:
    """Warnings about push options that failed; the push itself succeeded."""
    given = " ".join(f"'{option}'" for option in push.options)
    return [line for text in problems for line in ("", f"Error encountered with push options {given}: {text}", "")]


def _links(services: Services, opened: Opened, branches: list[str], base_url: str) -> list[str]:
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == opened.project.id)).one_or_none()
        return [] if project is None else links_after_push(conn, project, branches, base_url)
