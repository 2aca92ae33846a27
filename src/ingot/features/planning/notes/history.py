"""System notes about changes of an issuable: the difference of two snapshots."""

from datetime import date
from typing import Protocol

from sqlalchemy import Connection

from ingot.features.planning.issuable_changes import Snapshot
from ingot.features.planning.issuables import IssuableRow, Target, get_kind
from ingot.features.planning.notes.system import add_system_note
from ingot.kit.changes import Change, report_change


class RequestRow(IssuableRow, Protocol):
    """Reported fields that only merge requests have."""

    is_draft: bool
    target_branch: str


class PlannedRow(IssuableRow, Protocol):
    """Reported fields that only issues have."""

    confidential: bool
    due_date: date | None
    weight: int | None


def record_changes(tx: Connection, target: Target, user_id: int | None, before: Snapshot, after: Snapshot) -> None:
    """One system note per kind of change; the followers of changes are called too."""
    for action, body in _sentences(target, before, after):
        add_system_note(tx, target, user_id, action, body)
    states = {"before": before, "after": after}
    word = get_kind(target.type).word
    report_change(tx, Change(word, "update", target.id, project_id=target.project_id, user_id=user_id, details=states))


def _sentences(target: Target, before: Snapshot, after: Snapshot) -> list[tuple[str, str]]:
    is_request = target.type == "MergeRequest"
    texts = [
        *(_request_texts(before.row, after.row) if is_request else _texts(before.row, after.row)),
        *_lock(before.row, after.row, get_kind(target.type).title),
        *(_issue_marks(before.row, after.row) if target.type == "Issue" else ()),
        ("label", _labels(before.labels, after.labels)),
        ("assignee", _sets(before.assignees, after.assignees, "assigned to", "unassigned")),
        ("reviewer", _sets(before.reviewers, after.reviewers, "requested review from", "removed review request for")),
    ]
    if before.milestone != after.milestone:
        texts.append(
            ("milestone", f"changed milestone to %{after.milestone}" if after.milestone else "removed milestone")
        )
    return [(action, body) for action, body in texts if body]


def _texts(old: IssuableRow, new: IssuableRow) -> list[tuple[str, str]]:
    texts = []
    if old.title != new.title:
        texts.append(("title", f"changed title from **{old.title}** to **{new.title}**"))
    if (old.description or "") != (new.description or ""):
        texts.append(("description", "changed the description"))
    return texts


def _request_texts(old: RequestRow, new: RequestRow) -> list[tuple[str, str]]:
    texts = _texts(old, new)
    if old.is_draft != new.is_draft:
        mark = f"marked this merge request as **{'draft' if new.is_draft else 'ready'}**"
        texts = [("title", mark), *(one for one in texts if one[0] != "title")]
    if old.target_branch != new.target_branch:
        texts.append(("branch", f"changed target branch from `{old.target_branch}` to `{new.target_branch}`"))
    return texts


def _lock(old: IssuableRow, new: IssuableRow, noun: str) -> list[tuple[str, str]]:
    if bool(old.discussion_locked) == bool(new.discussion_locked):
        return []
    word = "locked" if new.discussion_locked else "unlocked"
    return [(word, f"{word} the discussion in this {noun}")]


def _issue_marks(old: PlannedRow, new: PlannedRow) -> list[tuple[str, str]]:
    texts = []
    if old.confidential != new.confidential:
        body = "made the issue confidential" if new.confidential else "made the issue visible to everyone"
        texts.append(("confidential" if new.confidential else "visible", body))
    if old.due_date != new.due_date:
        texts.append(("due_date", f"changed due date to {_day(new.due_date)}" if new.due_date else "removed due date"))
    if old.weight != new.weight:
        texts.append(("weight", "removed the weight" if new.weight is None else f"set weight to **{new.weight}**"))
    return texts


def _day(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"


def _labels(old: dict[int, str], new: dict[int, str]) -> str:
    parts = []
    for verb, ids in (("added", new.keys() - old.keys()), ("removed", old.keys() - new.keys())):
        if ids:
            named = " ".join(f"~{label_id}" for label_id in sorted(ids))
            parts.append(f"{verb} {named} {'label' if len(ids) == 1 else 'labels'}")
    return " and ".join(parts)


def _sets(old: dict[int, str], new: dict[int, str], added: str, removed: str) -> str:
    parts = []
    for verb, names in (
        (added, [name for key, name in new.items() if key not in old]),
        (removed, [name for key, name in old.items() if key not in new]),
    ):
        if names:
            parts.append(f"{verb} " + " and ".join(f"@{name}" for name in names))
    return " and ".join(parts)
