"""Variables of the instance, of groups and of projects. Values are sealed."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, String, Table, Text

from ingot.kit.db import Id, UtcDateTime, metadata

ci_variables = Table(
    "ci_variables",
    metadata,
    Column("id", Id, primary_key=True),
    # Neither a project nor a group: the instance's.
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True),
    Column("key", String(255), nullable=False),
    Column("sealed_value", Text, nullable=False),
    Column("variable_type", String(8), nullable=False, server_default="env_var"),  # env_var | file
    Column("protected", Boolean, nullable=False, server_default="0"),
    Column("masked", Boolean, nullable=False, server_default="0"),
    Column("hidden", Boolean, nullable=False, server_default="0"),
    Column("raw", Boolean, nullable=False, server_default="0"),
    Column("environment_scope", String(255), nullable=False, server_default="*"),
    Column("description", String(255), nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_ci_variables_project", ci_variables.c.project_id, ci_variables.c.key)
Index("ix_ci_variables_group", ci_variables.c.group_id, ci_variables.c.key)
