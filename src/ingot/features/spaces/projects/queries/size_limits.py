"""How large a repository with its LFS objects may be: the limit of the project, its closest group or the instance."""

from typing import Any

import msgspec
from sqlalchemy import Connection, Select, bindparam, select

from ingot.access.namespaces import closest_group_setting
from ingot.access.tables import projects
from ingot.features.spaces.projects.tables import project_statistics
from ingot.instance import application_setting

MEGABYTE = 1 << 20
MORE = "Please contact your GitLab administrator for more information."
UNITS = ("KB", "MB", "GB", "TB")


def _limits() -> Select[Any]:
    here = projects.c.id == bindparam("project_id")
    inherited = closest_group_setting(
        projects.c.namespace_id, lambda group: group.c.settings["repository_size_limit"].as_integer()
    )
    sizes = project_statistics
    return (
        select(
            projects.c.settings["repository_size_limit"].as_integer().label("own"),
            inherited.label("inherited"),
            sizes.c.repository_size,
            sizes.c.lfs_objects_size,
        )
        .join_from(projects, sizes, sizes.c.project_id == projects.c.id)
        .where(here)
    )


_LIMITS = _limits()


class SizeLimit(msgspec.Struct, frozen=True):
    """The limit of a project in bytes, and how much of it is used."""

    limit: int
    repository_size: int
    lfs_objects_size: int

    @property
    def size(self) -> int:
        """What counts."""
        return self.repository_size + self.lfs_objects_size

    @property
    def is_exceeded(self) -> bool:
        """Nothing more may come in."""
        return self.size > self.limit

    def leaves_room_for(self, more: int) -> bool:
        """So many bytes may come in."""
        return self.size + more <= self.limit

    def refuse_push(self, more: int = 0) -> str:
        """Why a push is refused that brings so many bytes, to a repository that is full."""
        return f"Your push has been rejected, {self._excess(more)}. {MORE}"

    def refuse_new_changes(self) -> str:
        """Why a push is refused that would fill the repository."""
        exceeding = f"would cause it to exceed the size limit of {human_size(self.limit)}"
        return f"Your push to this repository {exceeding} so it has been rejected. {MORE}"

    def refuse_commit(self, more: int = 0) -> str:
        """Why a commit by the API is refused that brings so many bytes."""
        return f"Your changes could not be committed, {self._excess(more)}"

    def refuse_import(self, more: int = 0) -> str:
        """Why a repository of so many bytes is not taken in."""
        return f"The repository could not be taken in, {self._excess(more)}"

    def refuse_merge(self) -> str:
        """Why a merge is refused."""
        return f"This merge request cannot be merged, {self._excess(0)}"

    def _excess(self, more: int) -> str:
        limit, excess = human_size(self.limit), human_size(self.size + more - self.limit)
        return f"because this repository has exceeded its size limit of {limit} by {excess}"


def find_size_limit(conn: Connection, project_id: int) -> SizeLimit | None:
    """The project's limit; None where it has none."""
    row = conn.execute(_LIMITS, {"project_id": project_id}).one()
    values = (row.own, row.inherited)
    megabytes = next((value for value in values if value is not None), None)
    if megabytes is None:
        megabytes = int(application_setting(conn, "repository_size_limit"))
    if not megabytes:
        return None
    return SizeLimit(megabytes * MEGABYTE, row.repository_size, row.lfs_objects_size)


def repository_bytes(conn: Connection, project_id: int) -> int:
    """What a project's repository and its LFS objects have."""
    sizes = project_statistics
    query = select(sizes.c.repository_size + sizes.c.lfs_objects_size).where(sizes.c.project_id == project_id)
    return conn.execute(query).scalar_one_or_none() or 0


def human_size(size: int) -> str:
    """A size with two significant digits: `1.5 MB`, `120 KB`."""
    if size < 1024:
        return f"{size} Byte{'' if size == 1 else 's'}"
    power = min((size.bit_length() - 1) // 10, len(UNITS))
    rounded = float(f"{size / 1024**power:.1e}")
    unit = UNITS[power - 1]
    return f"{rounded:,.0f} {unit}" if rounded == int(rounded) else f"{rounded:.1f} {unit}"
