"""Changing labels, and resolving names to labels (missing ones are created where the caller may)."""

from collections.abc import Iterable
from typing import Any, TypedDict

from sqlalchemy import Connection, delete, insert, select, update

from ingot.access.rows import ProjectRow
from ingot.access.tables import namespace_ancestors, projects
from ingot.features.planning.issuables import kinds
from ingot.features.planning.labels.colors import DEFAULT, read_color
from ingot.features.planning.labels.queries import usable_in_project
from ingot.features.planning.labels.rows import LabelRow
from ingot.features.planning.labels.tables import label_priorities, label_subscriptions, labels
from ingot.kit.changes import Change, report_change_now
from ingot.kit.clock import now
from ingot.kit.errors import Conflict, Invalid, NotModified


def checked_color(text: str) -> str:
    """The stored form, or 400."""
    color = read_color(text)
    if color is None:
        raise Invalid({"color": ["must be a valid color code"]})
    return color


def checked_name(text: str) -> str:
    """A usable label name, or 400."""
    name = text.strip()
    if not name:
        raise Invalid({"title": ["can't be blank"]})
    if "," in name:
        raise Invalid({"title": ["is invalid"]})
    if len(name) > 255:
        raise Invalid({"title": ["is too long (maximum is 255 characters)"]})
    return name


def create_label(
    tx: Connection,
    name: str,
    color: str,
    description: str | None,
    *,
    project: ProjectRow | None = None,
    group_id: int | None = None,
) -> int:
    """A new label of a project or a group."""
    name = checked_name(name)
    taken = usable_in_project(project) if project is not None else labels.c.group_id == group_id
    if tx.execute(select(labels.c.id).where(taken, labels.c.name == name)).first() is not None:
        raise Conflict("Label already exists")
    moment = now()
    values = {
        "project_id": project.id if project is not None else None,
        "group_id": group_id,
        "name": name,
        "color": checked_color(color),
        "description": description,
        "created_at": moment,
        "updated_at": moment,
    }
    return int(tx.execute(insert(labels).values(values).returning(labels.c.id)).scalar_one())


class LabelChanges(TypedDict, total=False):
    """What was sent to change a label."""

    new_name: str | None
    color: str | None
    description: str | None


def update_label(tx: Connection, label: LabelRow, changes: LabelChanges) -> None:
    """Change name, colour or description."""
    values: dict[str, Any] = {"updated_at": now()}
    name, color = changes.get("new_name"), changes.get("color")
    if name is not None:
        values["name"] = checked_name(name)
        owner = labels.c.project_id == label.project_id if label.project_id else labels.c.group_id == label.group_id
        same_name = select(labels.c.id).where(owner, labels.c.name == values["name"], labels.c.id != label.id)
        if tx.execute(same_name).first() is not None:
            raise Invalid({"title": ["has already been taken"]})
    if color is not None:
        values["color"] = checked_color(color)
    if "description" in changes:
        values["description"] = changes["description"]
    tx.execute(update(labels).where(labels.c.id == label.id).values(values))


def set_priority(tx: Connection, project_id: int, label_id: int, priority: int | None) -> None:
    """Set the priority of a label in a project; None removes it."""
    tx.execute(
        delete(label_priorities).where(
            label_priorities.c.project_id == project_id, label_priorities.c.label_id == label_id
        )
    )
    if priority is not None:
        tx.execute(insert(label_priorities).values(project_id=project_id, label_id=label_id, priority=priority))


def delete_label(tx: Connection, label_id: int) -> None:
    """Delete a label and remove it from everything."""
    tx.execute(delete(labels).where(labels.c.id == label_id))


def set_subscription(tx: Connection, user_id: int, label_id: int, *, subscribed: bool) -> None:
    """Subscribe or unsubscribe; 304 if nothing changes."""
    own_row = (label_subscriptions.c.user_id == user_id) & (label_subscriptions.c.label_id == label_id)
    is_subscribed = tx.execute(select(label_subscriptions.c.label_id).where(own_row)).first() is not None
    if is_subscribed == subscribed:
        raise NotModified
    if subscribed:
        tx.execute(insert(label_subscriptions).values(user_id=user_id, label_id=label_id))
    else:
        tx.execute(delete(label_subscriptions).where(own_row))


def promote(tx: Connection, label: LabelRow, group_id: int) -> int:
    """Promote a project label to a group label; labels of the same name below the group are merged into it."""
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group_id)
    same = tx.execute(
        select(labels.c.id).where(
            labels.c.name == label.name,
            labels.c.project_id.in_(select(projects.c.id).where(projects.c.namespace_id.in_(below))),
        )
    ).scalars()
    folded = [label_id for label_id in same if label_id != label.id]
    for kind in kinds():
        links, column = kind.labels, kind.key
        labelled = select(links.c[column]).where(links.c.label_id == label.id)
        moved = select(links.c[column]).where(links.c.label_id.in_(folded), links.c[column].not_in(labelled)).distinct()
        rows = [{column: row[0], "label_id": label.id} for row in tx.execute(moved)]
        if rows:
            tx.execute(insert(links), rows)
    for label_id in folded:
        report_change_now(tx, Change("label", "fold", label_id, details={"into": label.id}))
    if folded:
        tx.execute(delete(labels).where(labels.c.id.in_(folded)))
    tx.execute(
        update(labels).where(labels.c.id == label.id).values(project_id=None, group_id=group_id, updated_at=now())
    )
    return int(label.id)


def resolve_names(
    tx: Connection, project: ProjectRow, names: Iterable[str], *, create: bool, scoped: bool
) -> list[int]:
    """Label ids for names; a missing label becomes a project label where `create`, otherwise it is skipped.

    Where `scoped` (paid tiers), the last given of each scope (`a::b`) wins; elsewhere they are labels like others.
    """
    stripped = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    if scoped:
        last = {name.rpartition("::")[0]: name for name in stripped if "::" in name}
        stripped = [name for name in stripped if "::" not in name or last[name.rpartition("::")[0]] == name]
    rows = tx.execute(
        select(labels.c.id, labels.c.name, labels.c.group_id)
        .where(usable_in_project(project), labels.c.name.in_(stripped))
        .order_by(labels.c.group_id.is_(None).desc(), labels.c.id)
    ).all()
    by_name = {row.name: row.id for row in rows}
    for name in stripped:
        if name not in by_name and create:
            by_name[name] = create_label(tx, name, DEFAULT, None, project=project)
    return [by_name[name] for name in stripped if name in by_name]
