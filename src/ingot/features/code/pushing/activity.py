"""Events of a push."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from ingot.access.tables import projects
from ingot.events import Pushed, RefChange
from ingot.features.people.event_log import PushedRef, events
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import GitError, Repository, log, objects, refs
from ingot.gitstore.log import LogQuery
from ingot.kit.entity import group_by
from ingot.kit.services import Services

# More refs of one kind and action are one event.
MOST_REFS = 3
LONGEST_TITLE = 70


def pushed_refs(services: Services, event: Pushed) -> list[PushedRef]:
    """The events of a push, in order."""
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == event.project_id)).one_or_none()
    changes = [change for change in event.changes if change.branch is not None or change.tag is not None]
    if project is None or event.user_id is None or not changes:
        return []
    repository = repository_of(services, project)
    result = []
    for (ref_type, action), group in group_by(changes, _kind).items():
        if len(group) > MOST_REFS:
            result.append(PushedRef(action=action, ref_type=ref_type, ref_count=len(group)))
        else:
            result += [_one(repository, project.default_branch, change) for change in group]
    return result


def was_recorded(tx: Connection, event: Pushed, pushed: Sequence[PushedRef]) -> bool:
    """This push was announced before: the newest event of its ref is the same."""
    named = [one for one in pushed if one.ref is not None]
    if not named:
        return False
    one, table = named[0], events
    newest = tx.execute(
        select(table.c.commit_from, table.c.commit_to)
        .where(table.c.project_id == event.project_id, table.c.ref == one.ref, table.c.ref_type == one.ref_type)
        .order_by(table.c.id.desc())
        .limit(1)
    ).one_or_none()
    return newest is not None and tuple(newest) == (one.commit_from, one.commit_to)


def _kind(change: RefChange) -> tuple[str, str]:
    action = "created" if change.is_creation else "removed" if change.is_deletion else "pushed"
    return "tag" if change.tag is not None else "branch", action


def _one(repository: Repository, default_branch: str | None, change: RefChange) -> PushedRef:
    ref_type, action = _kind(change)
    title, count = None, 0
    if not change.is_deletion:
        try:
            title = objects.get_commit(repository, change.new).message.split("\n", 1)[0][:LONGEST_TITLE]
            count = _count(repository, default_branch, change)
        except GitError:  # removed by a later push, or a tag of something else than a commit
            pass
    return PushedRef(
        action=action,
        ref_type=ref_type,
        ref=change.branch or change.tag,
        commit_from=None if change.is_creation else change.old,
        commit_to=None if change.is_deletion else change.new,
        commit_title=title,
        commit_count=count,
    )


def _count(repository: Repository, default_branch: str | None, change: RefChange) -> int:
    """The number of new commits; of a new branch, those missing in the default branch."""
    if change.tag is not None and change.is_creation:
        return 1
    exclude = [] if change.is_creation else [change.old]
    if change.is_creation and change.branch != default_branch:
        exclude = list(filter(None, [refs.find_branch(repository, default_branch or "")]))
    return log.count(repository, LogQuery(include=[change.new], exclude=exclude))
