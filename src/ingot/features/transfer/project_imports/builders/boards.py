"""Issue boards: preserved verbatim, because there are none here; labels of their lists become project labels."""

from collections.abc import Mapping

from sqlalchemy import Connection

from ingot.features.transfer.project_imports.builders.labels import label_id
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import one, records


def build(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `boards`."""
    for column in records(record, "lists"):
        label = one(column, "label")
        if label is not None:
            label_id(context, tx, label)
    context.keep(tx, "boards", None, context.translated(record))
