"""Resource groups: of all jobs that name one, one at a time runs.

The table lies in the engine, below the endpoints of resource groups: every move of a job may take or free a resource.
"""

from sqlalchemy import Column, ForeignKey, String, Table
from sqlalchemy import UniqueConstraint as Unique

from ingot.kit.db import Id, UtcDateTime, metadata

resource_groups = Table(
    "resource_groups",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("key", String(255), nullable=False),
    Column("process_mode", String(32), nullable=False, server_default="unordered"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Unique("project_id", "key"),
    sqlite_autoincrement=True,
)
