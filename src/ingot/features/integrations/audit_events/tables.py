"""Recorded changes of rights and settings. They outlive the places and people that they name."""

from sqlalchemy import BigInteger, Column, Index, String, Table

from ingot.kit.db import Id, Json, UtcDateTime, metadata

audit_events = Table(
    "audit_events",
    metadata,
    Column("id", Id, primary_key=True),
    Column("author_id", BigInteger, nullable=False),  # -1: nobody who was signed in
    Column("entity_type", String(40), nullable=False),
    Column("entity_id", BigInteger, nullable=False),
    Column("event_name", String(120), nullable=False),
    Column("details", Json, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_audit_events_entity", audit_events.c.entity_type, audit_events.c.entity_id, audit_events.c.id)
Index("ix_audit_events_author_id", audit_events.c.author_id, audit_events.c.id)
Index("ix_audit_events_created_at", audit_events.c.created_at, audit_events.c.id)
