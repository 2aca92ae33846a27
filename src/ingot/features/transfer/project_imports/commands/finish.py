"""After the tree: refs of merge requests, counters, and the project that an overwrite replaces."""

from sqlalchemy import Connection, func, select, update

from ingot.access.authorizations import refresh_projects
from ingot.access.rows import ProjectRow
from ingot.access.tables import members, project_group_links, projects
from ingot.features.code.lfs_objects import move_objects
from ingot.features.people.invitations import invitations
from ingot.features.planning.issues import issues
from ingot.features.review.merge_requests import head_ref, merge_requests
from ingot.features.spaces.deploy_keys import move_deploy_keys
from ingot.features.spaces.projects import project_stars, search_values
from ingot.gitstore import GitError, Repository, refs
from ingot.gitstore.model import ZERO_ID
from ingot.gitstore.refs import RefUpdate
from ingot.kit.clock import now
from ingot.kit.jobs.errors import is_transient
from ingot.kit.services import Services


def restore_refs(services: Services, project_id: int, repository: Repository) -> int:
    """`refs/merge-requests/:iid/head` for every request whose head is there."""
    if not repository.exists():
        return 0
    count = 0
    with services.db.read() as conn:
        rows = conn.execute(
            select(merge_requests.c.iid, merge_requests.c.head_sha)
            .where(merge_requests.c.project_id == project_id, merge_requests.c.head_sha.is_not(None))
            .order_by(merge_requests.c.id)
        ).all()
    for row in rows:
        if repository.find_object(row.head_sha) is None:
            continue
        try:
            _point(repository, head_ref(row.iid), row.head_sha)
            count += 1
        except GitError as error:
            if is_transient(error):  # a full disk, a busy repository
                raise
    return count


def _point(repository: Repository, ref: str, sha: str) -> None:
    old = refs.find_ref(repository, ref)
    if old != sha:
        refs.update(repository, [RefUpdate(ref, sha, old or ZERO_ID)])


def flush_counters(tx: Connection, project_id: int) -> None:
    """Numbers that the project's row shows."""
    opened = select(func.count()).where(issues.c.project_id == project_id, issues.c.state == "opened").scalar_subquery()
    moment = now()
    tx.execute(
        update(projects)
        .where(projects.c.id == project_id)
        .values(open_issues_count=opened, last_activity_at=moment, updated_at=moment)
    )


def take_place(tx: Connection, new_id: int, old: ProjectRow, name: str, path: str) -> None:
    """Stars, members, invitations, deploy keys, large files and forks of the old project move over; the new one takes
    its name and path."""
    known = select(members.c.user_id).where(members.c.project_id == new_id)
    tx.execute(
        update(members).where(members.c.project_id == old.id, members.c.user_id.not_in(known)).values(project_id=new_id)
    )
    invited = select(invitations.c.email_lower).where(invitations.c.project_id == new_id)
    tx.execute(
        update(invitations)
        .where(invitations.c.project_id == old.id, invitations.c.email_lower.not_in(invited))
        .values(project_id=new_id)
    )
    shared = select(project_group_links.c.group_id).where(project_group_links.c.project_id == new_id)
    tx.execute(
        update(project_group_links)
        .where(project_group_links.c.project_id == old.id, project_group_links.c.group_id.not_in(shared))
        .values(project_id=new_id)
    )
    starred = select(project_stars.c.user_id).where(project_stars.c.project_id == new_id)
    moved = tx.execute(
        update(project_stars)
        .where(project_stars.c.project_id == old.id, project_stars.c.user_id.not_in(starred))
        .values(project_id=new_id)
    ).rowcount
    move_objects(tx, old.id, new_id)
    move_deploy_keys(tx, old.id, new_id)
    tx.execute(update(projects).where(projects.c.forked_from_id == old.id).values(forked_from_id=new_id))
    parent = old.full_path.rpartition("/")[0]
    gone = f"{path}-replaced-{old.id}"
    tx.execute(
        update(projects)
        .where(projects.c.id == old.id)
        .values(
            name=f"{old.name}-replaced-{old.id}"[:255],
            path=gone[:255],
            full_path=f"{parent}/{gone}",
            full_path_lower=f"{parent}/{gone}".lower(),
            pending_delete=True,
            **search_values(f"{old.name}-replaced-{old.id}"[:255], gone[:255], old.description),
        )
    )
    description = tx.execute(select(projects.c.description).where(projects.c.id == new_id)).scalar_one_or_none()
    full_name = f"{old.full_name.rpartition(' / ')[0]} / {name}"
    tx.execute(
        update(projects)
        .where(projects.c.id == new_id)
        .values(
            name=name,
            path=path,
            full_path=f"{parent}/{path}",
            full_path_lower=f"{parent}/{path}".lower(),
            full_name=full_name,
            star_count=projects.c.star_count + moved,
            forks_count=old.forks_count,
            forked_from_id=old.forked_from_id,
            **search_values(name, path, description),
        )
    )
    refresh_projects(tx, [new_id])
