"""The facts beside an issue or merge request, each with a form of its own."""

from collections.abc import Callable, Mapping

import msgspec

from ingot.kit.durations import parse
from ingot.kit.errors import Invalid
from ingot.web.answers import Issuable
from ingot.web.call import PageCall, View
from ingot.web.issuable_fields import planning_choices, shown_values, split_names
from ingot.web.sending import text

TIER_OF_WEIGHTS = "premium"
# By the field of the form: what the page says of it.
WORDS = {
    "assignees": "Assignees", "reviewers": "Reviewers", "labels": "Labels", "milestone_id": "Milestone",
    "due_date": "Due date", "weight": "Weight",
}  # fmt: skip


class RefusedForm(msgspec.Struct, frozen=True):
    """A form of the page as it was filled, and why it was not saved so."""

    name: str
    typed: Mapping[str, str]
    problem: str

    @property
    def is_beside(self) -> bool:
        """It is one of the forms beside the text."""
        return self.name in (*WORDS, "time", "block")


def page_with(call: PageCall, show: Callable[[PageCall], View], refused: RefusedForm, status: int) -> View:
    """The page that the form is on, with the form open as it was filled, and the part of the discussion shown."""
    threads = text(call, "threads")
    call.values = {"threads": threads} if threads else {}
    view = show(call)
    view.data["refused"] = refused
    return msgspec.structs.replace(view, status=status)


def sent_fact(call: PageCall) -> str:
    """The fact whose form was sent; empty for none."""
    return next((name for name in WORDS if name in call.values), "")


def fact_in(record: Issuable, fact: str) -> object:
    """What the form of a fact shows."""
    weight = record.get("weight")
    return {**shown_values(record), "weight": "" if weight is None else weight}[fact]


def side_choices(call: PageCall, *, can_plan: bool) -> dict[str, object]:
    """What the forms offer, for those who see them."""
    is_shown = can_plan and call.session is not None
    weighs = call.services.settings.has_tier(TIER_OF_WEIGHTS)
    return {"can_plan": is_shown, "weighs": weighs, **(planning_choices(call) if is_shown else {})}


def left_out(call: PageCall, fact: str, record: Issuable) -> str:
    """What the API passed over of the names that were typed, as a sentence: it takes those that fit."""
    if fact not in ("assignees", "reviewers", "labels"):
        return ""
    taken = {name.lower() for name in split_names(shown_values(record)[fact])}
    names = [name for name in split_names(text(call, fact)) if name.lower() not in taken]
    return f"Saved without {', '.join(names)}, because they cannot be selected here." if names else ""


def check_times(estimate: str, spent: str) -> None:
    """Refuse an estimate or a time spent that cannot be read, before either is saved."""
    problems = {}
    estimated = parse(estimate) if estimate else 0
    if estimated is None or estimated < 0:
        problems["estimate"] = ["Estimate must be a duration, such as 1d 4h."]
    if spent and not parse(spent):
        problems["spent"] = ["Time spent must be a duration, such as 1h 30m."]
    elif not estimate and not spent:
        problems["estimate"] = ["Enter an estimate or time spent."]
    if problems:
        raise Invalid(problems)
