"""Push mirrors of projects and their last update. Logins and private keys are sealed."""

from sqlalchemy import JSON, Boolean, Column, ForeignKey, String, Table, Text, false

from ingot.kit.db import Id, UtcDateTime, metadata

remote_mirrors = Table(
    "remote_mirrors",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("enabled", Boolean, nullable=False, server_default=false()),
    Column("url", Text, nullable=False),  # without a login
    Column("shown_url", Text, nullable=False),  # with stars in its place
    Column("sealed_login", Text, nullable=True),
    Column("auth_method", String(16), nullable=False, server_default="password"),
    Column("sealed_key", Text, nullable=True),
    Column("public_key", Text, nullable=True),
    Column("host_keys", JSON, nullable=False),  # as in a `known_hosts` file, without the host
    Column("only_protected_branches", Boolean, nullable=False, server_default=false()),
    Column("keep_divergent_refs", Boolean, nullable=False, server_default=false()),
    Column("mirror_branch_regex", Text, nullable=True),
    Column("update_status", String(16), nullable=False, server_default="none"),
    Column("last_error", Text, nullable=True),
    Column("last_update_at", UtcDateTime, nullable=True),
    Column("last_update_started_at", UtcDateTime, nullable=True),
    Column("last_successful_update_at", UtcDateTime, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
