"""From a path and credentials to a repository that may be fetched from or pushed to, or the refusal git should see."""

import msgspec
from sqlalchemy import Connection
from starlette.requests import Request

from ingot.access.addresses import limit_by_address
from ingot.access.namespaces import top_of
from ingot.access.policy import DOWNLOAD_CODE
from ingot.access.subjects import Project, find_moved_project, find_project
from ingot.features.code.git_http import deploy_tokens, job_tokens, wikis
from ingot.features.code.git_http.credentials import authenticate, may_write
from ingot.features.code.git_http.refusals import (
    ARCHIVED,
    NO_DOWNLOAD,
    NO_HTTP,
    NO_REPOSITORY,
    NO_UPLOAD,
    READ_ONLY,
    GitRefused,
    forbidden,
    moved,
    not_found,
    unauthorized,
)
from ingot.features.code.git_http.wikis import OpenedWiki
from ingot.features.code.pushing import NO_PUSH, PushRights, load_rights, repair
from ingot.features.spaces.deploy_tokens import DeployTokenRow
from ingot.features.spaces.projects import make_repository, repository_of
from ingot.gitstore import Repository
from ingot.gitstore.smart_http import RECEIVE_PACK
from ingot.instance import application_setting
from ingot.instance.throttling import address_name
from ingot.kit.actor import ANONYMOUS, Actor
from ingot.kit.services import Services

COMING = ("scheduled", "started")  # an import or fork fills the repository


class GitRequest(msgspec.Struct, frozen=True):
    """One request, as far as access is concerned."""

    path: str  # without `.git`
    service: str
    authorization: str
    base_url: str
    rest: str  # what follows the project's address, query included
    request: Request

    @property
    def pushes(self) -> bool:
        """The service changes the repository."""
        return self.service == RECEIVE_PACK


class Opened(msgspec.Struct, frozen=True):
    """A repository that the actor may use for the request."""

    actor: Actor
    project: Project
    repository: Repository


def open_any(services: Services, git_request: GitRequest) -> Opened | OpenedWiki:
    """The repository or wiki that the address names, or the refusal."""
    if not git_request.path.endswith(wikis.WIKI_SUFFIX):
        return open_for(services, git_request)
    return _open_wiki(services, git_request) or open_for(services, git_request)


def _open_wiki(services: Services, git_request: GitRequest) -> OpenedWiki | None:
    path = git_request.path
    with services.db.read() as conn:
        machine, actor = _identify(services, conn, git_request)
        place = wikis.find_wiki_of_token(conn, actor, machine, path) if machine else None
        if place is not None:
            _require_protocol(conn, actor, git_request, place.namespace_id)
            wikis.require_machine_fetch(place, pushes=git_request.pushes)
            return wikis.open_wiki(services, actor, place)
        place = wikis.find_wiki(services, conn, actor, path)
        if place is None:
            other = wikis.find_moved_wiki(conn, actor, path)
            if other is not None:
                raise moved(f"{git_request.base_url}/{other.owner.full_path}.wiki.git/{git_request.rest}")
            return None
        _require_protocol(conn, actor, git_request, place.namespace_id)
        if git_request.pushes:
            wikis.require_wiki_push(actor, place)
        else:
            wikis.require_wiki_fetch(conn, actor, place)
    return wikis.open_wiki(services, actor, place)


def _identify(services: Services, conn: Connection, git_request: GitRequest) -> tuple[DeployTokenRow | None, Actor]:
    """The deploy token of the request, or the actor."""
    machine = deploy_tokens.find_token(conn, git_request.authorization)
    actor = ANONYMOUS
    if machine is None:
        address = address_name(git_request.request)
        actor = authenticate(services, conn, git_request.authorization, git_request.base_url, address)
    return machine, limit_by_address(services, actor, git_request.request)


def open_for(services: Services, git_request: GitRequest, known: Actor | None = None) -> Opened:
    """Let the request through, or raise the refusal. `known`: who sent it, where a token of another kind says it."""
    with services.db.read() as conn:
        if known is None:
            machine, actor = _identify(services, conn, git_request)
        else:
            machine, actor = None, limit_by_address(services, known, git_request.request)
        project = deploy_tokens.find_project_of(conn, actor, machine, git_request.path) if machine else None
        if project is None:
            project = _find(conn, actor, git_request)
            machine = None
        _require_protocol(conn, actor, git_request, project.namespace_id)
        if machine:
            deploy_tokens.require_fetch(project, pushes=git_request.pushes)
        elif git_request.pushes:
            require_push(conn, actor, project)
        else:
            require_fetch(conn, actor, project)
    return Opened(actor, project, open_repository(services, project))


def open_repository(services: Services, project: Project) -> Repository:
    """The project's repository, whole; refused while it is still being filled."""
    repository = repository_of(services, project)
    if not repository.exists():
        if project.import_status in COMING:
            raise not_found(NO_REPOSITORY)
        repository = make_repository(services, project)  # lost in a crash right after the project's creation
    repair(services, project, repository)
    return repository


def _find(conn: Connection, actor: Actor, git_request: GitRequest) -> Project:
    project = find_project(conn, actor, git_request.path) if "/" in git_request.path else None
    if project is not None:
        return project
    other = find_moved_project(conn, actor, git_request.path)
    if other is not None:
        raise moved(f"{git_request.base_url}/{other.full_path}.git/{git_request.rest}")
    # Do not reveal whether it exists: anonymous callers are asked to authenticate.
    raise unauthorized() if actor.is_anonymous else not_found()


def _require_protocol(conn: Connection, actor: Actor, git_request: GitRequest, namespace_id: int) -> None:
    if actor.token_kind == "job" and not git_request.pushes:
        return  # runners fetch by HTTP whatever people use
    if application_setting(conn, "enabled_git_access_protocol") == "ssh":
        raise forbidden(NO_HTTP)
    # spec: groups - a top-level group can confine git to SSH
    if top_of(conn, namespace_id).settings.get("enabled_git_access_protocol") in ("ssh", "ssh_certificates"):
        raise forbidden(NO_HTTP)


def _refuse(actor: Actor, text: str) -> GitRefused:
    return unauthorized() if actor.is_anonymous else forbidden(text)


def require_fetch(conn: Connection, actor: Actor, project: Project) -> None:
    """Refuse an actor who may not download the project's code."""
    if not DOWNLOAD_CODE.allows(actor, project):
        raise _refuse(actor, NO_DOWNLOAD)
    job_tokens.require_fetch(conn, actor, project)


def require_push(conn: Connection, actor: Actor, project: Project) -> PushRights:
    """Refuse an actor who may push nowhere in the project."""
    if actor.is_anonymous:
        raise unauthorized()
    if not may_write(actor) or (actor.token_kind == "job" and not job_tokens.may_push(actor, project)):
        raise forbidden(NO_UPLOAD)
    if project.archived:
        raise forbidden(ARCHIVED)
    if project.import_status in COMING:
        raise forbidden(READ_ONLY)
    rights = load_rights(conn, actor, project)
    if not rights.may_push_somewhere:
        raise forbidden(NO_PUSH)
    return rights
