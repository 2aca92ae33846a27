"""Rebasing the source branch onto the target, as the caller."""

from functools import partial

from sqlalchemy import Connection, update

from ingot.access.call import Call
from ingot.access.subjects import Project, find_project
from ingot.events import Pushed, RefChange
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.code.push_rules import RuleBroken
from ingot.features.code.pushing import Note, announce_push, moving, remove_push_note
from ingot.features.review.merge_requests import queries, states
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.gitstore import GitError, Person, refs, transfer
from ingot.gitstore.errors import PassingFault
from ingot.gitstore.names import branch_ref
from ingot.gitstore.rebase import rebase
from ingot.gitstore.refs import RefUpdate
from ingot.kit.actor import Actor
from ingot.kit.errors import Conflict, Forbidden
from ingot.kit.jobs import enqueue
from ingot.kit.services import Services

FAILED = "Rebase failed: Rebase locally, resolve all conflicts, then push the branch."


def require_rebase(services: Services, conn: Connection, row: MergeRequestWithProject, actor: Actor) -> Project:
    """The source project, where the caller may rewrite the source branch; else the documented refusals."""
    source = find_project(conn, actor, row.source_project_id) if row.source_project_id else None
    repository = check.source_repository(services, row, conn)
    if source is None or repository is None or refs.find_branch(repository, row.source_branch) is None:
        raise Forbidden("Source branch does not exist")
    protection = load_protection(conn, actor, source)
    if not protection.may_push(row.source_branch):
        raise Forbidden("Cannot push to source branch")
    if not protection.may_force_push(row.source_branch):
        raise Forbidden("Source branch is protected from force push")
    return source


def may_rebase(call: Call, row: MergeRequestWithProject) -> bool:
    """The caller may rewrite the source branch."""
    try:
        require_rebase(call.services, call.conn, row, call.actor)
    except Forbidden:
        return False
    return True


def start_rebase(tx: Connection, row: MergeRequestRow, user_id: int) -> None:
    """Mark the rebase as running, and queue it; 409 where it cannot start."""
    taken = tx.execute(
        update(merge_requests)
        .where(
            merge_requests.c.id == row.id,
            merge_requests.c.state == states.OPENED,
            ~merge_requests.c.rebase_in_progress,
        )
        .values(rebase_in_progress=True, merge_error=None)
    )
    if taken.rowcount == 0:
        raise Conflict("409 Conflict: Resource lock")
    enqueue(
        tx,
        "merge_request_rebase",
        key=f"rebase-{row.id}",
        args={"merge_request_id": row.id, "user_id": user_id},
        subject=f"project:{row.project_id}",
        rerun=True,  # the job before, whose rebase is over, may not have ended yet
    )


def run_rebase(services: Services, merge_request_id: int, actor: Actor) -> None:
    """Replay the commits and move the source branch; a failure is stored in `merge_error`."""
    error: str | None = None
    change: RefChange | None = None
    note: Note | None = None
    with services.db.read() as conn:
        row = queries.find_by_id(conn, merge_request_id)
        if row is None:
            return
        source = check.source_repository(services, row, conn)
        target = check.target_repository(services, row)
    ref = branch_ref(row.source_branch)
    try:
        onto = refs.find_branch(target, row.target_branch)
        head = refs.find_branch(source, row.source_branch) if source is not None else None
        if source is None or row.source_project_id is None or onto is None or head is None:
            error = FAILED
        else:
            if source.path != target.path:
                transfer.fetch_commit(target, source, onto)
            with source.lock():
                created = rebase(source, head, onto, Person.now(actor.name or actor.username, actor.email))
                find = partial(refs.find_ref, source)
                with moving(services, row.source_project_id, actor.user_id, {ref: head}, {ref: created}, find) as note:
                    refs.update(source, [RefUpdate(ref, created, head)])
            change = RefChange(ref, head, created)
    except PassingFault as fault:
        error = fault.message
    except RuleBroken as broken:
        error = broken.text
    except GitError:
        error = FAILED
    is_moved = change is not None and change.old != change.new
    with services.db.write() as tx:
        tx.execute(
            update(merge_requests)
            .where(merge_requests.c.id == row.id)
            .values(rebase_in_progress=False, merge_error=error)
        )
        if change is not None and not is_moved:  # after an error the note is removed, or stays to be announced later
            remove_push_note(tx, note)
    if change is not None and is_moved and row.source_project_id is not None:
        announce_push(services, Pushed(row.source_project_id, actor.user_id, (change,)), note)
