"""Hooks, the messages that wait for them, and what came of those that were sent."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    String,
    Table,
    Text,
)

from ingot.features.integrations.web_hooks.kinds import KINDS
from ingot.kit.db import Id, Json, UtcDateTime, metadata
from ingot.kit.indexes import PartialIndex

web_hooks = Table(
    "web_hooks",
    metadata,
    Column("id", Id, primary_key=True),
    Column("kind", String(8), nullable=False),  # project | group | system
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("url", Text, nullable=False),
    Column("name", String(255), nullable=True),
    Column("description", Text, nullable=True),
    Column("sealed_token", Text, nullable=True),
    Column("sealed_signing_token", Text, nullable=True),
    Column("enable_ssl_verification", Boolean, nullable=False, server_default="1"),
    *(Column(name, Boolean, nullable=name == "confidential_note_events") for name in KINDS),
    Column("push_events_branch_filter", Text, nullable=True),
    Column("branch_filter_strategy", String(16), nullable=False, server_default="wildcard"),
    # Names with sealed values.
    Column("url_variables", Json, nullable=False),
    Column("custom_headers", Json, nullable=False),
    Column("custom_webhook_template", Text, nullable=True),
    # Failures in a row, and how long the hook rests because of them.
    Column("recent_failures", Integer, nullable=False, server_default="0"),
    Column("disabled_until", UtcDateTime, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
_OF_SYSTEM = web_hooks.c.kind == "system"
PartialIndex("ix_web_hooks_system", web_hooks.c.id, where=_OF_SYSTEM)

# Written in the transaction of the change that they report, deleted when their outcome is in the log.
web_hook_messages = Table(
    "web_hook_messages",
    metadata,
    Column("id", Id, primary_key=True),
    Column("hook_id", Id, ForeignKey("web_hooks.id", ondelete="CASCADE"), nullable=False),
    Column("flag", String(40), nullable=True),  # None: an event of the instance
    # Messages about one subject arrive in the order of the changes.
    Column("subject", String(255), nullable=False),
    Column("event_uuid", String(36), nullable=False),
    Column("idempotency_key", String(36), nullable=False),
    Column("mark", String(40), nullable=False),  # stands in the payload where the address of the instance belongs
    Column("payload", Text, nullable=False),  # JSON
    Column("late_parts", Json, nullable=False),  # what git adds to the payload when it is sent
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_web_hook_messages_hook_id_id", web_hook_messages.c.hook_id, web_hook_messages.c.id)
Index("ix_web_hook_messages_event_uuid", web_hook_messages.c.event_uuid)

web_hook_logs = Table(
    "web_hook_logs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("hook_id", Id, ForeignKey("web_hooks.id", ondelete="CASCADE"), nullable=False),
    Column("flag", String(40), nullable=True),
    Column("url", Text, nullable=False),
    Column("url_digest", String(64), nullable=False),  # of the final address: a log entry of another one is not resent
    Column("event_uuid", String(36), nullable=False),
    Column("idempotency_key", String(36), nullable=False),
    Column("request_headers", Json, nullable=False),
    Column("request_data", Text, nullable=False),  # JSON
    Column("response_headers", Json, nullable=False),
    Column("response_body", Text, nullable=False),
    Column("response_status", String(16), nullable=False),
    Column("execution_duration", Float, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_web_hook_logs_hook_id_id", web_hook_logs.c.hook_id, web_hook_logs.c.id)
Index("ix_web_hook_logs_created_at", web_hook_logs.c.created_at)
Index("ix_web_hook_logs_event_uuid", web_hook_logs.c.event_uuid)

# Of which tokens it was told that they end in so many days or less: each is told once.
token_warnings = Table(
    "web_hook_token_warnings",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "access_token_id", Id, ForeignKey("personal_access_tokens.id", ondelete="CASCADE"), nullable=True, index=True
    ),
    Column("deploy_token_id", Id, ForeignKey("deploy_tokens.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("days", SmallInteger, nullable=False),
    CheckConstraint("(access_token_id IS NULL) <> (deploy_token_id IS NULL)", name="one_token"),
    sqlite_autoincrement=True,
)
