"""Quick actions that edit the issuable itself: state, texts, people, labels, milestone, dates."""

from sqlalchemy import Connection

from ingot.features.planning.issuables import with_draft, without_draft
from ingot.features.planning.quick_actions import names
from ingot.features.planning.quick_actions.interpreting import Outcome, Reader, Subject, action


@action("update", "close")
def _close(_conn: Connection, subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.edit(f"Closed this {subject.noun}.", state_event="close")
    return True


@action("update", "reopen")
def _reopen(_conn: Connection, subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.edit(f"Reopened this {subject.noun}.", state_event="reopen")
    return True


@action("update", "title")
def _title(_conn: Connection, _subject: Subject, outcome: Outcome, text: str) -> bool:
    if not text or len(text) > 255:
        return False
    outcome.edit(f'Changed the title to "{text}".', title=text)
    return True


@action("update", "draft")
def _draft(_conn: Connection, subject: Subject, outcome: Outcome, _text: str) -> bool:
    title = with_draft(outcome.given.get("title", subject.title))
    outcome.edit("Marked this merge request as a draft.", title=title[:255])
    return True


@action("update", "ready")
def _ready(_conn: Connection, subject: Subject, outcome: Outcome, _text: str) -> bool:
    title = without_draft(outcome.given.get("title", subject.title))
    if not title:
        return False
    outcome.edit("Marked this merge request as ready.", title=title)
    return True


@action("update", "target_branch")
def _target_branch(_conn: Connection, _subject: Subject, outcome: Outcome, text: str) -> bool:
    if not text:
        return False
    outcome.edit(f"Set target branch to {text}.", target_branch=text)
    return True


@action("manage", "lock")
def _lock(_conn: Connection, _subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.edit("Locked the discussion.", discussion_locked=True)
    return True


@action("manage", "unlock")
def _unlock(_conn: Connection, _subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.edit("Unlocked the discussion.", discussion_locked=False)
    return True


@action("manage", "label")
def _label(conn: Connection, subject: Subject, outcome: Outcome, text: str) -> bool:
    result = names.labels_in(conn, subject.project, text)
    if not result:
        return False
    all_labels = [*outcome.given.get("add_labels", []), *result]
    shown = " ".join(f"~{name}" for name in result)
    outcome.edit(f"Added {shown} {'label' if len(result) == 1 else 'labels'}.", add_labels=all_labels)
    return True


@action("manage", "unlabel")
def _unlabel(conn: Connection, subject: Subject, outcome: Outcome, text: str) -> bool:
    if not text:
        outcome.edit("Removed all labels.", labels=[])
        return True
    result = names.labels_in(conn, subject.project, text)
    if not result:
        return False
    gone = [*outcome.given.get("remove_labels", []), *result]
    shown = " ".join(f"~{name}" for name in result)
    outcome.edit(f"Removed {shown} {'label' if len(result) == 1 else 'labels'}.", remove_labels=gone)
    return True


@action("manage", "relabel")
def _relabel(conn: Connection, subject: Subject, outcome: Outcome, text: str) -> bool:
    result = names.labels_in(conn, subject.project, text)
    if not result:
        return False
    outcome.edit("Replaced all labels.", labels=result)
    return True


def _sentence(words: list[str]) -> str:
    """`@a`, `@a and @b`, `@a, @b, and @c`."""
    if len(words) < 3:
        return " and ".join(words)
    return f"{', '.join(words[:-1])}, and {words[-1]}"


def _people(role: str, how: str) -> Reader:
    """`how`: add, remove or replace."""
    key = f"{role}_ids"

    def read(conn: Connection, subject: Subject, outcome: Outcome, text: str) -> bool:
        before = subject.assignees if role == "assignee" else subject.reviewers
        current = list(outcome.given.get(key, before))
        result = names.users_in(conn, text, subject.user_id)
        if how == "remove" and not text:
            result = names.usernames_of(conn, current)
        if not result:
            return False
        ids, shown = list(result.values()), _sentence([f"@{name}" for name in result])
        nouns = role if len(ids) == 1 else f"{role}s"
        match how:
            case "add":
                summary = f"Assigned {shown}." if role == "assignee" else f"Assigned {shown} as {nouns}."
                chosen = [*current, *(one for one in ids if one not in current)]
            case "remove":
                summary, chosen = f"Removed {nouns} {shown}.", [one for one in current if one not in ids]
            case _:
                summary, chosen = f"Changed {role}(s).", ids
        outcome.edit(summary, **{key: chosen})
        return True

    return read


for _role, _suffix in (("assignee", ""), ("reviewer", "_reviewer")):
    for _how, _verb in (("add", "assign"), ("remove", "unassign"), ("replace", "reassign")):
        action("manage", f"{_verb}{_suffix}")(_people(_role, _how))


@action("manage", "request_review")
def _request_review(conn: Connection, subject: Subject, outcome: Outcome, text: str) -> bool:
    """As `assign_reviewer`; who is a reviewer already is asked once more."""
    if not _people("reviewer", "add")(conn, subject, outcome, text):
        return False
    asked = names.users_in(conn, text, subject.user_id)
    again = [user_id for user_id in asked.values() if user_id in subject.reviewers]
    if again:
        outcome.extras["asked_again"] = again
    if len(again) == len(asked):
        outcome.summary[-1] = f"Requested a review from {_sentence([f'@{name}' for name in asked])}."
    return True


@action("manage", "milestone")
def _milestone(conn: Connection, subject: Subject, outcome: Outcome, text: str) -> bool:
    result = names.milestone_in(conn, subject.project, text)
    if result is None:
        return False
    outcome.edit(f"Set the milestone to %{result.title}.", milestone_id=result.id)
    return True


@action("manage", "remove_milestone")
def _remove_milestone(_conn: Connection, _subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.edit("Removed milestone.", milestone_id=None)
    return True


@action("manage", "due")
def _due(_conn: Connection, _subject: Subject, outcome: Outcome, text: str) -> bool:
    day = names.day_in(text)
    if day is None:
        return False
    outcome.edit(f"Set the due date to {day.isoformat()}.", due_date=day)
    return True


@action("manage", "remove_due_date")
def _remove_due(_conn: Connection, _subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.edit("Removed the due date.", due_date=None)
    return True


@action("manage", "weight")
def _weight(_conn: Connection, _subject: Subject, outcome: Outcome, text: str) -> bool:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        return False
    outcome.edit(f"Set weight to {int(text)}.", weight=int(text))
    return True


@action("manage", "clear_weight")
def _clear_weight(_conn: Connection, _subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.edit("Cleared weight.", weight=None)
    return True


@action("manage", "confidential")
def _confidential(_conn: Connection, _subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.edit("Made this issue confidential.", confidential=True)
    return True
