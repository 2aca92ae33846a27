"""Facts about a repository that a project shows: read from git after a push, so that lists never run git."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from ingot.access.rows import BranchRow, ProjectRow
from ingot.access.tables import projects
from ingot.features.spaces.projects.commands.repository import repository_of
from ingot.features.spaces.projects.tables import SIZES, project_languages, project_statistics
from ingot.gitstore import Repository, fsck
from ingot.gitstore.languages import languages
from ingot.gitstore.licences import find_licence
from ingot.gitstore.listing import branch_names
from ingot.gitstore.log import LogQuery, count
from ingot.gitstore.objects import list_tree
from ingot.gitstore.readmes import find_readme
from ingot.gitstore.refs import find_branch
from ingot.kit import jobs
from ingot.kit.clock import now
from ingot.kit.services import Services

# What `refresh_head` compares, and where the repository is.
_SHOWN = select(
    projects.c.id,
    projects.c.repository_storage,
    projects.c.default_branch,
    projects.c.empty_repo,
    projects.c.readme_path,
    projects.c.licence_path,
    projects.c.licence,
).where(projects.c.id == bindparam("project_id"))
# Counted occasionally in the background, not while the pusher waits.
_PAUSE = timedelta(seconds=1)


# Called with the head of the default branch, in the transaction that writes the figures.
Follower = Callable[[Connection, int, str | None], None]
_followers: list[Follower] = []


def follows_refresh(follower: Follower) -> Follower:
    """Register what else follows from the files of the default branch."""
    _followers.append(follower)
    return follower


def refresh_head(services: Services, project_id: int, pushed: list[str]) -> None:
    """Update default branch, README and licence at once: the next read shows them."""
    with services.db.read() as conn:
        project = conn.execute(_SHOWN, {"project_id": project_id}).one_or_none()
    if project is None or (pushed and project.default_branch not in pushed and not project.empty_repo):
        return
    repository = repository_of(services, project)
    branch = _default_branch(repository, project, pushed)
    head = find_branch(repository, branch) if branch else None
    values = {"default_branch": branch or project.default_branch, "empty_repo": repository.is_empty()}
    values |= _files(repository, head)
    if branch and repository.default_branch() != branch:
        repository.set_default_branch(branch)
    if any(getattr(project, name) != value for name, value in values.items()):
        with services.db.write() as tx:
            tx.execute(update(projects).where(projects.c.id == project_id).values(**values))
            if project.empty_repo:
                queue_refresh(tx, project_id)


def queue_refresh(tx: Connection, project_id: int) -> None:
    """Queue a count of commits, bytes and languages."""
    jobs.enqueue(
        tx,
        "refresh_project",
        args={"project_id": project_id},
        key=f"refresh_project-{project_id}",
        subject=f"project:{project_id}",
        run_after=now() + _PAUSE,
        rerun=True,
    )


def queue_packing(tx: Connection, project_id: int) -> None:
    """Queue a packing of the repository."""
    jobs.enqueue(
        tx,
        "pack_repository",
        args={"project_id": project_id},
        key=f"pack_repository-{project_id}",
        subject=f"project:{project_id}",
    )


def refresh_figures(services: Services, project_id: int) -> None:
    """Statistics of the repository and its languages."""
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
    if project is None:
        return
    repository = repository_of(services, project)
    head = find_branch(repository, project.default_branch) if repository.exists() and project.default_branch else None
    figures = {
        "commit_count": count(repository, LogQuery(include=[head])) if head else 0,
        "repository_size": repository.size() if repository.exists() else 0,
    }
    wiki = repository_of(services, project, "wiki")
    figures["wiki_size"] = wiki.size() if wiki.exists() else 0
    shares = languages(repository, head) if head else {}
    with services.db.write() as tx:
        tx.execute(update(project_statistics).where(project_statistics.c.project_id == project_id).values(**figures))
        total_storage(tx, project_id)
        _set_languages(tx, project_id, shares)
        for follow in _followers:
            follow(tx, project_id, head)


def change_size(tx: Connection, project_id: int, name: str, change: int) -> None:
    """Add to a size (`job_artifacts_size`, `uploads_size`, …) when a feature stores or removes bytes."""
    if name not in SIZES:
        raise ValueError(f"projects have no size named {name}")
    table = project_statistics
    here = update(table).where(table.c.project_id == project_id)
    tx.execute(here.values({name: table.c[name] + change, "storage_size": table.c.storage_size + change}))


def total_storage(tx: Connection, project_id: int) -> None:
    """The sum of all sizes."""
    total: Any = sum((project_statistics.c[name] for name in SIZES[1:]), start=project_statistics.c[SIZES[0]])
    tx.execute(
        update(project_statistics).where(project_statistics.c.project_id == project_id).values(storage_size=total)
    )


def _default_branch(repository: Repository, project: BranchRow, pushed: list[str]) -> str | None:
    """The configured one while it exists; else the first that was pushed into an empty repository."""
    if project.default_branch and find_branch(repository, project.default_branch):
        return str(project.default_branch)
    if not project.empty_repo:
        return str(project.default_branch) if project.default_branch else None
    present = branch_names(repository)
    usual = [name for name in ("main", "master") if name in present]
    return next(iter([name for name in usual if name in pushed] + [name for name in pushed if name in present]), None)


def _files(repository: Repository, head: str | None) -> dict[str, Any]:
    if head is None:
        return {"readme_path": None, "licence_path": None, "licence": None}
    entries = list_tree(repository, head)
    licence = find_licence(repository, entries)
    readme = find_readme(entries)
    shown = None
    if licence is not None:
        shown = {
            "key": licence.key,
            "name": licence.name,
            "nickname": licence.nickname,
            "html_url": licence.html_url,
            "source_url": None,
        }
    return {
        "readme_path": readme.path if readme else None,
        "licence_path": None if licence is None else licence.path,
        "licence": shown,
    }


def _set_languages(tx: Connection, project_id: int, shares: dict[str, float]) -> None:
    tx.execute(delete(project_languages).where(project_languages.c.project_id == project_id))
    rows = [
        {"project_id": project_id, "name": name, "name_lower": name.lower(), "share": share}
        for name, share in shares.items()
    ]
    if rows:
        tx.execute(insert(project_languages), rows)


# A fork or an import without its repository, not yet or for good.
UNFILLED = ("scheduled", "started", "failed", "canceled")


def check_integrity(services: Services, project: ProjectRow) -> dict[str, Any]:
    """Check the project's repositories; returns the columns with the result.

    Used by periodic work and `ingot doctor`.
    """
    result: dict[str, Any] = {"checked_at": now()}
    for kind, column in (("", "repository_checksum_failed"), ("wiki", "wiki_checksum_failed")):
        repository = repository_of(services, project, kind)
        # A wiki is created with its first page; the repository is there once a fork or an import has succeeded.
        is_expected = not kind and project.import_status not in UNFILLED
        result[column] = (repository.exists() or is_expected) and not fsck.check(repository).is_sound
    return result
