"""Endpoints of resource events, made for each kind of issuable."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import msgspec
from sqlalchemy import ColumnElement, Select, Table, select, true

from ingot.access.call import Call
from ingot.features.planning.issuables import IssuableKind, Noteable
from ingot.features.planning.labels import labels
from ingot.features.planning.milestones import milestones
from ingot.features.planning.resource_events import entities, policy
from ingot.features.planning.resource_events.tables import (
    resource_label_events,
    resource_milestone_events,
    resource_weight_events,
)
from ingot.kit.endpoint import Answer, Routes, name_handlers, with_article
from ingot.kit.entity import Entity
from ingot.kit.errors import NotFound, RecordNotFound
from ingot.kit.pagination import Keyset
from ingot.kit.params import CursorPaging, Param, Params, combined

Row = TypeVar("Row")
Shown = TypeVar("Shown", bound=Entity)


class OneEvent(Params):
    """One event."""

    event_id: int = Param("Id of the event.", required=True)


def find_resource(call: Call, kind: IssuableKind) -> Noteable:
    """The issuable of the path; here the answer names the kind that was not found."""
    try:
        return kind.find(call)
    except RecordNotFound:
        raise NotFound(kind.type) from None


class Family(msgspec.Struct, Generic[Row, Shown], frozen=True):
    """A kind of event: its name, its table, its subject, who sees it, and how it is presented."""

    word: str
    table: Table
    subject: Table | None
    visible: Callable[[Call], ColumnElement[bool]]
    entity: type[Shown]
    present: Callable[[Call, Sequence[Row]], list[Shown]]

    def events(self, call: Call, kind: IssuableKind) -> Select[Any]:
        """The events of the issuable in the path, oldest first, joined with their subject."""
        query = select(self.table).where(self.table.c[kind.key] == find_resource(call, kind).id)
        if self.subject is not None:
            query = query.outerjoin(self.subject, self.subject.c.id == self.table.c[f"{self.word}_id"])
        return query.order_by(self.table.c.id)


LABELS = Family(
    "label",
    resource_label_events,
    labels,
    policy.visible_label,
    entities.LabelEvent,
    entities.present_label_events,
)
MILESTONES = Family(
    "milestone",
    resource_milestone_events,
    milestones,
    policy.visible_milestone,
    entities.MilestoneEvent,
    entities.present_milestone_events,
)
WEIGHTS = Family(
    "weight",
    resource_weight_events,
    None,
    lambda _: true(),
    entities.WeightEvent,
    entities.present_weight_events,
)


def event_routes(kind: IssuableKind) -> list[Routes]:
    """The endpoints of one kind of issuable; only issues have a weight."""
    routes = [_routes_of(kind, LABELS), _routes_of(kind, MILESTONES)]
    return [*routes, _routes_of(kind, WEIGHTS)] if "weight" in kind.table.c else routes


def _routes_of(kind: IssuableKind, family: Family[Row, Shown]) -> Routes:
    routes = Routes("Resource events", guard=policy.FIND_EVENTS)
    path = f"{kind.path}/resource_{family.word}_events"

    @routes.get(path, params=combined(kind.number, CursorPaging), returns=list[family.entity])  # type: ignore[name-defined]
    def list_events(call: Call) -> Answer:
        query = family.events(call, kind).where(family.visible(call))
        return call.page(query, family.present, keyset=Keyset(family.table.c.id, descending=False))

    @routes.get(f"{path}/{{event_id}}", params=combined(kind.number, OneEvent), returns=family.entity)
    def get_event(call: Call[OneEvent]) -> Answer:
        query = family.events(call, kind).where(family.table.c.id == call.params.event_id)
        row: Any = call.conn.execute(query.add_columns(family.visible(call).label("is_visible"))).one_or_none()
        if row is None:
            raise RecordNotFound
        if not row.is_visible:
            raise NotFound(f"Resource{family.word.title()}Event")
        return family.present(call, [row])[0]

    word, one = f"{kind.word}_{family.word}", with_article(kind.title)
    return name_handlers(
        routes,
        {
            "list_events": (f"list_{word}_events", f"Changes of the {family.word} of {one}, oldest first."),
            "get_event": (f"get_{word}_event", f"One change of the {family.word} of {one}."),
        },
    )
