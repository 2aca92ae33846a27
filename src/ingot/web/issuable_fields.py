"""Fields that issues and merge requests have in common: people by name, labels, milestone, dates."""

from collections.abc import Sequence
from typing import Any

from ingot.features.planning.issuables import find_kind
from ingot.kit.errors import Unprocessable
from ingot.web.answers import Issuable, Named
from ingot.web.call import PageCall
from ingot.web.commenting import may_attach
from ingot.web.sending import text

NOBODY = "0"  # what the API takes as "none"
MOST_PEOPLE = 100  # each is looked up
TEXTS = ("title", "description", "labels", "assignees", "reviewers", "milestone_id", "due_date")


def field_values(call: PageCall) -> dict[str, Any]:
    """What the form of a new one shows: as it was sent, else nothing."""
    return {**dict.fromkeys(TEXTS, ""), **(typed_values(call) if call.request.method == "POST" else {})}


def shown_values(record: Issuable) -> dict[str, Any]:
    """What the form of an existing one shows."""
    milestone = record["milestone"]
    return {
        "title": record["title"], "description": record["description"] or "", "labels": ", ".join(record["labels"]),
        "assignees": _names(record["assignees"]), "reviewers": _names(record.get("reviewers", ())),
        "milestone_id": str(milestone["id"]) if milestone else "", "due_date": record.get("due_date") or "",
        "discussion_locked": bool(record.get("discussion_locked")),
    }  # fmt: skip


def typed_values(call: PageCall) -> dict[str, Any]:
    """The same as they were sent; who may not set all of them sees fewer fields."""
    typed: dict[str, Any] = {name: text(call, name) for name in TEXTS if name in call.values}
    return typed | ({"discussion_locked": "discussion_locked" in call.values} if "offers_lock" in call.values else {})


def sent_fields(call: PageCall, *, dates: bool) -> dict[str, Any]:
    """The fields that were sent, as the API takes them; who may not set them sees no fields."""
    description = str(call.values.get("description", "")).replace("\r\n", "\n")
    return {"title": text(call, "title"), "description": description, **planned_fields(call, dates=dates)}


def planned_fields(call: PageCall, *, dates: bool) -> dict[str, Any]:
    """As `sent_fields`, without the texts."""
    result: dict[str, Any] = {}
    if "labels" in call.values:
        result["labels"] = text(call, "labels")
    for name, parameter in (("assignees", "assignee_ids"), ("reviewers", "reviewer_ids")):
        if name in call.values:
            result[parameter] = ids_of(call, text(call, name)) or [NOBODY]
    if "milestone_id" in call.values:
        result["milestone_id"] = text(call, "milestone_id") or NOBODY
    if dates and "due_date" in call.values:
        result["due_date"] = text(call, "due_date")
    if "offers_lock" in call.values:
        result["discussion_locked"] = "discussion_locked" in call.values
    return result


def offered_fields(call: PageCall, **of_project: object) -> dict[str, object]:
    """What the form offers: of the project or group, or another project where its `id` is given."""
    # A file belongs to the project that it was uploaded to.
    return {**planning_choices(call, **of_project), "can_attach": not of_project and may_attach(call)}


def planning_choices(call: PageCall, **of_project: object) -> dict[str, object]:
    """The milestones, people and labels to choose from."""
    place = "/groups/:id" if call.group_or_none is not None and not of_project else "/projects/:id"
    milestones = call.ask_columns(
        f"{place}/milestones", ("id", "title"), state="active", include_ancestors=True, per_page="100", **of_project
    )
    members = call.ask_columns(f"{place}/members/all", ("username",), per_page="100", **of_project)
    labels = call.ask_columns(f"{place}/labels", ("name",), per_page="100", **of_project)
    return {
        "milestones": milestones, "member_names": [row["username"] for row in members],
        "label_names": [row["name"] for row in labels],
    }  # fmt: skip


def may_track_time(call: PageCall, kind: str) -> bool:
    """The visitor may say how long it takes."""
    issuable = find_kind(kind)
    return issuable is not None and issuable.may_track_time(call.actor, call.project)


def _names(people: Sequence[Named]) -> str:
    return ", ".join(person["username"] for person in people)


def split_names(names: str) -> list[str]:
    """Names with commas between."""
    parts = (part.strip().removeprefix("@") for part in names.split(","))
    return [name for name in dict.fromkeys(parts) if name]


def ids_of(call: PageCall, names: str) -> list[str]:
    """The ids of people who are named with commas between; 422 for a name that nobody has."""
    wanted = split_names(names)
    if len(wanted) > MOST_PEOPLE:
        raise Unprocessable(f"You can name at most {MOST_PEOPLE} people.")
    result = []
    for name in wanted:
        rows = call.ask("/users", username=name)
        if not rows:
            raise Unprocessable(f"There is no user named {name}.")
        result.append(str(rows[0]["id"]))
    return result
