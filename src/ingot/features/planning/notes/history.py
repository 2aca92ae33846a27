"""What changed about an issuable, as system notes: the difference of two snapshots."""

from datetime import date
from typing import Any

from sqlalchemy import Connection

from ingot.features.planning.issuable_changes import Snapshot
from ingot.features.planning.issuables import Target, get_kind
from ingot.features.planning.notes.system import add_system_note


def record_changes(tx: Connection, target: Target, user_id: int | None, before: Snapshot, after: Snapshot) -> None:
    """One system note per kind of change."""
    for action, body in _sentences(target, before, after):
        add_system_note(tx, target, user_id, action, body)


def _sentences(target: Target, before: Snapshot, after: Snapshot) -> list[tuple[str, str]]:
    told = [
        *_texts(before.row, after.row, target),
        *_marks(before.row, after.row, target),
        ("label", _labels(before.labels, after.labels)),
        ("assignee", _sets(before.assignees, after.assignees, "assigned to", "unassigned")),
        ("reviewer", _sets(before.reviewers, after.reviewers, "requested review from", "removed review request for")),
    ]
    if before.milestone != after.milestone:
        told.append(
            ("milestone", f"changed milestone to %{after.milestone}" if after.milestone else "removed milestone")
        )
    return [(action, body) for action, body in told if body]


def _texts(old: Any, new: Any, target: Target) -> list[tuple[str, str]]:
    told = []
    is_draft = getattr(new, "is_draft", False)
    if is_draft != getattr(old, "is_draft", False):
        told.append(("title", f"marked this merge request as **{'draft' if is_draft else 'ready'}**"))
    elif old.title != new.title:
        told.append(("title", f"changed title from **{old.title}** to **{new.title}**"))
    if (old.description or "") != (new.description or ""):
        told.append(("description", "changed the description"))
    if target.type == "MergeRequest" and old.target_branch != new.target_branch:
        told.append(("branch", f"changed target branch from `{old.target_branch}` to `{new.target_branch}`"))
    return told


def _marks(old: Any, new: Any, target: Target) -> list[tuple[str, str]]:
    told = []
    noun = get_kind(target.type).title
    if bool(old.discussion_locked) != bool(new.discussion_locked):
        word = "locked" if new.discussion_locked else "unlocked"
        told.append((word, f"{word} the discussion in this {noun}"))
    if target.type == "Issue":
        if old.confidential != new.confidential:
            body = "made the issue confidential" if new.confidential else "made the issue visible to everyone"
            told.append(("confidential" if new.confidential else "visible", body))
        if old.due_date != new.due_date:
            told.append(
                ("due_date", f"changed due date to {_day(new.due_date)}" if new.due_date else "removed due date")
            )
        if old.weight != new.weight:
            told.append(("weight", "removed the weight" if new.weight is None else f"set weight to **{new.weight}**"))
    return told


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
