"""Importing a repository from a URL, once or repeatedly (mirroring)."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, delete, insert, select, update
from yarl import URL

from ingot.access.tables import projects
from ingot.events import ZERO_SHA, RefChange
from ingot.features.spaces.projects.commands.mirrors import note_end, selection_of
from ingot.features.spaces.projects.commands.repository import make_repository
from ingot.features.spaces.projects.settings import project_settings
from ingot.features.spaces.projects.tables import project_import_logins
from ingot.gitstore.refs import find_branch
from ingot.gitstore.remote import Remote, authorization, default_branch, fetch_all
from ingot.instance import application_settings
from ingot.instance.outbound import outbound_rules
from ingot.kit import jobs
from ingot.kit.clock import now
from ingot.kit.errors import Failure, Forbidden, Invalid
from ingot.kit.outbound import (
    SILENT,
    Limits,
    Outbound,
    OutboundFailed,
    Rules,
    UrlRefused,
    addresses_blocking,
    check_literally,
    check_syntax,
    get_blocking,
)
from ingot.kit.sealing import seal, unseal
from ingot.kit.services import Services

ADVERTISEMENT = "application/x-git-upload-pack-advertisement"


class Origin(msgspec.Struct, frozen=True):
    """The origin of a project: an address that may be shown, and a login that may not."""

    url: str
    login: str | None


def rules_of(services: Services, conn: Connection) -> Rules:
    """What imports may reach."""
    return outbound_rules(services, conn, ("https", "http"))


def checked_origin(services: Services, conn: Connection, url: str, *, probed: bool = True) -> Origin:
    """The origin, if imports by URL are enabled, the address is allowed, and a git repository answers there. One
    that is not probed is refused only as it stands; its name is resolved and checked before each fetch."""
    if "git" not in (application_settings(conn)["import_sources"] or []):
        raise Forbidden
    rules = rules_of(services, conn)
    try:
        origin = _split(check_syntax(url, rules))
        check_literally(origin.url, rules)
    except UrlRefused as refused:
        raise Invalid({"import_url": [f"is blocked: {refused.reason}"]}) from None
    if probed:
        _probe(services, origin, rules)
    return origin


def _split(url: URL) -> Origin:
    """Address and login of a checked URL. Git gets this text, so no parser may read it differently."""
    login = url.raw_user if url.raw_password is None else f"{url.raw_user or ''}:{url.raw_password}"
    plain = url.with_user(None).with_query(None).with_fragment(None)
    # With a final dot it is the same host, but not the same name for which git was told the address.
    plain = plain.with_host((plain.raw_host or "").rstrip("."))
    return Origin(str(plain).rstrip("/"), login or None)


def _probe(services: Services, origin: Origin, rules: Rules) -> None:
    headers = {}
    if origin.login is not None:
        headers["Authorization"] = authorization(origin.login)
    outbound: Outbound = services.outbound or Outbound()
    address = f"{origin.url}/info/refs?service=git-upload-pack"
    try:
        answer = get_blocking(outbound, address, rules, headers=headers, limits=Limits(total=20, redirects=0))
    except UrlRefused as refused:
        raise Invalid({"import_url": [f"is blocked: {refused.reason}"]}) from None
    except OutboundFailed as failed:
        raise Failure(422, f"{origin.url} endpoint error: {failed}") from None
    if answer.status != 200:
        raise Failure(422, f"{origin.url} endpoint error: {answer.status}")
    if not answer.headers.get("Content-Type", "").startswith(ADVERTISEMENT):
        raise Failure(422, f"{origin.url} is not a valid HTTP Git repository")


def require_origin(settings: Mapping[str, object], origin: object) -> None:
    """Refuse to mirror nothing; `origin` is where the project can be pulled from, if there is such a place."""
    if settings.get("mirror") and not origin:
        raise Invalid({"import_url": ["can't be blank"]})


def keep_origin(tx: Connection, services: Services, project_id: int, origin: Origin) -> None:
    """Store the origin; the login is encrypted and stored separately."""
    tx.execute(update(projects).where(projects.c.id == project_id).values(import_url=origin.url, updated_at=now()))
    tx.execute(delete(project_import_logins).where(project_import_logins.c.project_id == project_id))
    if origin.login is not None:
        sealed = seal(services, origin.login)
        tx.execute(insert(project_import_logins).values(project_id=project_id, sealed=sealed))


def stored_login(services: Services, conn: Connection, project_id: int) -> str | None:
    """The login at the project's origin, as addresses spell it."""
    table = project_import_logins
    sealed = conn.execute(select(table.c.sealed).where(table.c.project_id == project_id)).scalar_one_or_none()
    return None if sealed is None else unseal(services, sealed)


def queue_import(tx: Connection, project_id: int) -> None:
    """Fetch in the background; once more, if a fetch is under way that may have seen less."""
    jobs.enqueue(
        tx,
        "import_repository",
        args={"project_id": project_id},
        key=f"import_repository-{project_id}",
        subject=f"project:{project_id}",
        rerun=True,
    )


def fetch_origin(services: Services, project_id: int) -> tuple[RefChange, ...]:
    """Fetch the project's origin into its repository; returns what moved there, unless it was empty before."""
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
        if project is None or not project.import_url:
            return ()
        login = stored_login(services, conn, project_id)
        rules = rules_of(services, conn)
        settings = project_settings(project)
        selection = selection_of(conn, project_id, settings)
    if settings.mirror and rules.is_silent:
        raise UrlRefused(SILENT)
    outbound: Outbound = services.outbound or Outbound()
    # An address may have been stored before it was spelled in ASCII.
    url = _split(check_syntax(project.import_url, rules)).url
    address = addresses_blocking(outbound, url, rules)[0]
    remote = Remote(url, address, login)
    repository = make_repository(services, project)
    was_empty = repository.is_empty()
    moves = fetch_all(repository, remote, selection)
    branch = default_branch(repository, remote)
    if branch is not None and find_branch(repository, branch) is not None:
        repository.set_default_branch(branch)
        with services.db.write() as tx:
            tx.execute(update(projects).where(projects.c.id == project_id).values(default_branch=branch))
    if was_empty:
        return ()
    return tuple(RefChange(ref, old or ZERO_SHA, new or ZERO_SHA) for ref, (old, new) in sorted(moves.items()))


def finish_import(tx: Connection, project_id: int) -> None:
    """The import succeeded; the login is kept only for mirroring."""
    note_end(tx, project_id, succeeded=True)
    values = {"import_status": "finished", "import_error": None, "updated_at": now()}
    tx.execute(update(projects).where(projects.c.id == project_id).values(**values))
    row = tx.execute(select(projects.c.settings).where(projects.c.id == project_id)).one_or_none()
    if row is not None and not project_settings(row).mirror:
        tx.execute(delete(project_import_logins).where(project_import_logins.c.project_id == project_id))


def fail_import(tx: Connection, project_id: int, sentence: str) -> None:
    """The import failed."""
    note_end(tx, project_id, succeeded=False)
    values = {"import_status": "failed", "import_error": sentence, "updated_at": now()}
    tx.execute(update(projects).where(projects.c.id == project_id).values(**values))
