"""Endpoints of draft notes."""

from ingot.access.call import Call
from ingot.features.planning.issuables import Noteable, may_comment
from ingot.features.planning.notes import check_body
from ingot.features.review.draft_notes import commands, queries
from ingot.features.review.draft_notes.entities import DraftNote, present
from ingot.features.review.draft_notes.params import CreateDraftNote, OneDraftNote, SubmitReview, UpdateDraftNote
from ingot.features.review.draft_notes.policy import USE_DRAFT_NOTES
from ingot.features.review.draft_notes.publishing import publish
from ingot.features.review.draft_notes.rows import DraftNoteRow
from ingot.features.review.draft_notes.tables import draft_notes
from ingot.features.review.merge_requests import OneMergeRequest, find_visible
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import BadRequest, Forbidden, RecordNotFound

routes = Routes("Draft notes", guard=USE_DRAFT_NOTES, waits=True)
PATH = "/projects/{id}/merge_requests/{merge_request_iid}/draft_notes"
ONE = f"{PATH}/{{draft_note_id}}"


def _commentable(call: Call[OneMergeRequest]) -> Noteable:
    """The merge request, if the caller may comment on it."""
    noteable = Noteable.of_row("MergeRequest", call.project, find_visible(call))
    if not may_comment(call.actor, noteable):
        raise Forbidden
    return noteable


def _draft(call: Call[OneDraftNote], merge_request_id: int | None) -> DraftNoteRow:
    return queries.get_draft(call.conn, merge_request_id or 0, call.actor.id, call.params.draft_note_id)


@routes.get(PATH, params=OneMergeRequest, returns=list[DraftNote])
def list_draft_notes(call: Call[OneMergeRequest]) -> Answer:
    """The caller's draft notes on a merge request, oldest first, all at once."""
    return present(queries.list_drafts(call.conn, find_visible(call).id, call.actor.id))


@routes.get(ONE, params=OneDraftNote, returns=DraftNote)
def get_draft_note(call: Call[OneDraftNote]) -> Answer:
    """One of the caller's draft notes."""
    return present([_draft(call, find_visible(call).id)])[0]


@routes.post(PATH, params=CreateDraftNote, returns=DraftNote)
def create_draft_note(call: Call[CreateDraftNote]) -> Answer:
    """Draft a comment, which nobody else sees until it is published."""
    noteable = _commentable(call)
    values = commands.new_draft(call, noteable)
    with call.write() as tx:
        row = commands.create_draft(tx, noteable.row.id, call.actor.id, values)
    return present([row])[0]


@routes.put(ONE, params=UpdateDraftNote, returns=DraftNote)
def update_draft_note(call: Call[UpdateDraftNote]) -> Answer:
    """Change a draft note."""
    row = _draft(call, _commentable(call).id)
    if call.params.note is None:
        raise BadRequest("Missing params to modify")
    check_body(call.params.note)
    # An answer stands where its discussion does.
    place = commands.placed(call, call.params.position) if row.discussion_id is None else {}
    with call.write() as tx:
        commands.update_draft(tx, row, {"note": call.params.note, **place})
    return present([_draft(call, row.merge_request_id)])[0]


@routes.delete(ONE, params=OneDraftNote)
def delete_draft_note(call: Call[OneDraftNote]) -> None:
    """Delete a draft note."""
    own_drafts = queries.drafts_of(_commentable(call).row.id, call.actor.id)
    with call.write() as tx:
        if not call.delete_rows(tx, draft_notes, own_drafts & (draft_notes.c.id == call.params.draft_note_id)):
            raise RecordNotFound


@routes.put(f"{ONE}/publish", params=OneDraftNote, status=204)
def publish_draft_note(call: Call[OneDraftNote]) -> None:
    """Publish a draft note: it becomes a comment or an answer that everybody sees."""
    noteable = _commentable(call)
    publish(call, noteable, [_draft(call, noteable.id)])


@routes.post(f"{PATH}/bulk_publish", params=SubmitReview, status=204)
def publish_draft_notes(call: Call[SubmitReview]) -> None:
    """Publish all of the caller's draft notes on a merge request at once, with a summary and a verdict where given."""
    noteable = _commentable(call)
    drafts = queries.list_drafts(call.conn, noteable.row.id, call.actor.id)
    publish(call, noteable, drafts, call.params.note, call.params.reviewer_state)
