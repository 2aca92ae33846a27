"""Labels as filters. Names are resolved to ids first: the database then reads only the links of those ids."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Select,
    Table,
    bindparam,
    exists,
    false,
    func,
    literal,
    select,
)

from ingot.features.planning.labels import labels

Query = Select[Any] | CompoundSelect[Any]

# Beyond this many names one counting condition replaces one condition each, because planners are slow with hundreds.
FEW_LABELS = 5


class Bounds(msgspec.Struct, frozen=True):
    """When to switch between the ways to find labelled issuables. All find the same."""

    rare: int = 2000
    """Labels of fewer issuables than this are looked up first; above it, an ordered scan finds a page sooner."""
    few_ids: int = 50
    """Most labels of one name in different projects and groups; above it, the name itself is compared."""


USUAL = Bounds()

_NAMED = (
    select(labels.c.id, labels.c.name, labels.c.project_id)
    .where(labels.c.name.in_(bindparam("names", expanding=True)))
    .limit(bindparam("most"))
)


class Labelled:
    """Conditions on issuables (`table`) by their labels. In `links`, the column `key` holds the issuable's id."""

    def __init__(self, conn: Connection, table: Table, links: Table, key: str, bounds: Bounds = USUAL) -> None:
        self._conn, self._table, self._links, self._bounds = conn, table, links, bounds
        self._issuable_id: Any = links.c[key]
        self._is_linked: ColumnElement[bool] = self._issuable_id == table.c.id

    def by_all(
        self, query: Select[Any], names: set[str], project_id: int | None = None, state: str | None = None
    ) -> tuple[Select[Any], Query | None]:
        """The issuables that have all of these; and the same rows in a form that is cheaper to count, if there is one.

        `project_id`: the statement finds all issuables of this project, or those in `state`.
        """
        if len(names) > FEW_LABELS:
            return query.where(self._has_each_label(names)), None
        known = self._ids_of(names)
        if known is None:
            return query.where(*(self._has_named_labels([name]) for name in names)), None
        if any(not known[name] for name in names):
            return query.where(false()), None
        has_rare = False
        for name in names:
            ids = [label.id for label in known[name]]
            few = self._ids_with_labels(ids)
            has_rare = has_rare or few is not None
            query = query.where(self._has_labels(ids) if few is None else self._table.c.id.in_(few))
        own = [label.id for name in sorted(names) for label in known[name] if label.project_id == project_id]
        is_own = project_id is not None and len(own) == sum(len(known[name]) for name in names) == len(names)
        return query, self._counted(own, state) if is_own and not has_rare else None

    def none_of(self, names: Iterable[str]) -> ColumnElement[bool]:
        """The issuable has none of these; unknown names are ignored."""
        known = self._ids_of(set(names))
        if known is None:
            return ~self._has_named_labels(names)
        return ~self._has_labels([label.id for item in known.values() for label in item])

    def any_at_all(self) -> ColumnElement[bool]:
        """The issuable has a label."""
        return exists().where(self._is_linked)

    def _counted(self, own: list[int], state: str | None) -> Query | None:
        """Labels of a project are only on its own issuables, so the links can be counted."""
        if state is not None and "state" not in self._links.c:
            return None
        linked = [select(self._issuable_id).where(self._links.c.label_id == label_id) for label_id in own]
        if state is not None:
            linked = [query.where(self._links.c.state == state) for query in linked]
        first, *others = linked
        if others and self._conn.dialect.name == "sqlite":
            # In order, it reads the links of all labels side by side; PostgreSQL would read them to the end first.
            return first.intersect(*others).order_by(self._issuable_id.name)
        return first.where(*(self._has_labels([label_id], self._issuable_id) for label_id in own[1:]))

    def _ids_of(self, names: set[str]) -> dict[str, list[Any]] | None:
        """The labels of these exact names, wherever they are; None when there are too many."""
        rows = self._conn.execute(_NAMED, {"names": sorted(names), "most": self._bounds.few_ids + 1}).all()
        if len(rows) > self._bounds.few_ids:
            return None
        result: dict[str, list[Any]] = defaultdict(list)
        for row in rows:
            result[row.name].append(row)
        return result

    def _has_labels(self, ids: Sequence[int], issuable: ColumnElement[int] | None = None) -> ColumnElement[bool]:
        other, issuable = self._links.alias(), self._table.c.id if issuable is None else issuable
        # A constant, not all columns: the index alone then answers on SQLite.
        query = select(literal(1)).where(other.c[self._issuable_id.name] == issuable, other.c.label_id.in_(ids))
        return query.exists()

    def _has_named_labels(self, names: Iterable[str]) -> ColumnElement[bool]:
        """By name: the few links of each issuable are looked at, not the many labels of that name."""
        named = labels.c.name.in_(list(names))
        return exists().where(self._is_linked, labels.c.id == self._links.c.label_id, named)

    def _has_each_label(self, names: set[str]) -> ColumnElement[bool]:
        query = (
            select(self._issuable_id)
            .join(labels, labels.c.id == self._links.c.label_id)
            .where(labels.c.name.in_(names))
            .group_by(self._issuable_id)
            .having(func.count(labels.c.name.distinct()) == len(names))
        )
        return self._table.c.id.in_(query)

    def _ids_with_labels(self, ids: Sequence[int]) -> Sequence[int] | None:
        """The issuables with one of these labels, unless they are many."""
        query = select(self._issuable_id).where(self._links.c.label_id.in_(ids))
        more = select(literal(1)).where(query.order_by(None).offset(self._bounds.rare).limit(1).exists())
        if self._conn.execute(more).first() is not None:
            return None
        return self._conn.execute(query).scalars().all()
