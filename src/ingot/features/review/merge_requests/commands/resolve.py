"""Resolving conflicts: a merge of the target branch into the source branch, with what somebody chose for each file."""

from collections.abc import Mapping
from functools import partial

import msgspec
from sqlalchemy import Connection

from ingot.access.subjects import Project, find_project
from ingot.events import Pushed, RefChange
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.code.pushing import announce_push, moving
from ingot.features.review.merge_requests import states
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.rows import MergeRequestWithProject
from ingot.gitstore import Person, refs, transfer
from ingot.gitstore.conflicts import Choice, resolve
from ingot.gitstore.errors import MergeConflict
from ingot.gitstore.names import branch_ref
from ingot.gitstore.refs import RefUpdate
from ingot.kit.actor import Actor
from ingot.kit.errors import Conflict, Forbidden, Unprocessable
from ingot.kit.services import Services

MOVED = "One of the branches has changed. Review the conflicts again."


class Resolution(msgspec.Struct, frozen=True):
    """What stays of each file, and the commits that the person looked at."""

    head: str  # of the source branch, whose side is `ours`
    target: str
    choices: Mapping[str, Choice]


def find_resolvable(conn: Connection, row: MergeRequestWithProject, actor: Actor) -> Project | None:
    """The source project, where the person may push to the source branch of an open request."""
    if row.state != states.OPENED or row.source_project_id is None:
        return None
    source = find_project(conn, actor, row.source_project_id)
    if source is None or source.archived:
        return None
    return source if load_protection(conn, actor, source).may_push(row.source_branch) else None


def resolve_conflicts(
    services: Services, conn: Connection, row: MergeRequestWithProject, actor: Actor, resolution: Resolution
) -> str:
    """Commit the merge to the source branch; the id of the commit."""
    project = find_resolvable(conn, row, actor)
    source = check.source_repository(services, row, conn)
    if project is None or source is None:
        raise Forbidden("Cannot push to source branch")
    target = check.target_repository(services, row)
    ref = branch_ref(row.source_branch)
    with source.lock():
        head, onto = refs.find_branch(source, row.source_branch), refs.find_branch(target, row.target_branch)
        if (head, onto) != (resolution.head, resolution.target) or head is None or onto is None:
            raise Conflict(MOVED)
        if source.path != target.path:
            transfer.fetch_commit(target, source, onto)
        person = Person.now(actor.name or actor.username, actor.email)
        message = f"Merge branch '{row.target_branch}' into '{row.source_branch}'"
        try:
            created = resolve(source, head, onto, resolution.choices, person, message)
        except MergeConflict as left:
            raise Unprocessable(f"Choose a resolution for {', '.join(left.paths)}") from None
        find = partial(refs.find_ref, source)
        with moving(services, project.id, actor.user_id, {ref: head}, {ref: created}, find) as note:
            refs.update(source, [RefUpdate(ref, created, head)])
    announce_push(services, Pushed(project.id, actor.user_id, (RefChange(ref, head, created),)), note)
    return created
