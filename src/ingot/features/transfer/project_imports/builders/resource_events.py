"""When labels and milestones were added to issues and merge requests, and removed."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from ingot.features.planning.resource_events import resource_label_events, resource_milestone_events
from ingot.features.transfer.project_imports.builders.labels import label_id
from ingot.features.transfer.project_imports.builders.milestones import milestone_id
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import moment_or, one, records

ACTIONS = ("add", "remove")
STATES = ("opened", "closed", "merged", "locked")
Children = list[dict[str, object]]


def build_resource_events(
    context: ImportContext, tx: Connection, column: str, owner_id: int, record: Mapping[str, object]
) -> tuple[dict[str, Children], dict[str, Any]]:
    """Store the events of an issue or merge request.

    Returns those without a place, by the name of their list, and what of the others has none, as `keep_rest` takes it.
    """
    stored: dict[str, Children] = {"resource_label_events": [], "resource_milestone_events": []}
    unplaced: dict[str, Children] = {name: [] for name in stored}
    for child in records(record, "resource_label_events"):
        if child.get("action") not in ACTIONS:
            unplaced["resource_label_events"].append(child)
            continue
        label = one(child, "label")
        chosen = None if label is None else label_id(context, tx, label)
        values = {**_common(context, child), column: owner_id, "label_id": chosen}
        context.add(tx, resource_label_events, values)
        stored["resource_label_events"].append(child)
    for child in records(record, "resource_milestone_events"):
        milestone = one(child, "milestone")
        if milestone is None or child.get("action") not in ACTIONS or child.get("state") not in STATES:
            unplaced["resource_milestone_events"].append(child)
            continue
        target = milestone_id(context, tx, milestone)
        values = {**_common(context, child), column: owner_id, "milestone_id": target, "state": child["state"]}
        context.add(tx, resource_milestone_events, values)
        stored["resource_milestone_events"].append(child)
    rest: dict[str, Any] = {}
    for name, children in stored.items():
        # Unplaced events are written first, so they count in the places of the others.
        rest |= context.rest_of(name, [*({} for _ in unplaced[name]), *children])
    return unplaced, rest


def _common(context: ImportContext, child: Mapping[str, object]) -> dict[str, Any]:
    return {
        "user_id": context.people.of(child.get("user_id")),
        "action": child["action"],
        "created_at": moment_or(child, "created_at", context.started),
    }
