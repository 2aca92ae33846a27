"""Sources of templates: folders of the project itself, or of projects chosen by parent groups and the instance, and
what comes with the server.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.access.subjects import Project, find_project
from ingot.features.code.file_templates.built_in import ENDINGS, built_in_keys, built_in_template
from ingot.features.spaces.groups import file_template_projects
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import objects, revisions
from ingot.gitstore.errors import PathNotFound
from ingot.gitstore.model import TreeEntry, text
from ingot.instance import application_setting


class Folder(NamedTuple):
    """The files of one type of templates."""

    path: str
    ending: str
    is_own: bool = False  # in the project itself; else in the projects chosen by groups and the instance


FOLDERS = {
    "dockerfiles": Folder("Dockerfile", ".dockerfile"),
    "gitignores": Folder("gitignore", ".gitignore"),
    "gitlab_ci_ymls": Folder("gitlab-ci", ".yml"),
    "licenses": Folder("LICENSE", ".txt"),
    "issues": Folder(".gitlab/issue_templates", ".md", is_own=True),
    "merge_requests": Folder(".gitlab/merge_request_templates", ".md", is_own=True),
}
LARGEST = 1 << 20


def template_names(call: Call, kind: str) -> list[str]:
    """The names of all templates of a type: the chosen ones in order, then those that come with the server."""
    folder = FOLDERS[kind]
    names = sorted(
        {_name(entry, folder) for source in _sources(call, folder) for entry in _files(call, source, folder)}
    )
    return list(dict.fromkeys([*names, *(built_in_keys(kind) if kind in ENDINGS else ())]))


def find_template(call: Call, kind: str, name: str, source_id: int | None) -> str | None:
    """The text of a template; that of the nearest source where several have one of the name."""
    folder = FOLDERS[kind]
    for source in _sources(call, folder):
        if source_id is not None and source.id != source_id:
            continue
        for entry in _files(call, source, folder):
            repository = repository_of(call.services, source)
            if _name(entry, folder) == name and (objects.blob_size(repository, entry.id) or 0) <= LARGEST:
                return text(objects.read_blob(repository, entry.id))
    return built_in_template(kind, name) if source_id is None else None


def _sources(call: Call, folder: Folder) -> Iterator[Project]:
    """The source projects whose code the caller may read."""
    if folder.is_own:
        READ_CODE.require(call.actor, call.project)
        yield call.project
    elif call.services.settings.has_tier("premium"):
        instance = application_setting(call.conn, "file_template_project_id")
        project_ids = [*file_template_projects(call.conn, call.project.namespace_id), instance]
        for project_id in dict.fromkeys(number for number in project_ids if number is not None):
            project = find_project(call.conn, call.actor, project_id)
            if project is not None and READ_CODE.allows(call.actor, project):
                yield project


def _files(call: Call, source: Project, folder: Folder) -> list[TreeEntry]:
    repository = repository_of(call.services, source)
    sha = revisions.find(repository, str(source.default_branch)) if repository.exists() else None
    if sha is None:
        return []
    try:
        entries = objects.list_tree(repository, sha, folder.path)
    except PathNotFound:
        return []
    return [entry for entry in entries if entry.type == "blob" and entry.name.endswith(folder.ending)]


def _name(entry: TreeEntry, folder: Folder) -> str:
    return entry.name.removesuffix(folder.ending)
