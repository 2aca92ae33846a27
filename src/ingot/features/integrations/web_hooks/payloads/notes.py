"""Payloads of comments and reactions."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads import issues, merge_requests
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload, moment
from ingot.features.integrations.web_hooks.payloads.issuables import issuable_subject, snapshot_of
from ingot.features.planning.award_emoji import award_emoji
from ingot.features.planning.issuables import find_kind
from ingot.features.planning.notes import NoteRow, notes
from ingot.features.spaces.snippets import snippet_files, snippets
from ingot.kit.changes import Change


def note_attributes(blocks: Blocks, row: NoteRow) -> Payload:
    """A comment."""
    return {
        "id": row.id,
        "note": blocks.absolute(row.body),
        "description": blocks.absolute(row.body),
        "noteable_type": row.noteable_type,
        "noteable_id": row.noteable_id,
        "author_id": row.author_id,
        "project_id": row.project_id,
        "created_at": moment(row.created_at),
        "updated_at": moment(row.updated_at),
        "updated_by_id": row.updated_by_id,
        "system": row.system,
        "internal": row.internal,
        "attachment": None,
        "line_code": row.line_code,
        "commit_id": row.commit_id,
        "discussion_id": row.discussion_id,
        "type": row.type,
        "st_diff": None,
        "position": row.position,
        "original_position": row.original_position,
        "change_position": row.change_position,
        "resolved_at": moment(row.resolved_at),
        "resolved_by_id": row.resolved_by_id,
        "resolved_by_push": row.resolved_by_push,
        "url": note_url(blocks, row),
    }


def note_url(blocks: Blocks, row: NoteRow) -> str:
    """Where people look at a comment."""
    place, number = f"commit/{row.commit_id}", None
    if row.noteable_type in ("Issue", "MergeRequest"):
        word = "issues" if row.noteable_type == "Issue" else "merge_requests"
        number = _snapshot(blocks, row.noteable_type, row.noteable_id, row.project_id).row.iid
        place = f"{word}/{number}"
    elif row.noteable_type == "Snippet":
        place = f"snippets/{row.noteable_id}"
    return f"{blocks.project_url(row.project_id)}/-/{place}#note_{row.id}"


def _snapshot(blocks: Blocks, type_: str, record_id: int | None, project_id: int | None) -> Any:
    return snapshot_of(blocks, type_, record_id or 0, project_id or 0)


def commented(blocks: Blocks, type_: str, record_id: int | None, project_id: int, sha: str | None) -> Any:
    """The record that was commented or reacted on: its key and block, late parts, and whether it is confidential."""
    if type_ == "Issue":
        state = _snapshot(blocks, type_, record_id, project_id)
        return {"issue": issues.attributes(blocks, state)}, [], bool(state.row.confidential)
    if type_ == "MergeRequest":
        state = _snapshot(blocks, type_, record_id, project_id)
        late = merge_requests.last_commit(state, "merge_request")
        return {"merge_request": merge_requests.attributes(blocks, state)}, late, False
    if type_ == "Commit" and sha is not None:
        late = [{"kind": "commit", "at": ["commit"], "project_id": project_id, "sha": sha}]
        return {"commit": None}, late, False
    if type_ == "Snippet":
        return {"snippet": _snippet(blocks, record_id or 0)}, [], False
    return {}, [], False


def _snippet(blocks: Blocks, snippet_id: int) -> Payload:
    row = blocks.row(snippets, snippet_id)
    first = blocks.tx.execute(
        select(snippet_files)
        .where(snippet_files.c.snippet_id == snippet_id)
        .order_by(snippet_files.c.position, snippet_files.c.path)
        .limit(1)
    ).one_or_none()
    return {
        "id": row.id,
        "title": row.title,
        "description": row.description,
        "content": first.content if first is not None else "",
        "author_id": row.author_id,
        "project_id": row.project_id,
        "created_at": moment(row.created_at),
        "updated_at": moment(row.updated_at),
        "file_name": first.path if first is not None else "",
        "type": "ProjectSnippet",
        "visibility_level": row.visibility,
        "url": f"{blocks.project_url(row.project_id)}/-/snippets/{row.id}",
    }


def conversation(type_: str, record_id: int | None, project_id: int, sha: str | None) -> str:
    """The subject of comments and reactions: that of the record itself, so that no answer arrives before it."""
    return issuable_subject(type_, record_id) if record_id else f"{type_}:{project_id}:{sha}"


def messages(blocks: Blocks, change: Change) -> list[Message]:
    """The message of a new or changed comment."""
    row: NoteRow = blocks.row(notes, change.record_id)
    project_id = change.project_id or 0
    block, late, is_confidential = commented(blocks, row.noteable_type, row.noteable_id, project_id, row.commit_id)
    hidden = is_confidential or row.internal
    action = "create" if change.action == "test" else change.action
    payload: Payload = {
        "object_kind": "note",
        "event_type": "confidential_note" if hidden else "note",
        "user": blocks.user(row.author_id),
        "project_id": project_id,
        "project": blocks.project(project_id),
        "object_attributes": {**note_attributes(blocks, row), "action": action},
        "repository": blocks.repository(project_id),
        **block,
    }
    flag = "confidential_note_events" if hidden else "note_events"
    subject = conversation(row.noteable_type, row.noteable_id, project_id, row.commit_id)
    return [Message(flag, subject, payload, late_parts=late)]


class SampleAward(NamedTuple):
    """A reaction to a comment that nobody gave."""

    awardable_id: int
    user_id: int
    created_at: datetime
    updated_at: datetime
    id: int = 1
    name: str = "thumbsup"
    awardable_type: str = "Note"


def emoji_messages(blocks: Blocks, change: Change) -> list[Message]:
    """The message of a reaction that was given or taken back."""
    given = change.details.get("award")
    row = given if isinstance(given, SampleAward) else blocks.row(award_emoji, change.record_id)
    if row is None:
        return []
    type_, record_id, sha, hidden = row.awardable_type, row.awardable_id, None, False
    note: Payload = {}
    if type_ == "Note":
        comment: NoteRow = blocks.row(notes, row.awardable_id)
        type_, record_id, sha = comment.noteable_type, comment.noteable_id, comment.commit_id
        note, hidden = {"note": note_attributes(blocks, comment)}, comment.internal
    project_id = _project_of(blocks.tx, row.awardable_type, row.awardable_id)
    if project_id is None:
        return []
    block, late, is_confidential = commented(blocks, type_, record_id, project_id, sha)
    if "snippet" in block:
        block = {"project_snippet": block["snippet"]}
    if hidden or is_confidential:
        return []  # no switch of hooks is for reactions that only some may see
    url = next((part["url"] for part in (*note.values(), *block.values())), "")
    payload: Payload = {
        "object_kind": "emoji",
        "event_type": change.action,
        "user": blocks.user(row.user_id),
        "project_id": project_id,
        "project": blocks.project(project_id),
        "object_attributes": {
            "id": row.id,
            "user_id": row.user_id,
            "name": row.name,
            "awardable_type": row.awardable_type,
            "awardable_id": row.awardable_id,
            "created_at": moment(row.created_at),
            "updated_at": moment(row.updated_at),
            "action": change.action,
            "awarded_on_url": url,
        },
        **note,
        **block,
    }
    return [Message("emoji_events", conversation(type_, record_id, project_id, sha), payload, late_parts=late)]


def project_of_award(tx: Connection, award_id: int) -> int | None:
    """Where a reaction was given; None where no project has the record."""
    row = tx.execute(select(award_emoji).where(award_emoji.c.id == award_id)).one_or_none()
    return None if row is None else _project_of(tx, row.awardable_type, row.awardable_id)


def _project_of(tx: Connection, type_: str, record_id: int) -> int | None:
    kind = find_kind(type_)
    table = {"Note": notes, "Snippet": snippets}.get(type_) if kind is None else kind.table
    if table is None:
        return None
    query = select(table.c.project_id).where(table.c.id == record_id)
    project_id: int | None = tx.execute(query).scalar_one_or_none()
    return project_id
