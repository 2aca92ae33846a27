"""Interpreting quick actions: changes in the parameters of the update endpoint, and other effects."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, TypedDict, Unpack

import msgspec
from sqlalchemy import Connection

from ingot.features.planning.issuables import get_kind
from ingot.features.planning.quick_actions.parsing import Command
from ingot.features.planning.quick_actions.reasons import NOT_ALLOWED, reason_of


class Subject(msgspec.Struct, frozen=True):
    """The current issuable, and the caller's rights."""

    type: str
    project: Any
    title: str
    assignees: Sequence[int]
    reviewers: Sequence[int]
    user_id: int
    may_update: bool
    manages: bool

    @property
    def noun(self) -> str:
        """Its name in texts."""
        return get_kind(self.type).title


class SpentTime(TypedDict, total=False):
    """Seconds, or `reset`, and the day."""

    duration: int | str
    spent_at: date | None


class Extras(TypedDict, total=False):
    """Effects outside the issuable: time, to-do items, subscription, reactions, reviews."""

    time_estimate: int
    spend_time: SpentTime
    todo_event: str
    subscription_event: str
    emoji_award: str
    merge: bool
    asked_again: list[int]  # reviewers of whom another review is wanted


class Outcome(msgspec.Struct):
    """`given`: for the update; `extras`: the rest; `changes` and `summary`: for the answer; `reasons`: for people."""

    given: dict[str, Any] = msgspec.field(default_factory=dict)
    extras: Extras = msgspec.field(default_factory=Extras)
    changes: dict[str, Any] = msgspec.field(default_factory=dict)
    summary: list[str] = msgspec.field(default_factory=list)
    reasons: dict[str, str] = msgspec.field(default_factory=dict)  # why not, by the sentences of the summary

    def edit(self, summary: str, **given: object) -> None:
        """A change of the issuable itself."""
        self.given |= given
        self.changes |= given
        self.summary.append(summary)

    def aside(self, summary: str, **extras: Unpack[Extras]) -> None:
        """An effect outside the issuable: time, to-do items, subscription, reactions."""
        self.extras.update(extras)
        self.changes.update(extras)
        self.summary.append(summary)

    def refuse(self, name: str, reason: str) -> None:
        """A command that does nothing."""
        sentence = f"Could not apply {name} command."
        self.summary.append(sentence)
        self.reasons[sentence] = reason

    def words(self) -> list[str]:
        """The summary, with the reasons."""
        return [
            f"{text.removesuffix('.')}: {self.reasons[text]}." if text in self.reasons else text
            for text in self.summary
        ]


Reader = Callable[[Connection, Subject, Outcome, str], bool]
_readers: dict[str, tuple[str, Reader]] = {}


def action(right: str, *words: str) -> Callable[[Reader], Reader]:
    """Register how a word is read; `right`: `update`, `manage`, or `anyone`."""

    def register(reader: Reader) -> Reader:
        for word in words:
            _readers[word] = (right, reader)
        return reader

    return register


def people_of(given: Mapping[str, object]) -> dict[str, Any]:
    """The changes that depend on the current assignees and reviewers."""
    return {name: given[name] for name in ("assignee_ids", "reviewer_ids") if name in given}


def interpret(conn: Connection, subject: Subject, commands: Sequence[Command]) -> Outcome:
    """Read the commands in order; commands that are invalid or not permitted do nothing."""
    outcome = Outcome()
    for command in commands:
        right, reader = _readers[command.name]
        allowed = {"update": subject.may_update, "manage": subject.manages, "anyone": True}[right]
        if not (allowed and reader(conn, subject, outcome, command.argument)):
            outcome.refuse(command.name, reason_of(command.name) if allowed else NOT_ALLOWED)
    return outcome
