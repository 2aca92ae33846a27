"""From a key and a path to a repository that may be fetched from or pushed to, or the sentence for the terminal."""

import msgspec
from sqlalchemy import Connection, select

from ingot.access.addresses import limit_by_host
from ingot.access.levels import Feature
from ingot.access.namespaces import top_of
from ingot.access.subjects import Project, find_moved_project, find_project
from ingot.access.tables import projects
from ingot.access.visibility import is_let_in
from ingot.features.code.git_http import (
    NO_DOWNLOAD,
    PROJECT_NOT_FOUND,
    WIKI_SUFFIX,
    GitRefused,
    Opened,
    OpenedWiki,
    WikiPlace,
    find_moved_wiki,
    find_wiki,
    open_repository,
    open_wiki,
    require_fetch,
    require_machine_fetch,
    require_push,
    require_wiki_fetch,
    require_wiki_push,
)
from ingot.features.code.git_ssh.holders import Holder, KeyName, KeyRefused, load_holder, note_key_use
from ingot.features.code.git_ssh.texts import NO_SSH, READ_ONLY_KEY
from ingot.features.spaces.deploy_keys import deploy_key_may_push
from ingot.instance import application_setting
from ingot.kit.actor import Actor
from ingot.kit.services import Services

ANYWHERE = Actor(is_admin=True)  # finds every project; what a deploy key opens is looked up afterwards


class Caller(msgspec.Struct, frozen=True):
    """The caller: which key, and from which address."""

    key: KeyName
    host: str
    base_url: str


class Entry(msgspec.Struct, frozen=True):
    """An open repository, with messages for its user."""

    holder: Holder
    opened: Opened
    former_path: str | None = None


class WikiEntry(msgspec.Struct, frozen=True):
    """An open wiki."""

    holder: Holder
    opened: OpenedWiki


def recognize(services: Services, caller: Caller) -> Holder:
    """The owner of the key, for commands without a project. Records the use of the key."""
    with services.db.read() as conn:
        holder = load_holder(services, conn, caller.key, caller.base_url)
    note_key_use(services, caller.key)
    return holder


def open_for(services: Services, caller: Caller, path: str, *, pushes: bool) -> Entry | WikiEntry:
    """Open the repository or wiki, or raise `KeyRefused` with the message. Records the use of the key."""
    entry: Entry | WikiEntry | None = None
    if path.endswith(WIKI_SUFFIX):
        entry = find_wiki_entry(services, caller, path, pushes=pushes)
    if entry is None:
        entry = find_entry(services, caller, path, pushes=pushes)
    note_key_use(services, caller.key)
    return entry


def find_wiki_entry(services: Services, caller: Caller, path: str, *, pushes: bool) -> WikiEntry | None:
    """The wiki that a path names; None where it names something else."""
    with services.db.read() as conn:
        _require_instance_protocol(conn)
        holder = load_holder(services, conn, caller.key, caller.base_url)
        actor = limit_by_host(services, holder.actor, caller.host)
        seeker = actor if holder.deploy_key_id is None else ANYWHERE
        place = find_wiki(services, conn, seeker, path) or find_moved_wiki(conn, seeker, path)
        if place is None or (holder.deploy_key_id is not None and not _opens_wiki(conn, holder, actor, place)):
            return None
        _require_protocol(conn, place.namespace_id)
        try:
            _require_wiki_right(conn, holder, actor, place, pushes=pushes)
        except GitRefused as refused:
            raise KeyRefused(refused.text) from None
    try:
        return WikiEntry(holder, open_wiki(services, actor, place))
    except GitRefused as refused:
        raise KeyRefused(refused.text) from None


def _opens_wiki(conn: Connection, holder: Holder, actor: Actor, place: WikiPlace) -> bool:
    """A deploy key opens the wiki of its own projects."""
    return place.project is not None and _is_open_to(conn, holder, actor, place.project)


def _require_wiki_right(conn: Connection, holder: Holder, actor: Actor, place: WikiPlace, *, pushes: bool) -> None:
    if holder.deploy_key_id is not None:
        require_machine_fetch(place, pushes=pushes)
    elif pushes:
        require_wiki_push(actor, place)
    else:
        require_wiki_fetch(conn, actor, place)


def find_entry(services: Services, caller: Caller, path: str, *, pushes: bool) -> Entry:
    """As `open_for`, for requests that the key itself was not used for."""
    with services.db.read() as conn:
        _require_instance_protocol(conn)
        holder = load_holder(services, conn, caller.key, caller.base_url)
        actor = limit_by_host(services, holder.actor, caller.host)
        project = _find(conn, holder, actor, path)
        _require_protocol(conn, project.namespace_id)
        try:
            _require_right(conn, holder, actor, project, pushes=pushes)
        except GitRefused as refused:
            raise KeyRefused(refused.text) from None
    try:
        opened = Opened(actor, project, open_repository(services, project))
    except GitRefused as refused:
        raise KeyRefused(refused.text) from None
    is_former = project.full_path.lower() != path.lower()
    return Entry(holder, opened, path if is_former else None)


def _find(conn: Connection, holder: Holder, actor: Actor, path: str) -> Project:
    # Only the database says what a path means; it never becomes part of a file name.
    seeker = actor if holder.deploy_key_id is None else ANYWHERE
    project = None
    if "/" in path and path.isprintable():
        project = find_project(conn, seeker, path) or find_moved_project(conn, seeker, path)
    if project is None or not _is_open_to(conn, holder, actor, project):
        raise KeyRefused(PROJECT_NOT_FOUND)
    return project


def _is_open_to(conn: Connection, holder: Holder, actor: Actor, project: Project) -> bool:
    """A deploy key finds its own projects only, and those only from addresses that they let in."""
    if holder.deploy_key_id is None:
        return True
    if deploy_key_may_push(conn, holder.deploy_key_id, project.id) is None:
        return False
    let_in = select(projects.c.id).where(projects.c.id == project.id, *is_let_in(actor, projects.c.namespace_id))
    return conn.execute(let_in).first() is not None


def _require_instance_protocol(conn: Connection) -> None:
    if application_setting(conn, "enabled_git_access_protocol") == "http":
        raise KeyRefused(NO_SSH)


def _require_protocol(conn: Connection, namespace_id: int) -> None:
    if top_of(conn, namespace_id).settings.get("enabled_git_access_protocol") == "http":
        raise KeyRefused(NO_SSH)


def _require_right(conn: Connection, holder: Holder, actor: Actor, project: Project, *, pushes: bool) -> None:
    if holder.deploy_key_id is None:
        (require_push if pushes else require_fetch)(conn, actor, project)
    elif not pushes:
        if project.feature("repository") is Feature.DISABLED:
            raise KeyRefused(NO_DOWNLOAD)
    elif deploy_key_may_push(conn, holder.deploy_key_id, project.id) is not True or actor.is_anonymous:
        raise KeyRefused(READ_ONLY_KEY)
    else:
        # A deploy key pushes as the user who added it, with at most their rights.
        own = find_project(conn, actor, project.id)
        if own is None:
            raise KeyRefused(READ_ONLY_KEY)
        require_push(conn, actor, own)
