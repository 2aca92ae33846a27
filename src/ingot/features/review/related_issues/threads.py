"""Issues that continue open threads of a merge request."""

from sqlalchemy import update

from ingot.access.call import Call
from ingot.events import MergeRequestChanged
from ingot.features.planning.issuables import Target
from ingot.features.planning.issues import CreateIssue, IssueRow, after_opening
from ingot.features.planning.notes import add_system_note, notes, recount
from ingot.features.review.merge_requests import READ_MERGE_REQUESTS, find_by_iid, is_developer
from ingot.kit.clock import now
from ingot.kit.events import announce


@after_opening
def resolve_threads(call: Call, issue: IssueRow, options: CreateIssue) -> None:
    """Resolve the open threads (or one of them) that the new issue continues, if the caller may."""
    if options.merge_request_to_resolve_discussions_of is None:
        return
    discussion_id = options.discussion_to_resolve
    request = find_by_iid(call.conn, call.project.id, options.merge_request_to_resolve_discussions_of)
    if request is None or not READ_MERGE_REQUESTS.allows(call.actor, call.project):
        return
    if not is_developer(call.actor, call.project) and request.author_id != call.actor.user_id:
        return
    change = update(notes).where(
        notes.c.noteable_type == "MergeRequest",
        notes.c.noteable_id == request.id,
        notes.c.resolvable,
        notes.c.resolved_at.is_(None),
    )
    if discussion_id is not None:
        change = change.where(notes.c.discussion_id == discussion_id)
    moment = now()
    with call.write() as tx:
        changed = tx.execute(
            change.values(resolved_at=moment, resolved_by_id=call.actor.user_id, updated_at=moment)
        ).rowcount
        if changed:
            recount(tx, "MergeRequest", request.id)
            target = Target("MergeRequest", request.id, call.project.id)
            body = f"created #{issue.iid} to continue this discussion"
            add_system_note(tx, target, call.actor.user_id, "discussion", body)
    if changed:
        announce(call.services, MergeRequestChanged(request.id, call.project.id, "resolved", call.actor.user_id))
