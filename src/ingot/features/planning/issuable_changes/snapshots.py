"""Snapshots of issuables."""

from functools import cache
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, Table, bindparam, select

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
    row = tx.execute(_row(kind.table), {"issuable": target.id}).one()
    title = None
    if row.milestone_id is not None:
        title = tx.execute(_MILESTONE, {"milestone": row.milestone_id}).scalar_one_or_none()
    return Snapshot(
        row=row,
        labels=_labels(tx, kind, target.id),
        assignees=_people(tx, kind, kind.assignees, target.id),
        reviewers=_people(tx, kind, kind.reviewers, target.id) if kind.reviewers is not None else {},
        milestone=title,
    )


_MILESTONE = select(milestones.c.title).where(milestones.c.id == bindparam("milestone"))


@cache
def _row(table: Table) -> Select[Any]:
    return select(table).where(table.c.id == bindparam("issuable"))


def _labels(tx: Connection, kind: IssuableKind, issuable_id: int) -> dict[int, str]:
    rows = tx.execute(_labels_query(kind.labels, kind.key), {"issuable": issuable_id})
    return {label.id: label.name for label in rows}


@cache
def _labels_query(links: Table, key: str) -> Select[Any]:
    return (
        select(labels.c.id, labels.c.name)
        .join_from(links, labels, labels.c.id == links.c.label_id)
        .where(links.c[key] == bindparam("issuable"))
        .order_by(labels.c.name)
    )


def _people(tx: Connection, kind: IssuableKind, links: Table, issuable_id: int) -> dict[int, str]:
    rows = tx.execute(_people_query(links, kind.key), {"issuable": issuable_id})
    return {user.id: user.username for user in rows}


@cache
def _people_query(links: Table, key: str) -> Select[Any]:
    return (
        select(users.c.id, users.c.username)
        .join_from(links, users, users.c.id == links.c.user_id)
        .where(links.c[key] == bindparam("issuable"))
        .order_by(users.c.id)
    )
