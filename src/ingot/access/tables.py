"""Namespaces, projects, memberships, and the materialised rights that every list joins."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)

from ingot.access.levels import FEATURES
from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.db import Id, Json, UtcDateTime, metadata
from ingot.kit.indexes import PartialIndex
from ingot.kit.settled_data import settled_table

_BYTE_ORDER = String(255).with_variant(String(255, collation="C"), "postgresql")

namespaces = Table(
    "namespaces",
    metadata,
    Column("id", Id, primary_key=True),
    Column("kind", String(8), nullable=False),  # user | group
    Column(
        "owner_id", Id, ForeignKey("users.id"), nullable=True, index=True, info=GOES_TO_GHOST
    ),  # of a personal namespace
    Column("parent_id", Id, ForeignKey("namespaces.id"), nullable=True, index=True),
    Column("name", String(255), nullable=False),
    Column("path", String(255), nullable=False),
    Column("full_path", String(1024), nullable=False),
    Column("full_path_lower", String(1024), nullable=False, unique=True),
    Column("full_name", Text, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("visibility", SmallInteger, nullable=False, server_default="0"),
    Column("avatar", String(255), nullable=True),
    # Group settings that are shown and never filtered; see features/groups/settings.py.
    Column("settings", Json, nullable=False),
    Column("marked_for_deletion_on", Date, nullable=True),
    Column("pending_delete", Boolean, nullable=False, server_default="0"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_namespaces_kind_visibility", namespaces.c.kind, namespaces.c.visibility)
Index("ix_namespaces_name_id", namespaces.c.name, namespaces.c.id)
# Few groups say anything about second factors, and every page of a session asks for those that do.
SPEAKS_OF_TWO_FACTORS = literal_column("settings ->> 'require_two_factor_authentication'").is_not(None)
PartialIndex(
    "ix_namespaces_two_factors",
    namespaces.c.id,
    where=SPEAKS_OF_TWO_FACTORS,
)

# Each namespace with itself and all above it; kept by the group commands.
namespace_ancestors = Table(
    "namespace_ancestors",
    metadata,
    Column("namespace_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), primary_key=True),
    Column("ancestor_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("depth", SmallInteger, nullable=False),  # 0 = itself
)

projects = Table(
    "projects",
    metadata,
    Column("id", Id, primary_key=True),
    Column("namespace_id", Id, ForeignKey("namespaces.id"), nullable=False),
    Column("creator_id", Id, nullable=True, index=True, info=GOES_TO_GHOST),
    Column("name", String(255), nullable=False),
    Column("path", String(255), nullable=False),
    # Lower-cased by us, so that both databases sort and search alike; see features/projects/commands/texts.py.
    Column("name_lower", _BYTE_ORDER, nullable=False),
    Column("path_lower", _BYTE_ORDER, nullable=False),
    Column("search_text", Text, nullable=False),
    Column("full_path", String(1024), nullable=False),
    Column("full_path_lower", String(1024), nullable=False, unique=True),
    Column("full_name", Text, nullable=False),  # name_with_namespace
    Column("description", Text, nullable=True),
    Column("description_html", Text, nullable=False, server_default=""),
    Column("visibility", SmallInteger, nullable=False, server_default="0"),
    Column("archived", Boolean, nullable=False, server_default="0"),
    Column("hidden", Boolean, nullable=False, server_default="0"),
    Column("pending_delete", Boolean, nullable=False, server_default="0"),
    Column("marked_for_deletion_on", Date, nullable=True),
    Column("default_branch", String(255), nullable=True),
    Column("repository_storage", String(255), nullable=False, server_default="default"),
    Column("empty_repo", Boolean, nullable=False, server_default="1"),
    Column("readme_path", String(1024), nullable=True),
    Column("licence_path", String(1024), nullable=True),
    Column("licence", Json, nullable=True),
    Column("star_count", Integer, nullable=False, server_default="0"),
    Column("forks_count", Integer, nullable=False, server_default="0"),
    Column("open_issues_count", Integer, nullable=False, server_default="0"),
    Column("forked_from_id", Id, nullable=True, index=True),
    Column("import_type", String(64), nullable=True),
    Column("import_status", String(16), nullable=False, server_default="none"),
    Column("import_url", Text, nullable=True),
    Column("import_error", Text, nullable=True),
    Column("avatar", String(255), nullable=True),
    Column("repository_checksum_failed", Boolean, nullable=False, server_default="0"),
    Column("wiki_checksum_failed", Boolean, nullable=False, server_default="0"),
    Column("checked_at", UtcDateTime, nullable=True),  # the last check of the repositories
    # Settings that are shown and never filtered; see features/projects/settings.py for the struct with the defaults.
    Column("settings", Json, nullable=False),
    *(
        Column(f"{name}_access_level", SmallInteger, nullable=False, server_default=str(int(level)))
        for name, level in FEATURES.items()
    ),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Column("last_activity_at", UtcDateTime, nullable=False),
    UniqueConstraint("namespace_id", "name"),
    sqlite_autoincrement=True,
)
Index("ix_projects_namespace_id_id", projects.c.namespace_id, projects.c.id)
for _column in ("name_lower", "path_lower", "updated_at", "last_activity_at", "star_count"):
    Index(f"ix_projects_{_column}_id", projects.c[_column], projects.c.id)
# Holds all that visibility asks for, so that counting the visible projects reads no rows.
Index("ix_projects_visibility_id", projects.c.visibility, projects.c.id, projects.c.pending_delete, projects.c.hidden)

# Former full paths, so that renamed and moved projects and groups keep answering.
redirects = Table(
    "redirects",
    metadata,
    Column("path_lower", String(1024), primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("namespace_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True, index=True),
)

# A base role with a name and permissions. Without a group: of the instance, usable in every group.
member_roles = Table(
    "member_roles",
    metadata,
    Column("id", Id, primary_key=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("name", String(255), nullable=False),
    Column("description", Text, nullable=True),
    Column("base_access_level", SmallInteger, nullable=False),
    Column("permissions", Json, nullable=False),  # names of those that are on
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

members = Table(
    "members",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True),
    Column("access_level", SmallInteger, nullable=False),
    Column("member_role_id", Id, nullable=True),
    Column("notification_level", SmallInteger, nullable=False, server_default="3"),
    Column("expires_at", Date, nullable=True, index=True),
    Column("created_by_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("via_saml", Boolean, nullable=False, server_default="0"),  # given by a SAML group link
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    CheckConstraint("(group_id IS NULL) <> (project_id IS NULL)", name="one_source"),
    UniqueConstraint("group_id", "user_id"),
    UniqueConstraint("project_id", "user_id"),
    sqlite_autoincrement=True,
)

project_group_links = Table(
    "project_group_links",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("access_level", SmallInteger, nullable=False),
    Column("expires_at", Date, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("project_id", "group_id"),
    sqlite_autoincrement=True,
)

group_group_links = Table(
    "group_group_links",
    metadata,
    Column("id", Id, primary_key=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=False),  # the group that is shared
    Column("invited_group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("access_level", SmallInteger, nullable=False),
    Column("expires_at", Date, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("group_id", "invited_group_id"),
    sqlite_autoincrement=True,
)

# Groups that let in some addresses only: what their setting says, where every request can look it up.
group_address_ranges = Table(
    "group_address_ranges",
    metadata,
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), primary_key=True),
    Column("ranges", Text, nullable=False),
)

# Effective rights: direct, inherited and shared, the highest wins. Kept by access.authorizations.
project_authorizations = Table(
    "project_authorizations",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("access_level", SmallInteger, nullable=False),
)
Index("ix_project_authorizations_user_level", project_authorizations.c.user_id, project_authorizations.c.access_level)

group_authorizations = Table(
    "group_authorizations",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("access_level", SmallInteger, nullable=False),
)

for _table in (namespaces, namespace_ancestors, group_address_ranges):
    settled_table(_table)
settled_table(projects, "namespace_id")  # where a project lies
