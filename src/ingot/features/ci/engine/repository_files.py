"""The files of a project at one commit, as the configuration compiler reads them."""

from collections.abc import Iterable
from functools import cached_property

from sqlalchemy import Connection

from ingot.access.policy import READ_CODE
from ingot.access.subjects import Project, find_project
from ingot.features.ci.engine.remote_files import RemoteFiles
from ingot.features.code.file_templates import built_in_template
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import GitError, Repository, revisions
from ingot.gitstore.listing import list_refs
from ingot.gitstore.objects import find_blob, list_tree
from ingot.kit.actor import Actor
from ingot.kit.services import Services

MAX_FILE = 1_048_576
_TAGS = "refs/tags/"


class RepositoryFiles:
    """Reads through git; other projects only where the actor may read their code."""

    def __init__(
        self,
        services: Services,
        conn: Connection,
        actor: Actor,
        repository: Repository,
        sha: str,
        elsewhere: RemoteFiles | None = None,
    ) -> None:
        self._services = services
        self._elsewhere = elsewhere or RemoteFiles(services, conn)
        self._conn = conn
        self._actor = actor
        self._repository = repository
        self._sha = sha

    def read(self, path: str) -> str | None:
        """The text of a file; too large ones and folders count as absent."""
        try:
            blob = find_blob(self._repository, self._sha, path.lstrip("/"), MAX_FILE)
        except GitError:
            return None
        if blob is None:
            return None
        return blob.content.decode("utf-8", errors="replace")

    def paths(self) -> Iterable[str]:
        """Every file."""
        return self._paths

    @cached_property
    def _paths(self) -> list[str]:
        entries = list_tree(self._repository, self._sha, recursive=True)
        return [entry.path for entry in entries if entry.type == "blob"]

    def project(self, full_path: str, ref: str | None) -> "RepositoryFiles | None":
        """The files of another project, at its default branch unless a ref is given."""
        project = self._readable(full_path)
        repository = None if project is None else repository_of(self._services, project)
        if project is None or repository is None or not repository.exists():
            return None
        sha = revisions.find(repository, ref or project.default_branch or "HEAD")
        if sha is None:
            return None
        return RepositoryFiles(self._services, self._conn, self._actor, repository, sha, self._elsewhere)

    def tags(self, full_path: str) -> Iterable[str] | None:
        """The tags of another project."""
        result = self._readable(full_path)
        repository = None if result is None else repository_of(self._services, result)
        if repository is None or not repository.exists():
            return None
        return [name.removeprefix(_TAGS) for name in list_refs(repository, _TAGS)]

    def remote(self, url: str) -> str:
        """A file of another server."""
        return self._elsewhere.fetch(url)

    def template(self, key: str) -> str | None:
        """A template that comes with the server."""
        return built_in_template("gitlab_ci_ymls", key)

    def _readable(self, full_path: str) -> Project | None:
        """The only access to another project: callers who may not read its code do not find it."""
        project = find_project(self._conn, self._actor, full_path)
        return project if project is not None and READ_CODE.allows(self._actor, project) else None
