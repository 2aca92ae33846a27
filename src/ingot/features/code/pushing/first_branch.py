"""The first branch of a project: choosing and protecting the default branch."""

from sqlalchemy import Connection, select, update

from ingot.access.levels import DEVELOPER
from ingot.access.rows import ProjectRow
from ingot.access.tables import namespace_ancestors, namespaces, projects
from ingot.features.code.protected_branches import protect_default_branch
from ingot.features.spaces.groups import PROTECTIONS, BranchProtection, GroupSettings
from ingot.features.spaces.projects import queue_refresh, repository_of
from ingot.gitstore import Repository
from ingot.gitstore.listing import branch_names
from ingot.gitstore.refs import find_branch
from ingot.instance import application_setting
from ingot.kit.services import Services

USUAL = ("main", "master")


def settle(services: Services, project: ProjectRow, pushed: list[str]) -> None:
    """A repository that has branches now gets its default branch: HEAD, the project and the protection agree."""
    repository = repository_of(services, project)
    if not pushed or not repository.exists() or repository.is_empty():
        return
    first = choose(repository, project.default_branch, pushed)
    if repository.default_branch() != first:
        repository.set_default_branch(first)
    with services.db.write() as tx:
        tx.execute(update(projects).where(projects.c.id == project.id).values(empty_repo=False, default_branch=first))
        protect_first(tx, project, first)
        # Also where nobody gets to announce the push any more.
        queue_refresh(tx, project.id)


def repair(services: Services, project: ProjectRow, repository: Repository) -> None:
    """Repair a crash between a first push and its follow-up, on the next read."""
    if project.empty_repo and repository.exists() and not repository.is_empty():
        settle(services, project, branch_names(repository))


def choose(repository: Repository, preferred: str | None, pushed: list[str]) -> str:
    """The preferred name if it exists, else HEAD's, else a usual name, else the first that was pushed."""
    for name in (preferred, repository.default_branch()):
        if name and find_branch(repository, name) is not None:
            return name
    return next((name for name in USUAL if name in pushed), pushed[0])


def protect_first(tx: Connection, project: ProjectRow, branch: str) -> None:
    """Protect the default branch as the group or the instance requests."""
    rules = _rules(tx, project)
    if rules == PROTECTIONS[0]:
        return
    protect_default_branch(
        tx,
        project.id,
        branch,
        push=[level.access_level for level in rules.allowed_to_push],
        merge=[level.access_level for level in rules.allowed_to_merge],
        allow_force_push=rules.allow_force_push,
    )


def developers_push_first(conn: Connection, project: ProjectRow) -> bool:
    """Developers may push the initial commit of an empty repository."""
    rules = _rules(conn, project)
    if rules.developer_can_initial_push is True:
        return True
    return any(level.access_level == DEVELOPER for level in rules.allowed_to_push)


def _rules(conn: Connection, project: ProjectRow) -> BranchProtection:
    """Of the nearest group that has a request, else of the instance."""
    above = (
        select(namespaces.c.settings)
        .join(namespace_ancestors, namespace_ancestors.c.ancestor_id == namespaces.c.id)
        .where(namespace_ancestors.c.namespace_id == project.namespace_id, namespaces.c.kind == "group")
        .order_by(namespace_ancestors.c.depth)
    )
    for row in conn.execute(above):
        settings = GroupSettings.of(row)
        if settings.default_branch_protection_defaults is not None:
            return settings.default_branch_protection_defaults
        if settings.default_branch_protection is not None:
            return PROTECTIONS[settings.default_branch_protection]
    return PROTECTIONS[application_setting(conn, "default_branch_protection")]
