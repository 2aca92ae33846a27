"""After a merge: announcements, removal of the source branch, retargeting, closing of issues."""

from sqlalchemy import Connection, select

from ingot.access.subjects import find_project
from ingot.access.tables import projects
from ingot.events import ZERO_SHA, MergeRequestChanged, Pushed, RefChange
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.code.pushing import announcing, remove_push_note
from ingot.features.planning.issuables import Source, name_in
from ingot.features.planning.issues import closable_issues, close_issue, issues
from ingot.features.review.merge_requests import closing, queries
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.commands.merge_commits import MergedCommits
from ingot.features.review.merge_requests.commands.update import retarget
from ingot.features.review.merge_requests.mergeability import settings_of
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject
from ingot.gitstore import GitError, refs
from ingot.gitstore.errors import PassingFault
from ingot.gitstore.names import branch_ref
from ingot.kit.actor import Actor
from ingot.kit.errors import Invalid, Texts
from ingot.kit.events import announce
from ingot.kit.services import Services

RETARGETED = 4


def after_merge(services: Services, row: MergeRequestWithProject, actor: Actor, created: MergedCommits) -> None:
    """Announce the merge; cannot undo it, and is safe to repeat."""
    with announcing(created.note):
        succeeded = _follow(services, row, actor, created)
    if succeeded and created.note is not None:
        with services.db.write() as tx:
            remove_push_note(tx, created.note)


def _follow(services: Services, row: MergeRequestWithProject, actor: Actor, created: MergedCommits) -> bool:
    change = RefChange(branch_ref(row.target_branch), created.old_target, created.new_target)
    with services.db.read() as conn:
        _close_issues(services, conn, row, actor)  # before the commits do, so that the note names the merge request
    succeeded = announce(services, Pushed(row.project_id, actor.user_id, (change,)))
    if removes_source_branch(row):
        with services.db.read() as conn:
            succeeded = remove_source_branch(services, conn, row, actor) and succeeded
    return announce(services, MergeRequestChanged(row.id, row.project_id, "merged", actor.user_id)) and succeeded


def removes_source_branch(row: MergeRequestRow) -> bool:
    """The option of the merge, else of the merge request."""
    chosen = row.should_remove_source_branch
    return bool(row.force_remove_source_branch if chosen is None else chosen)


def remove_source_branch(services: Services, conn: Connection, row: MergeRequestWithProject, actor: Actor) -> bool:
    """Remove the branch where it is safe: unprotected, not the default, still at the merged head.

    Returns whether that is done with: a fault of the machine, such as a git that is killed, leaves it to another time.
    """
    source = find_project(conn, actor, row.source_project_id) if row.source_project_id else None
    if source is None or row.source_branch == source.default_branch:
        return True
    protection = load_protection(conn, actor, source)
    repository = check.source_repository(services, row, conn)
    if repository is None or not protection.may_delete(row.source_branch):
        return True
    head = refs.find_branch(repository, row.source_branch)
    if head is None or head != row.head_sha:
        return True
    try:
        refs.delete_branch(repository, row.source_branch, expected=head)
    except PassingFault:
        if refs.find_branch(repository, row.source_branch) is not None:
            return False
    except GitError:
        return True  # pushed to or removed meanwhile: leave it
    _retarget(services, conn, row, actor)
    gone = RefChange(branch_ref(row.source_branch), head, ZERO_SHA)
    announce(services, Pushed(source.id, actor.user_id, (gone,)))
    return True


def _retarget(services: Services, conn: Connection, row: MergeRequestRow, actor: Actor) -> None:
    """Retarget open requests from the removed branch to the merge target, except duplicates of other requests."""
    if row.source_project_id != row.project_id:
        return
    is_paid = services.settings.has_tier("premium")
    for other in queries.opened_into(conn, row.project_id, row.source_branch)[:RETARGETED]:
        try:
            with services.db.write() as tx:
                retarget(tx, actor.user_id, other, row.target_branch, is_paid=is_paid)
        except (Texts, Invalid):
            continue  # it keeps its missing target, and shows that
        check.check(services, conn, queries.get_by_id(conn, other.id))
        announce(services, MergeRequestChanged(other.id, other.project_id, "retargeted", actor.user_id))


def _close_issues(services: Services, conn: Connection, row: MergeRequestWithProject, actor: Actor) -> None:
    if not settings_of(row).autoclose_referenced_issues:
        return
    condition = closing.closing_condition(row, check.commits_of(services, row))
    if condition is None:
        return
    query = (
        select(issues.c.id, issues.c.project_id, projects.c.full_path)
        .join_from(issues, projects, projects.c.id == issues.c.project_id)
        .where(condition, issues.c.state == "opened", closable_issues(actor))
    )
    closed = conn.execute(query).all()
    if closed:
        with services.db.write() as tx:
            for issue in closed:
                via = f"merge request {name_in(issue.full_path, row.project_path, '!', row.iid)}"
                source = None if issue.project_id == row.project_id else Source("MergeRequest", row.id)
                close_issue(tx, issue.id, actor.user_id, via, source)
