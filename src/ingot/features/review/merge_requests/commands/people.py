"""Assignees, reviewers, labels and milestone of a request."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, or_, select

from ingot.access.levels import PLANNER, REPORTER, Feature, Visibility
from ingot.access.rows import ProjectRow
from ingot.access.subjects import Project
from ingot.access.tables import project_authorizations
from ingot.features.planning.labels import labels, resolve_names
from ingot.features.planning.milestones import milestones, usable_in_project
from ingot.features.review.merge_requests.tables import (
    merge_request_labels,
    merge_request_reviewers,
)
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.errors import Invalid

MOST = 200


def acceptable(tx: Connection, project: Project, user_ids: Sequence[int]) -> list[int]:
    """The users among these who can read merge requests of the project, in the order given."""
    candidates = list(dict.fromkeys(user_id for user_id in user_ids if user_id > 0))
    if not candidates:
        return []
    is_open = (
        project.visibility > Visibility.PRIVATE
        and min(project.feature("merge_requests"), project.feature("repository")) >= Feature.ENABLED
    )
    query = select(users.c.id).where(users.c.id.in_(candidates), users.c.state == "active")
    if not is_open or project.visibility == Visibility.INTERNAL:
        needed = PLANNER if project.feature("merge_requests") >= Feature.ENABLED else REPORTER
        members = select(project_authorizations.c.user_id).where(
            project_authorizations.c.project_id == project.id, project_authorizations.c.access_level >= needed
        )
        allowed = [users.c.id.in_(members), users.c.is_admin]
        if is_open:
            allowed.append(~users.c.is_external)
        query = query.where(or_(*allowed))
    readers = set(tx.execute(query).scalars())
    return [user_id for user_id in candidates if user_id in readers]


def set_people(tx: Connection, table: Table, merge_request_id: int, user_ids: Sequence[int]) -> bool:
    """Replace assignees or reviewers; users who stay keep their state. Returns whether anything changed."""
    key = "reviewers" if table is merge_request_reviewers else "assignees"
    if len(user_ids) > MOST:
        raise Invalid({key: [f"total must be less than or equal to {MOST}"]})
    current = list(
        tx.execute(
            select(table.c.user_id).where(table.c.merge_request_id == merge_request_id).order_by(table.c.position)
        ).scalars()
    )
    if current == list(user_ids):
        return False
    gone = [user_id for user_id in current if user_id not in user_ids]
    tx.execute(delete(table).where(table.c.merge_request_id == merge_request_id, table.c.user_id.in_(gone)))
    for position, user_id in enumerate(user_ids):
        if user_id in current:
            link = (table.c.merge_request_id == merge_request_id) & (table.c.user_id == user_id)
            tx.execute(table.update().where(link).values(position=position))
            continue
        values: dict[str, Any] = {"merge_request_id": merge_request_id, "user_id": user_id, "position": position}
        if table is merge_request_reviewers:
            values["created_at"] = now()
        tx.execute(insert(table).values(values))
    return True


def set_labels(
    tx: Connection,
    project: ProjectRow,
    merge_request_id: int,
    *,
    labels_given: list[str] | None,
    add: list[str],
    remove: list[str],
    may_create: bool,
    scoped: bool,
) -> bool:
    """`labels` replaces, then `add_labels` and `remove_labels` apply. Returns whether anything changed."""
    links = merge_request_labels
    current = set(tx.execute(select(links.c.label_id).where(links.c.merge_request_id == merge_request_id)).scalars())
    names = labels_given
    if names is None:
        names = list(
            tx.execute(select(labels.c.name).where(labels.c.id.in_(current)).order_by(labels.c.name)).scalars()
        )
    label_names = [name for name in [*names, *add] if name not in remove]
    chosen = set(resolve_names(tx, project, label_names, create=may_create, scoped=scoped))
    if labels_given is None:
        # Labels from elsewhere (a promoted or moved one) that the names above do not find stay as they are.
        remaining = tx.execute(select(labels.c.id, labels.c.name).where(labels.c.id.in_(current)))
        chosen |= {row.id for row in remaining if row.name not in remove and row.name not in label_names}
    if chosen == current:
        return False
    tx.execute(
        delete(links).where(links.c.merge_request_id == merge_request_id, links.c.label_id.in_(current - chosen))
    )
    fresh = [{"merge_request_id": merge_request_id, "label_id": label_id} for label_id in sorted(chosen - current)]
    if fresh:
        tx.execute(insert(links), fresh)
    return True


def find_milestone(tx: Connection, project: ProjectRow, milestone_id: int) -> int | None:
    """A milestone that the project can use, or None."""
    query = select(milestones.c.id).where(usable_in_project(project), milestones.c.id == milestone_id)
    return tx.execute(query).scalar_one_or_none()
