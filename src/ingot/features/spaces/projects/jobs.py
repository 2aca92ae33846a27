"""Background work of projects: copying forks, counting, packing, checking, tidying and deleting."""

from collections.abc import Mapping
from datetime import timedelta
from functools import partial

from sqlalchemy import Connection, select, update

from ingot.access.tables import projects
from ingot.events import Pushed, RefChange, RepositoryFilled
from ingot.features.spaces.projects.checked_repositories import look_at
from ingot.features.spaces.projects.commands import delete, fork, import_url, refresh, settling, settling_storage
from ingot.features.spaces.projects.commands.filling import empty_if_canceled
from ingot.features.spaces.projects.commands.mirrors import note_start
from ingot.features.spaces.projects.commands.repository import clear_place, make_repository, repository_of
from ingot.features.spaces.projects.kept_commits import commits_to_keep
from ingot.features.spaces.projects.queries.size_limits import find_size_limit
from ingot.features.spaces.projects.settings import project_settings
from ingot.features.spaces.projects.tables import project_fetches
from ingot.gitstore import GitError, Repository, fsck, packing
from ingot.instance import application_setting
from ingot.instance.outbound import is_silent
from ingot.kit.clock import today
from ingot.kit.events import announce
from ingot.kit.jobs import OUTAGE_BACKOFF, OUTAGE_RETRIES, Cancelled, JobFailed, Run, job, periodic
from ingot.kit.outbound import OutboundFailed, UrlRefused
from ingot.kit.sealing import Unreadable
from ingot.kit.services import Services

FETCH_RETENTION = timedelta(days=30)
CHECKED_PER_RUN = 50


@job("delete_project", long=True)
def delete_project(run: Run, project_id: int) -> None:
    """Remove a project that answers 404 already."""
    delete.delete_for_good(run.services, project_id)


def _fork_failed(tx: Connection, args: Mapping[str, object], sentence: str) -> None:
    fork.fail_fork(tx, int(str(args["project_id"])), sentence)


@job("fork_project", failed=_fork_failed, long=True)
def fork_project(run: Run, project_id: int, source_id: int, branch: str | None = None) -> None:
    """Copy the git data, then show what is in it."""
    try:
        run.step("copy", lambda: fork.copy_git_data(run.services, project_id, source_id, branch))
    except fork.RepositoryTooLarge as refusal:
        raise JobFailed(str(refusal)) from None
    except Cancelled:
        empty_if_canceled(run.services, project_id)
        raise
    refresh.refresh_head(run.services, project_id, [branch] if branch else [])
    refresh.refresh_figures(run.services, project_id)
    announce(run.services, RepositoryFilled(project_id))
    run.transact("finish", lambda tx: fork.finish_fork(tx, project_id))


def _import_failed(tx: Connection, args: Mapping[str, object], sentence: str) -> None:
    import_url.fail_import(tx, int(str(args["project_id"])), sentence)


@job("import_repository", retries=2, failed=_import_failed)
def import_repository(run: Run, project_id: int) -> None:
    """Fetch a repository from elsewhere, then show what is in it."""
    with run.db.write() as tx:
        tx.execute(update(projects).where(projects.c.id == project_id).values(import_status="started"))
        note_start(tx, project_id)
    repository = _repository(run, project_id)
    is_first = repository is None or repository.is_empty()
    _require_room(run, project_id, is_first=False)
    try:
        moved = _fetch_origin(run, project_id)
        refresh.refresh_head(run.services, project_id, [])
        refresh.refresh_figures(run.services, project_id)
        _require_room(run, project_id, is_first=is_first)
        run.transact("finish", lambda tx: import_url.finish_import(tx, project_id))
    except Cancelled:
        if is_first:
            empty_if_canceled(run.services, project_id)
        raise
    announce(run.services, RepositoryFilled(project_id))
    _announce_update(run.services, project_id, moved)


def _fetch_origin(run: Run, project_id: int) -> tuple[RefChange, ...]:
    try:
        return import_url.fetch_origin(run.services, project_id)
    except (GitError, UrlRefused, OutboundFailed, Unreadable) as error:
        raise JobFailed(str(error)) from error


def _require_room(run: Run, project_id: int, *, is_first: bool) -> None:
    """Nothing more is fetched into a repository above its limit; what comes first and does not fit goes again."""
    with run.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
        limit = None if project is None else find_size_limit(conn, project_id)
    if project is None or limit is None or not limit.is_exceeded:
        return
    if is_first:
        clear_place(run.services, project.repository_storage, project_id)
        make_repository(run.services, project)
        refresh.refresh_head(run.services, project_id, [])
        refresh.refresh_figures(run.services, project_id)
    raise JobFailed(limit.refuse_import())


