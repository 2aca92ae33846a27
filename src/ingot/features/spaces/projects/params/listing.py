"""Filters and orders of the project lists."""

from datetime import date, datetime
from typing import Any

from ingot.access.levels import MEMBER_LEVELS, VISIBILITY_WORDS
from ingot.kit.params import Paging, Param, Params

ORDERS = ("id", "name", "path", "created_at", "updated_at", "last_activity_at", "similarity", "star_count")
SIZE_ORDERS = ("repository_size", "storage_size", "packages_size", "wiki_size")


class ProjectFilters(Params):
    """Filters of every list of projects."""

    archived: bool | None = Param("Only archived projects, or only the others.")
    active: bool | None = Param("Neither archived nor marked for deletion, or the opposite.")
    visibility: str | None = Param("Only this visibility.", one_of=VISIBILITY_WORDS)
    search: str | None = Param("Words that path, name or description contain; all must be found.")
    search_namespaces: bool | None = Param("Search in the whole path too.")
    owned: bool = Param("Only projects that the caller owns.", default=False)
    starred: bool = Param("Only projects that the caller starred.", default=False)
    imported: bool = Param("Only projects that the caller imported.", default=False)
    membership: bool = Param("Only projects that the caller is a member of.", default=False)
    min_access_level: int | None = Param("Only projects where the caller has this role.", one_of=MEMBER_LEVELS)
    with_issues_enabled: bool = Param("Only projects with issues.", default=False)
    with_merge_requests_enabled: bool = Param("Only projects with merge requests.", default=False)
    with_programming_language: str | None = Param("Only projects with code in this language.")
    id_after: int | None = Param("Only ids greater than this.")
    id_before: int | None = Param("Only ids less than this.")
    last_activity_after: datetime | None = Param("Only with activity at or after this time.")
    last_activity_before: datetime | None = Param("Only with the last activity at or before this time.")
    repository_storage: str | None = Param("Only on this storage (administrators).")
    topic: list[str] = Param("Topics; all must match.", comma=True)
    topic_id: int | None = Param("Only with the topic of this id.")
    updated_before: datetime | None = Param("Only updated at or before this time.")
    updated_after: datetime | None = Param("Only updated at or after this time.")
    include_pending_delete: bool | None = Param("Also projects that are being deleted (administrators).")
    include_hidden: bool = Param("Also hidden projects (administrators).", default=False)
    marked_for_deletion_on: date | None = Param("Only projects marked for deletion on this date.")
    repository_checksum_failed: bool = Param("Only with a failed check of the repository.", default=False)
    wiki_checksum_failed: bool = Param("Only with a failed check of the wiki.", default=False)
    custom_attributes: dict[str, Any] | None = Param("Custom attributes and their values (administrators).")


class ProjectOrder(Params):
    """How a list is sorted and what it shows."""

    order_by: str = Param("Order.", default="created_at", one_of=(*ORDERS, *SIZE_ORDERS))
    sort: str = Param("Direction.", default="desc", one_of=("asc", "desc"))
    simple: bool = Param("Only the limited fields.", default=False)
    statistics: bool = Param("Include statistics (Reporters and above).", default=False)
    with_custom_attributes: bool = Param("Include custom attributes (administrators).", default=False)


class ListProjects(ProjectFilters, ProjectOrder, Paging):
    """The list of projects."""


class ListUserProjects(ListProjects):
    """Projects of one user."""

    user_id: str = Param("ID or username.", required=True)
