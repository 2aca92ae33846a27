"""Parameters of the draft note endpoints."""

from ingot.features.planning.notes import Position
from ingot.features.review.merge_requests import OneMergeRequest
from ingot.kit.params import Param


class OneDraftNote(OneMergeRequest):
    """One draft note."""

    draft_note_id: int = Param("Id of the draft note.", required=True)


class CreateDraftNote(OneMergeRequest):
    """A new draft note."""

    note: str = Param("The comment.", required=True)
    in_reply_to_discussion_id: str | None = Param("Id of the discussion that it answers.")
    commit_id: str | None = Param("Commit of the merge request that it is about; `undefined` means none.")
    resolve_discussion: bool = Param("Whether publishing resolves the discussion that it answers.", default=False)
    position: Position | None = Param("Where in the diff; an answer stands where its discussion does.")


class SubmitReview(OneMergeRequest):
    """All draft notes at once, with what the caller finds of the request."""

    note: str | None = Param("A summary, which becomes a comment of its own.")
    reviewer_state: str | None = Param(
        "What the caller finds as a reviewer; `requested_changes` blocks merging and takes back an approval.",
        one_of=("reviewed", "requested_changes"),
    )


class UpdateDraftNote(OneDraftNote):
    """A changed draft note."""

    note: str | None = Param("The comment.")
    position: Position | None = Param("Where in the diff; without it the position is removed.")
