"""Statements are written in SQLAlchemy's expression language, compiled once per shape, and run by the driver itself.

`conn.execute(statement, values)` reads as ever. Preparing a statement costs the library three times what the driver
needs to run it, so it takes a shorter way here: its text, how its values are bound and how its columns are read are
decided when its shape is seen first. Everything else (texts, many rows at once, streaming) goes the library's way.

A statement that is a constant of its module is found by identity and costs least; one that is built for a call is
found by its cache key. A list that is a named parameter (`bindparam("ids", expanding=True)`) is one bound value, so
that its length is no part of the shape. `with sent_together(…)` names queries that a block
executes: PostgreSQL is sent all of them before it answers the first.
"""

from ingot.kit.statements.connection import Query, read_together, sent_together, use_plans
from ingot.kit.statements.lists import WrittenOut
from ingot.kit.statements.remembering import (
    has_lasting_answers,
    is_remembering,
    lasting,
    lasting_values,
    remember_rows,
    remembered_value,
    rows_by_id,
)
from ingot.kit.statements.shapes import Shapes

__all__ = [
    "Query", "Shapes", "WrittenOut", "has_lasting_answers", "is_remembering", "lasting", "lasting_values",
    "read_together", "remember_rows", "remembered_value", "rows_by_id", "sent_together", "use_plans",
]  # fmt: skip
