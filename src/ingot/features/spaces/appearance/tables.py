"""The look of the instance: one row, once something was set."""

from functools import partial

from sqlalchemy import Column, String, Table, select

from ingot.kit.blobs.references import refers_to_blobs
from ingot.kit.db import Id, Json, UtcDateTime, metadata

PICTURES = ("pwa_icon", "logo", "header_logo", "favicon")
appearances = Table(
    "appearances",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=False),
    Column("texts", Json, nullable=False),  # everything but the pictures, as far as it was set
    *(Column(name, String(255), nullable=True) for name in PICTURES),  # keys in the object store
    Column("updated_at", UtcDateTime, nullable=False),
)
for _name in PICTURES:
    refers_to_blobs("appearance/", partial(select, appearances.c[_name]))
