"""Tables of projects besides `projects` itself: statistics, topics, stars, languages, attributes."""

from sqlalchemy import BigInteger, Column, Date, Float, ForeignKey, Index, Integer, String, Table, Text

from ingot.features.spaces.projects import search_index as _search_index  # noqa: F401 - registers the index
from ingot.kit.db import Id, UtcDateTime, metadata

SIZES = (
    "repository_size",
    "wiki_size",
    "lfs_objects_size",
    "job_artifacts_size",
    "pipeline_artifacts_size",
    "packages_size",
    "snippets_size",
    "uploads_size",
    "container_registry_size",
)


def _of_project(*, primary_key: bool, index: bool | None = None) -> Column[int]:
    project = ForeignKey("projects.id", ondelete="CASCADE")
    return Column("project_id", Id, project, nullable=False, primary_key=primary_key, index=index)


# One row per project from its creation, so that ordering by size is a plain join.
project_statistics = Table(
    "project_statistics",
    metadata,
    _of_project(primary_key=True),
    Column("commit_count", Integer, nullable=False, server_default="0"),
    Column("storage_size", BigInteger, nullable=False, server_default="0"),
    *(Column(name, BigInteger, nullable=False, server_default="0") for name in SIZES),
)
for _column in ("storage_size", "repository_size", "packages_size", "wiki_size"):
    Index(f"ix_project_statistics_{_column}", project_statistics.c[_column], project_statistics.c.project_id)

# Git fetches per day, for the statistics endpoint; kept for thirty days.
project_fetches = Table(
    "project_fetches",
    metadata,
    _of_project(primary_key=True),
    Column("day", Date, primary_key=True),
    Column("count", Integer, nullable=False),
)

# User name and password of a repository that is imported or mirrored, sealed; deleted when no longer needed.
project_import_logins = Table(
    "project_import_logins",
    metadata,
    _of_project(primary_key=True),
    Column("sealed", Text, nullable=False),
)

# When a repository elsewhere was last fetched, whether that succeeded, and when one last did.
project_mirror_updates = Table(
    "project_mirror_updates",
    metadata,
    _of_project(primary_key=True),
    Column("started_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime, nullable=True),
    Column("succeeded_at", UtcDateTime, nullable=True),
)

topics = Table(
    "topics",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(255), nullable=False),
    Column("name_lower", String(255), nullable=False, unique=True),
    Column("title", String(255), nullable=False),
    Column("description", Text, nullable=True),
    Column("avatar", String(255), nullable=True),
    Column("projects_count", Integer, nullable=False, server_default="0"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

project_topics = Table(
    "project_topics",
    metadata,
    _of_project(primary_key=True),
    Column("topic_id", Id, ForeignKey("topics.id", ondelete="CASCADE"), primary_key=True, index=True),
)

project_stars = Table(
    "project_stars",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    _of_project(primary_key=True, index=True),
    Column("starred_since", UtcDateTime, nullable=False),
)

project_languages = Table(
    "project_languages",
    metadata,
    _of_project(primary_key=True),
    Column("name", String(255), primary_key=True),
    Column("name_lower", String(255), nullable=False, index=True),
    Column("share", Float, nullable=False),  # percent of the code
)

# Contributors of projects, for the list of projects that a user contributed to.
project_contributions = Table(
    "project_contributions",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    _of_project(primary_key=True, index=True),
    Column("last_at", UtcDateTime, nullable=False),
)
