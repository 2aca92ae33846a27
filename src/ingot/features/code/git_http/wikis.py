"""Wikis at `….wiki.git`: from a path and an actor to a repository that may be fetched from or pushed to."""

import msgspec
from sqlalchemy import Connection

from ingot.access.levels import Feature
from ingot.access.subjects import Group, Project, find_group, find_moved_project, find_project
from ingot.features.code.git_http import deploy_tokens, job_tokens
from ingot.features.code.git_http.credentials import may_write
from ingot.features.code.git_http.refusals import ARCHIVED, NO_UPLOAD, forbidden, not_found, unauthorized
from ingot.features.code.wikis import (
    DOWNLOAD_GROUP_WIKI,
    DOWNLOAD_WIKI,
    WRITE_GROUP_WIKI,
    WRITE_WIKI,
    Wiki,
    make_repository,
    wiki_of_group,
    wiki_of_project,
)
from ingot.features.spaces.deploy_tokens import DeployTokenRow
from ingot.gitstore import Repository
from ingot.instance import application_setting
from ingot.kit.actor import Actor
from ingot.kit.services import Services

WIKI_SUFFIX = ".wiki"
NO_WIKI_DOWNLOAD = "You are not allowed to download files from this wiki."
NO_WIKI_PUSH = "You are not allowed to write to this project's wiki."
NO_PAGES = "The wiki has no pages yet."


class WikiPlace(msgspec.Struct, frozen=True):
    """The project or group whose wiki an address names."""

    owner: Project | Group

    @property
    def project(self) -> Project | None:
        """The project, unless it is a group."""
        return self.owner if isinstance(self.owner, Project) else None

    @property
    def namespace_id(self) -> int:
        """The group, or the namespace of the project."""
        return int(self.owner.namespace_id if isinstance(self.owner, Project) else self.owner.id)

    def may_read(self, actor: Actor) -> bool:
        """The actor may fetch."""
        if isinstance(self.owner, Project):
            return DOWNLOAD_WIKI.allows(actor, self.owner)
        return DOWNLOAD_GROUP_WIKI.allows(actor, self.owner)

    def may_write(self, actor: Actor) -> bool:
        """The actor may push."""
        if isinstance(self.owner, Project):
            return WRITE_WIKI.allows(actor, self.owner)
        return WRITE_GROUP_WIKI.allows(actor, self.owner)

    def wiki(self, services: Services) -> Wiki:
        """The wiki itself."""
        if isinstance(self.owner, Project):
            return wiki_of_project(services, self.owner.row)
        return wiki_of_group(services, self.owner.row)


class OpenedWiki(msgspec.Struct, frozen=True):
    """A wiki that the actor may use for the request."""

    actor: Actor
    place: WikiPlace
    wiki: Wiki

    @property
    def repository(self) -> Repository:
        """Its repository."""
        return self.wiki.repository


def find_wiki(services: Services, conn: Connection, actor: Actor, path: str) -> WikiPlace | None:
    """Whose wiki the path names, as far as the actor sees it. A project may have a name that ends so too."""
    if not path.endswith(WIKI_SUFFIX) or not path.isprintable():
        return None
    owner_path = path.removesuffix(WIKI_SUFFIX)
    if "/" in path and find_project(conn, actor, path) is not None:
        return None
    project = find_project(conn, actor, owner_path) if "/" in owner_path else None
    if project is not None:
        return WikiPlace(project)
    if owner_path.isdecimal() or not services.settings.has_tier("premium"):
        return None
    group = find_group(conn, actor, owner_path)
    return None if group is None else WikiPlace(group)


def find_wiki_of_token(conn: Connection, actor: Actor, token: DeployTokenRow, path: str) -> WikiPlace | None:
    """The wiki that a deploy token opens."""
    if not path.endswith(WIKI_SUFFIX):
        return None
    project = deploy_tokens.find_project_of(conn, actor, token, path.removesuffix(WIKI_SUFFIX))
    return None if project is None else WikiPlace(project)


def find_moved_wiki(conn: Connection, actor: Actor, path: str) -> WikiPlace | None:
    """The wiki of a project that had this path before."""
    project = find_moved_project(conn, actor, path.removesuffix(WIKI_SUFFIX)) if path.endswith(WIKI_SUFFIX) else None
    return None if project is None else WikiPlace(project)


def require_wiki_fetch(conn: Connection, actor: Actor, place: WikiPlace) -> None:
    """Refuse an actor who may not download the wiki."""
    if not place.may_read(actor):
        raise unauthorized() if actor.is_anonymous else forbidden(NO_WIKI_DOWNLOAD)
    if place.project is not None:
        job_tokens.require_fetch(conn, actor, place.project)
    elif actor.token_kind == "job":
        raise forbidden(NO_WIKI_DOWNLOAD)


def require_wiki_push(actor: Actor, place: WikiPlace) -> None:
    """Refuse an actor who may not push to the wiki. Job tokens never do."""
    if actor.is_anonymous:
        raise unauthorized()
    if not may_write(actor) or actor.token_kind == "job":
        raise forbidden(NO_UPLOAD)
    if place.project is not None and place.project.archived:
        raise forbidden(ARCHIVED)
    if not place.may_write(actor):
        raise forbidden(NO_WIKI_PUSH)


def require_machine_fetch(place: WikiPlace, *, pushes: bool) -> None:
    """Deploy tokens and keys read the wiki of their project where it is switched on; they write none."""
    if pushes:
        raise forbidden(NO_UPLOAD)
    if place.project is None or place.project.feature("wiki") is Feature.DISABLED:
        raise forbidden(NO_WIKI_DOWNLOAD)


def open_wiki(services: Services, actor: Actor, place: WikiPlace) -> OpenedWiki:
    """The wiki's repository; the first who may write to it creates it."""
    wiki = place.wiki(services)
    if not wiki.repository.exists():
        if not place.may_write(actor):
            # Git sends credentials only when it is asked for them.
            raise unauthorized() if actor.is_anonymous else not_found(NO_PAGES)
        with services.db.read() as conn:
            branch = str(application_setting(conn, "default_branch_name") or "main")
        make_repository(wiki, branch)
    return OpenedWiki(actor, place, wiki)