def _announce_update(services: Services, project_id: int, moved: tuple[RefChange, ...]) -> None:
    """What moved in a mirror that had something before is a push of the person for whom it is mirrored."""
    with services.db.read() as conn:
        row = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
    settings = None if row is None else project_settings(row)
    if moved and settings is not None and settings.mirror:
        options = () if settings.mirror_trigger_builds else ("ci.no_pipeline",)
        announce(services, Pushed(project_id, settings.mirror_user_id, moved, options))


@periodic("update_mirrors", every=1800)
def update_mirrors(run: Run) -> None:
    """Fetch again what is mirrored."""
    with run.db.write() as tx:
        if is_silent(tx):
            return
        mirrored = projects.c.settings["mirror"].as_boolean().is_(True)
        living = projects.c.pending_delete.is_(False) & projects.c.archived.is_(False)
        rows = tx.execute(select(projects.c.id).where(projects.c.import_url.is_not(None), mirrored, living))
        for project_id in rows.scalars().all():
            import_url.queue_import(tx, project_id)


@job("refresh_project")
def refresh_project(run: Run, project_id: int) -> None:
    """Count commits, bytes and languages; see to a packing where pushes left many files."""
    refresh.refresh_figures(run.services, project_id)
    repository = _repository(run, project_id)
    if repository is not None and packing.needs_packing(repository):
        with run.db.write() as tx:
            refresh.queue_packing(tx, project_id)


def _repository(run: Run, project_id: int) -> Repository | None:
    with run.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
    repository = None if project is None else repository_of(run.services, project)
    return repository if repository is not None and repository.exists() else None


@job("pack_repository", retries=0, long=True)
def pack_repository(run: Run, project_id: int) -> None:
    """Pack what pushes left, so that clones stay cheap; nobody waits for it."""
    repository = _repository(run, project_id)
    if repository is not None:
        packing.pack(repository)


def _referenced_shas(run: Run, project_id: int) -> set[str]:
    with run.db.read() as conn:
        return commits_to_keep(conn, project_id)


@job("settle_storage", retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF, long=True)
def settle_storage(run: Run, project_id: int) -> None:
    """See to it that a project that was moved to another storage, or was to be, lies on one only."""
    if not settling_storage.settle_storage(run.services, project_id):
        with run.db.write() as tx:
            settling_storage.queue_settling(tx, project_id)


@job("tidy_repository", retries=0, long=True)
def tidy_repository(run: Run, project_id: int, task: str = "eager") -> None:
    """Pack a repository; `prune` deletes unreachable objects without waiting two weeks."""
    repository = _repository(run, project_id)
    if repository is not None:
        fsck.tidy(
            repository,
            partial(_referenced_shas, run, project_id),
            expire="30.minutes.ago" if task == "prune" else "2.weeks.ago",
        )
        with run.db.write() as tx:
            # Not counted here: figures from before a push could be written over those from after it.
            refresh.queue_refresh(tx, project_id)


@periodic("delete_marked_projects", every=3600)
def delete_marked_projects(run: Run) -> None:
    """Delete projects whose grace period is over, and resume lost deletions."""
    with run.db.write() as tx:
        days = application_setting(tx, "deletion_adjourned_period")
        due = projects.c.marked_for_deletion_on <= today() - timedelta(days=days)
        rows = tx.execute(select(projects.c.id).where(due | projects.c.pending_delete.is_(True)))
        for project_id in rows.scalars().all():
            delete.delete_soon(tx, project_id)
        tx.execute(project_fetches.delete().where(project_fetches.c.day < today() - FETCH_RETENTION))


@periodic("settle_new_projects", every=60)
def settle_new_projects(run: Run) -> None:
    """Finish projects whose creation broke off."""
    settling.settle_new_projects(run.services, run.check)


@periodic("check_repositories", every=6 * 3600, long=True)
def check_repositories(run: Run) -> None:
    """Check the repositories whose last check is oldest; lists can filter by the result."""
    with run.db.read() as conn:
        oldest = (
            select(projects)
            .where(projects.c.pending_delete.is_(False))
            .order_by(projects.c.checked_at.is_not(None), projects.c.checked_at, projects.c.id)
            .limit(CHECKED_PER_RUN)
        )
        rows = conn.execute(oldest).all()
    for number, row in enumerate(rows):
        run.check()
        run.progress(done=number, total=len(rows))
        settling.settle(run.services, row)
        look_at(run.services, row)
        with_results = refresh.check_integrity(run.services, row)
        with run.db.write() as tx:
            tx.execute(update(projects).where(projects.c.id == row.id).values(**with_results))
