"""Snapshots of issuables."""

from typing import Any

import msgspec
from sqlalchemy import Connection, Table, select

from ingot.features.planning.issuables import IssuableKind, Target, get_kind
from ingot.features.planning.labels import labels
from ingot.features.planning.milestones import milestones
from ingot.identity.tables import users


class Snapshot(msgspec.Struct, frozen=True):
    """The parts of an issuable whose changes are reported."""

    row: Any
    labels: dict[int, str] = msgspec.field(default_factory=dict)
    assignees: dict[int, str] = msgspec.field(default_factory=dict)
    reviewers: dict[int, str] = msgspec.field(default_factory=dict)
    milestone: str | None = None


def snapshot(tx: Connection, target: Target) -> Snapshot:
    """The current snapshot of the issuable."""
    kind = get_kind(target.type)
    row = tx.execute(select(kind.table).where(kind.table.c.id == target.id)).one()
    title = None
    if row.milestone_id is not None:
        title = tx.execute(select(milestones.c.title).where(milestones.c.id == row.milestone_id)).scalar_one_or_none()
    return Snapshot(
        row=row,
        labels=_labels(tx, kind, target.id),
        assignees=_people(tx, kind, kind.assignees, target.id),
        reviewers=_people(tx, kind, kind.reviewers, target.id) if kind.reviewers is not None else {},
        milestone=title,
    )


def _labels(tx: Connection, kind: IssuableKind, issuable_id: int) -> dict[int, str]:
    query = (
        select(labels.c.id, labels.c.name)
        .join_from(kind.labels, labels, labels.c.id == kind.labels.c.label_id)
        .where(kind.labels.c[kind.key] == issuable_id)
        .order_by(labels.c.name)
    )
    return {label.id: label.name for label in tx.execute(query)}


def _people(tx: Connection, kind: IssuableKind, links: Table, issuable_id: int) -> dict[int, str]:
    query = (
        select(users.c.id, users.c.username)
        .join_from(links, users, users.c.id == links.c.user_id)
        .where(links.c[kind.key] == issuable_id)
        .order_by(users.c.id)
    )
    return {user.id: user.username for user in tx.execute(query)}
