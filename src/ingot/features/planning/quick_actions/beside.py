"""Quick actions that do not edit the issuable: time, to-do items, subscription, reactions, merging."""

from sqlalchemy import Connection

from ingot.features.planning.quick_actions import names
from ingot.features.planning.quick_actions.interpreting import Outcome, SpentTime, Subject, action
from ingot.kit.durations import human, parse


@action("manage", "estimate")
def _estimate(_conn: Connection, _subject: Subject, outcome: Outcome, text: str) -> bool:
    seconds = parse(text)
    if seconds is None or seconds < 0:
        return False
    outcome.aside(f"Set time estimate to {human(seconds) or '0h'}.", time_estimate=seconds)
    return True


@action("manage", "remove_estimate")
def _remove_estimate(_conn: Connection, _subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.aside("Removed time estimate.", time_estimate=0)
    return True


@action("manage", "spend")
def _spend(_conn: Connection, _subject: Subject, outcome: Outcome, text: str) -> bool:
    duration, day = names.spent_in(text)
    seconds = parse(duration)
    if not seconds:
        return False
    spent: SpentTime = {"duration": seconds}
    if day is not None:
        spent["spent_at"] = day
    verb = "Added" if seconds > 0 else "Subtracted"
    outcome.aside(f"{verb} {human(abs(seconds))} spent time.", spend_time=spent)
    return True


@action("manage", "remove_time_spent")
def _remove_spent(_conn: Connection, _subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.aside("Removed spent time.", spend_time={"duration": "reset"})
    return True


@action("anyone", "todo")
def _todo(_conn: Connection, _subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.aside("Added a to-do item.", todo_event="add")
    return True


@action("anyone", "done")
def _done(_conn: Connection, _subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.aside("Marked to-do item as done.", todo_event="done")
    return True


@action("anyone", "subscribe")
def _subscribe(_conn: Connection, subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.aside(f"Subscribed to this {subject.noun}.", subscription_event="subscribe")
    return True


@action("anyone", "unsubscribe")
def _unsubscribe(_conn: Connection, subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.aside(f"Unsubscribed from this {subject.noun}.", subscription_event="unsubscribe")
    return True


@action("anyone", "award")
def _award(_conn: Connection, _subject: Subject, outcome: Outcome, text: str) -> bool:
    name = names.emoji_in(text)
    if name is None:
        return False
    outcome.aside(f"Toggled :{name}: emoji award.", emoji_award=name)
    return True


@action("anyone", "cc")
def _cc(_conn: Connection, _subject: Subject, _outcome: Outcome, _text: str) -> bool:
    return True


@action("anyone", "merge")
def _merge(_conn: Connection, _subject: Subject, outcome: Outcome, _text: str) -> bool:
    outcome.aside("Scheduled to merge this merge request.", merge=True)
    return True
