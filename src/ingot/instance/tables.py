"""Rows that belong to the instance as a whole."""

from sqlalchemy import Boolean, Column, String, Table, Text

from ingot.kit.db import Json, UtcDateTime, metadata
from ingot.kit.settled_data import settled_table

# One row per setting that was changed; the defaults live in `settings.DEFAULTS`.
application_settings_table = Table(
    "application_settings",
    metadata,
    Column("name", String(255), primary_key=True),
    Column("value", Json, nullable=True),
    Column("updated_at", UtcDateTime, nullable=False),
)

feature_flags_table = Table(
    "feature_flags",
    metadata,
    Column("name", String(255), primary_key=True),
    Column("gates", Json, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
)

# Facts that the instance keeps about itself (its UUID, the encryption key's check value).
instance_facts = Table(
    "instance_facts",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

settled_table(application_settings_table)
