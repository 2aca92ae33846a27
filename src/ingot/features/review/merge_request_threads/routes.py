"""Applying suggestions: one commit on the source branch, and the thread is resolved."""

from collections.abc import Sequence

from sqlalchemy import update

from ingot.access.call import Call
from ingot.access.policy import SIGNED_IN
from ingot.access.subjects import find_project
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.code.repository import caller, commit
from ingot.features.planning.issuables import Noteable
from ingot.features.planning.notes import Suggestion, announce_change, notes, resolve, suggestion, suggestions
from ingot.features.review.merge_request_threads import applying
from ingot.features.review.merge_request_threads.queries import placed_suggestions
from ingot.features.review.merge_request_threads.rows import PlacedSuggestionRow
from ingot.features.review.merge_requests import READ_MERGE_REQUESTS, MergeRequestWithProject, find_by_id
from ingot.features.spaces.projects import project_settings, repository_of
from ingot.gitstore import refs
from ingot.gitstore.commit import CommitOptions
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Failure, Forbidden
from ingot.kit.params import Param, Params

routes = Routes("Suggestions", guard=SIGNED_IN, waits=True)
NOT_FOUND = "Suggestion is not applicable as the suggestion was not found."
SOME_NOT_FOUND = "Suggestions are not applicable as one or more suggestions were not found."


class ApplySuggestion(Params):
    """One suggestion."""

    id: int = Param("Id of the suggestion.", required=True)
    commit_message: str | None = Param("Message of the commit.")


class ApplySuggestions(Params):
    """Several suggestions of one merge request."""

    ids: list[int] = Param("Ids of the suggestions.", required=True, comma=True)
    commit_message: str | None = Param("Message of the commit.")


def _load(call: Call, ids: Sequence[int], missing: str) -> list[PlacedSuggestionRow]:
    rows = placed_suggestions(call.conn, suggestions.c.id.in_(ids))
    if not rows or len(rows) != len(set(ids)):
        raise Failure(404, missing)
    return rows


def _request(call: Call, rows: Sequence[PlacedSuggestionRow], missing: str) -> MergeRequestWithProject:
    """The open merge request that all of them are about, with `call.project` at its source."""
    request = find_by_id(call.conn, rows[0].noteable_id)
    target = None if request is None else find_project(call.conn, call.actor, request.project_id)
    if request is None or target is None or not READ_MERGE_REQUESTS.allows(call.actor, target):
        raise Failure(404, missing)
    source = find_project(call.conn, call.actor, request.source_project_id) if request.source_project_id else None
    if source is None or not load_protection(call.conn, call.actor, source).may_push(request.source_branch):
        raise Forbidden
    if request.state != "opened" or any(row.noteable_id != request.id for row in rows):
        raise Failure(400, "Can't apply this suggestion.")
    if any(row.applied or row.from_content == row.to_content for row in rows):
        raise Failure(400, "Can't apply this suggestion.")
    if any(row.outdated for row in rows):
        raise Failure(400, applying.CHANGED)
    call.project = source
    return request


def _apply(call: Call[ApplySuggestion | ApplySuggestions], ids: Sequence[int], missing: str) -> list[Suggestion]:
    rows = _load(call, ids, missing)
    request = _request(call, rows, missing)
    place, branch = repository_of(call.services, call.project), request.source_branch
    head = refs.find_branch(place, branch)
    if head is None:
        raise Failure(400, "Can't apply this suggestion.")
    actions = applying.edited_files(place, head, rows)
    values = {
        "branch_name": branch,
        "files_count": str(len(actions)),
        "file_paths": ", ".join(action.file_path for action in actions),
        "file_path": actions[0].file_path,
        "project_name": call.project.name,
        "project_path": call.project.path,
        "user_full_name": call.actor.name,
        "username": call.actor.username,
        "suggestions_count": str(len(rows)),
    }
    template = call.params.commit_message or project_settings(call.project).suggestion_commit_message
    message = applying.commit_message(template, values)
    created = commit(call, place, CommitOptions(branch=branch, message=message, actions=actions, author=caller(call)))
    noteable = Noteable("MergeRequest", call.project, id=request.id, iid=request.iid)
    with call.write() as tx:
        tx.execute(update(suggestions).where(suggestions.c.id.in_(ids)).values(applied=True, commit_id=created.sha))
        resolve(tx, call.actor.id, noteable, notes.c.discussion_id.in_([row.discussion_id for row in rows]))
    announce_change(call, noteable, "resolved")
    return [suggestion(row, row) for row in _load(call, ids, missing)]


@routes.put("/suggestions/{id}/apply", params=ApplySuggestion, returns=Suggestion)
def apply_suggestion(call: Call[ApplySuggestion]) -> Answer:
    """Commit a suggested change to the source branch."""
    return _apply(call, [call.params.id], NOT_FOUND)[0]


@routes.put("/suggestions/batch_apply", params=ApplySuggestions, returns=list[Suggestion])
def apply_suggestions(call: Call[ApplySuggestions]) -> Answer:
    """Commit several suggested changes at once."""
    return _apply(call, call.params.ids, SOME_NOT_FOUND)
