"""Key-value pairs that administrators store on groups, projects and users."""

from sqlalchemy import Column, ForeignKey, Index, String, Table, Text

from ingot.archives.relations import archive_table
from ingot.kit.db import Id, metadata

group_custom_attributes = Table(
    "group_custom_attributes",
    metadata,
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("value", Text, nullable=False),
)
Index("ix_group_custom_attributes_key", group_custom_attributes.c.key)

user_custom_attributes = Table(
    "user_custom_attributes",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("value", Text, nullable=False),
)
Index("ix_user_custom_attributes_key", user_custom_attributes.c.key)

project_custom_attributes = Table(
    "project_custom_attributes",
    metadata,
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("value", Text, nullable=False),
)
Index("ix_project_custom_attributes_key", project_custom_attributes.c.key)
archive_table("custom_attributes", project_custom_attributes)
