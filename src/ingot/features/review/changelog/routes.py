"""Endpoints of changelogs."""

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.features.code.pushing import load_rights
from ingot.features.code.repository import CHANGE_CODE, caller, commit
from ingot.features.review.changelog.errors import Ungenerated
from ingot.features.review.changelog.notes import notes_of
from ingot.features.review.changelog.params import ChangelogRange, WriteChangelog
from ingot.features.review.changelog.versions import with_section
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Repository, log, objects, refs
from ingot.gitstore.commit import CommitOptions, FileAction
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import Forbidden, NotFound

routes = Routes("Changelogs", guard=READ_CODE, waits=True)
PATH = "/projects/{id}/repository/changelog"
NOT_HERE = "You are not allowed to commit a changelog on this branch"


class ChangelogNotes(Entity):
    """Release notes in Markdown."""

    notes: str


def _repository(call: Call) -> Repository:
    repository = repository_of(call.services, call.project)
    if not repository.exists() or repository.is_empty():
        raise NotFound("Repository")
    return repository


def _default(call: Call, repository: Repository) -> str:
    return str(call.project.default_branch or repository.default_branch())


@routes.get(PATH, guard_first=True, params=ChangelogRange, returns=ChangelogNotes, errors=(422,))
def get_changelog(call: Call[ChangelogRange]) -> Answer:
    """The notes of a version: commits whose messages have the trailer, by category."""
    repository = _repository(call)
    return ChangelogNotes(notes=notes_of(call, repository, _default(call, repository)))


@routes.post(PATH, guard=CHANGE_CODE, guard_first=True, params=WriteChangelog, returns=bool, status=200, errors=(422,))
def write_changelog(call: Call[WriteChangelog]) -> Answer:
    """Commit the notes of a version to the changelog, before the versions below it."""
    options, repository = call.params, _repository(call)
    branch = options.branch or _default(call, repository)
    if not load_rights(call.conn, call.actor, call.project).may_push(branch):
        raise Forbidden(NOT_HERE)
    head = refs.find_ref(repository, f"refs/heads/{branch}")
    if head is None:
        raise Ungenerated(f"The branch {branch} does not exist")
    section = notes_of(call, repository, _default(call, repository))
    known = objects.find_blob(repository, head, options.file)
    text = known.content.decode("utf-8", "replace") if known is not None else ""
    content, file = with_section(text, options.version, section), options.file
    last = None if known is None else log.last_commit_of_path(repository, head, file)
    action = FileAction("create" if known is None else "update", file, content, last_commit_id=last)
    message = options.message or f"Add changelog for version {options.version}"
    person = caller(call)
    commit(call, repository, CommitOptions(branch, message, [action], person, person))
    return True
