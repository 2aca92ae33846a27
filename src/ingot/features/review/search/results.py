"""The result of a scope: a statement, and the function that presents its rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Select, Table

from ingot.access.call import Call
from ingot.features.review.search.params import Search
from ingot.kit.page_pieces import Present


@dataclass(frozen=True, slots=True)
class Result:
    """Rows that the caller may read, in their order."""

    rows: Select[Any]
    present: Present[Call[Search], Any]
    values: Mapping[str, object] = field(default_factory=dict)  # the parameters of the statement


def by_creation(call: Call[Search], rows: Select[Any], table: Table) -> Select[Any]:
    """Newest first, unless `sort` says otherwise."""
    columns = (table.c.created_at, table.c.id)
    return rows.order_by(*(column.desc() if call.params.sort == "desc" else column.asc() for column in columns))
