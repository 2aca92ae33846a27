"""Labels as filters. Names are resolved to ids first: the database then reads only the links of those ids.

What the look-ups find decides the form of the list's statement; names and ids are bound.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from enum import Enum
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Integer,
    Select,
    Table,
    bindparam,
    exists,
    false,
    func,
    literal,
    select,
)

from ingot.features.planning.issuable_lists.options import label_names
from ingot.features.planning.labels import labels
from ingot.kit.params import Sentinel
from ingot.kit.statements import WrittenOut

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


class Way(Enum):
    """How issuables with some labels are found."""

    NOBODY = 0  # a name that no label has
    COUNTED = 1  # by counting the names of each issuable
    NAMED = 2  # by names
    KNOWN = 3  # by ids


class LabelForm(NamedTuple):
    """What the conditions depend on."""

    way: Way
    number: int = 0
    rare: tuple[bool, ...] = ()  # of each name: the ids of the issuables are bound, not those of the labels
    own: int = 0  # so many labels are the project's own, and their links can be counted
    is_sqlite: bool = False


class Labels(NamedTuple):
    """The labels of one call."""

    form: LabelForm
    values: dict[str, object]


class ChosenLabels(NamedTuple):
    """The labels of a list: those that issuables have, or `None` or `Any`, and those that they have not."""

    form: LabelForm | Sentinel | None = None
    others: LabelForm | None = None
    values: dict[str, object] = {}


class Labelled:
    """Conditions on issuables (`table`) by their labels. In `links`, the column `key` holds the issuable's id."""

    def __init__(self, table: Table, links: Table, key: str, bounds: Bounds = USUAL) -> None:
        self._table, self._links, self._bounds = table, links, bounds
        self._issuable_id: Any = links.c[key]
        self._is_linked: ColumnElement[bool] = self._issuable_id == table.c.id
        self._ids = select(self._issuable_id).where(links.c.label_id.in_(WrittenOut("label_ids", expanding=True)))
        self._has_more = select(literal(1)).where(self._ids.offset(bounds.rare).limit(1).exists())

    def choose(
        self,
        conn: Connection,
        names: list[str] | Sentinel | None,
        others: list[str] | None,
        project_id: int | None = None,
    ) -> ChosenLabels:
        """Look up the labels of a list; `project_id` is that of a project's."""
        names = label_names(names)
        form: LabelForm | Sentinel | None = names if isinstance(names, Sentinel) else None
        values: dict[str, object] = {}
        if names and not isinstance(names, Sentinel):
            form, found = self.find(conn, names, project_id)
            values |= found
        unwanted = None
        if others:
            unwanted, found = self.find_any(conn, others)
            values |= found
        return ChosenLabels(form, unwanted, values)

    def find(self, conn: Connection, names: Iterable[str], project_id: int | None = None) -> Labels:
        """Look up names of which issuables must have each."""
        names = sorted(set(names))
        if len(names) > FEW_LABELS:
            return Labels(LabelForm(Way.COUNTED), {"label_names": names, "label_count": len(names)})
        known = self._ids_of(conn, names)
        if known is None:
            values: dict[str, object] = {f"label_{place}": [name] for place, name in enumerate(names)}
            return Labels(LabelForm(Way.NAMED, len(names)), values)
        found = [known[name] for name in names]
        if not all(found):
            return Labels(LabelForm(Way.NOBODY), {})
        values, rare = {}, []
        for place, same_name in enumerate(found):
            ids = [label.id for label in same_name]
            few = self._ids_with_labels(conn, ids)
            rare.append(few is not None)
            values[f"label_{place}"] = ids if few is None else few
        if [] in values.values():
            return Labels(LabelForm(Way.NOBODY), {})
        everywhere = [label for same_name in found for label in same_name]
        own = [label.id for label in everywhere if label.project_id == project_id]
        is_own = project_id is not None and len(own) == len(everywhere) == len(names) and not any(rare)
        values |= {f"own_label_{place}": label_id for place, label_id in enumerate(own)} if is_own else {}
        is_sqlite = conn.dialect.name == "sqlite"
        return Labels(LabelForm(Way.KNOWN, len(names), tuple(rare), len(own) if is_own else 0, is_sqlite), values)

    def by_all(
        self, query: Select[Any], form: LabelForm, *, is_whole: bool = False, state: str | None = None
    ) -> tuple[Select[Any], Query | None]:
        """The issuables that have all labels; and the same rows in a form that is cheaper to count, if there is one.

        `is_whole`: the statement finds all issuables of the project, or those in `state`.
        """
        match form.way:
            case Way.NOBODY:
                return query.where(false()), None
            case Way.COUNTED:
                return query.where(self._has_each_label()), None
            case Way.NAMED:
                return query.where(*(self._has_named_labels(_label(place)) for place in range(form.number))), None
        for place, is_rare in enumerate(form.rare):
            label = _label(place)
            query = query.where(self._table.c.id.in_(label) if is_rare else self._has_labels(label))
        return query, self._counted(form, state) if is_whole and form.own else None

    def find_any(self, conn: Connection, names: Collection[str]) -> Labels:
        """Look up names of which issuables must have none; unknown names are ignored."""
        known = self._ids_of(conn, set(names))
        if known is None:
            return Labels(LabelForm(Way.NAMED), {"other_labels": sorted(set(names))})
        ids = [label.id for same_name in known.values() for label in same_name]
        return Labels(LabelForm(Way.KNOWN), {"other_labels": ids}) if ids else Labels(LabelForm(Way.NOBODY), {})

    def by_none(self, query: Select[Any], form: LabelForm) -> Select[Any]:
        """The issuables that have none of the labels."""
        if form.way is Way.NOBODY:
            return query
        others = WrittenOut("other_labels", expanding=True)
        return query.where(~(self._has_named_labels if form.way is Way.NAMED else self._has_labels)(others))

    def any_at_all(self) -> ColumnElement[bool]:
        """The issuable has a label."""
        return exists().where(self._is_linked)

    def _counted(self, form: LabelForm, state: str | None) -> Query | None:
        """Labels of a project are only on its own issuables, so the links can be counted."""
        if state is not None and "state" not in self._links.c:
            return None
        own = [bindparam(f"own_label_{place}", type_=Integer) for place in range(form.own)]
        linked = [select(self._issuable_id).where(self._links.c.label_id == label_id) for label_id in own]
        if state is not None:
            linked = [query.where(self._links.c.state == state) for query in linked]
        first, *others = linked
        if others and form.is_sqlite:
            # In order, it reads the links of all labels side by side; PostgreSQL would read them to the end first.
            return first.intersect(*others).order_by(self._issuable_id.name)
        return first.where(*(self._has_label(label_id) for label_id in own[1:]))

    def _ids_of(self, conn: Connection, names: Collection[str]) -> dict[str, list[Any]] | None:
        """The labels of these exact names, wherever they are; None when there are too many."""
        rows = conn.execute(_NAMED, {"names": sorted(names), "most": self._bounds.few_ids + 1}).all()
        if len(rows) > self._bounds.few_ids:
            return None
        result: dict[str, list[Any]] = defaultdict(list)
        for row in rows:
            result[row.name].append(row)
        return result

    def _has_labels(self, ids: ColumnElement[Any]) -> ColumnElement[bool]:
        other = self._links.alias()
        # A constant, not all columns: the index alone then answers on SQLite.
        query = select(literal(1)).where(other.c[self._issuable_id.name] == self._table.c.id, other.c.label_id.in_(ids))
        return query.exists()

    def _has_label(self, label_id: ColumnElement[int]) -> ColumnElement[bool]:
        """The issuable of a link has this label too."""
        other = self._links.alias()
        query = select(literal(1)).where(
            other.c[self._issuable_id.name] == self._issuable_id, other.c.label_id == label_id
        )
        return query.exists()

    def _has_named_labels(self, names: ColumnElement[Any]) -> ColumnElement[bool]:
        """By name: the few links of each issuable are looked at, not the many labels of that name."""
        return exists().where(self._is_linked, labels.c.id == self._links.c.label_id, labels.c.name.in_(names))

    def _has_each_label(self) -> ColumnElement[bool]:
        query = (
            select(self._issuable_id)
            .join(labels, labels.c.id == self._links.c.label_id)
            .where(labels.c.name.in_(WrittenOut("label_names", expanding=True)))
            .group_by(self._issuable_id)
            .having(func.count(labels.c.name.distinct()) == bindparam("label_count", type_=Integer))
        )
        return self._table.c.id.in_(query)

    def _ids_with_labels(self, conn: Connection, ids: Sequence[int]) -> Sequence[int] | None:
        """The issuables with one of these labels, unless they are many."""
        if conn.execute(self._has_more, {"label_ids": ids}).first() is not None:
            return None
        few: Sequence[int] = conn.execute(self._ids, {"label_ids": ids}).scalars().all()
        return few


def _label(place: int) -> WrittenOut:
    return WrittenOut(f"label_{place}", expanding=True)
