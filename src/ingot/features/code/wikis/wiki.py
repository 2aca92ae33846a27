"""A wiki: whose it is, and where its repository lies."""

from contextlib import nullcontext, suppress

import msgspec
from sqlalchemy import ColumnElement, Table

from ingot.access.call import Call
from ingot.access.rows import NamespaceRow, ProjectRow
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Repository, storages_of
from ingot.gitstore.errors import RepositoryExists
from ingot.gitstore.refs import find_branch
from ingot.gitstore.storage import beside, create
from ingot.kit.services import Services

KIND = "wiki"
Owner = dict[str, int | None]  # the columns that name the project or the group


class Wiki(msgspec.Struct, frozen=True):
    """The wiki of a project or of a group; the repository is created with the first page."""

    repository: Repository
    full_path: str
    project_id: int | None = None
    group_id: int | None = None

    @property
    def owner(self) -> Owner:
        """The columns that name the owner."""
        return {"project_id": self.project_id, "group_id": self.group_id}

    @property
    def path(self) -> str:
        """The path of its pages."""
        return f"{'groups/' if self.project_id is None else ''}{self.full_path}/-/wikis"

    @property
    def head(self) -> str | None:
        """The newest commit; None while the wiki is empty."""
        if not self.repository.exists():
            return None
        branch = self.repository.default_branch()
        return find_branch(self.repository, branch) if branch else None

    def owns(self, table: Table) -> ColumnElement[bool]:
        """Condition on a table of wikis or pages: the rows of this one."""
        if self.project_id is not None:
            return table.c.project_id == self.project_id
        return table.c.group_id == self.group_id


def wiki_of_project(services: Services, project: ProjectRow) -> Wiki:
    """The wiki of a loaded project."""
    return Wiki(repository_of(services, project, KIND), project.full_path, project_id=project.id)


def wiki_of_group(services: Services, group: NamespaceRow) -> Wiki:
    """The wiki of a loaded group."""
    return Wiki(group_repository(services, group.id), group.full_path, group_id=group.id)


def wiki_of(call: Call) -> Wiki:
    """The wiki that a call is about."""
    if call.project_or_none is not None:
        return wiki_of_project(call.services, call.project.row)
    return wiki_of_group(call.services, call.group.row)


def group_repository(services: Services, group_id: int) -> Repository:
    """Where a group's wiki lies: on the storage that has it, else on the first one."""
    storages = storages_of(services)
    places = [storages.repository(name, storages.key_of_group(group_id), KIND) for name in storages.roots]
    return next((place for place in places if place.exists()), places[0])


def make_repository(wiki: Wiki, branch: str) -> None:
    """Create the repository of a wiki that has none yet. A project's code, with which it moves, stays meanwhile."""
    if not wiki.repository.exists():
        held = nullcontext() if wiki.project_id is None else beside(wiki.repository).writing()
        with suppress(RepositoryExists), held:
            create(wiki.repository, branch)
