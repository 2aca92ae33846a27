"""Events of a push."""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, select

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

_PROJECT = select(projects).where(projects.c.id == bindparam("project_id"))
_NEWEST = (
    select(events.c.commit_from, events.c.commit_to)
    .where(
        events.c.project_id == bindparam("in_project"),
        events.c.ref == bindparam("of_ref"),
        events.c.ref_type == bindparam("of_type"),
    )
    .order_by(events.c.id.desc())
    .limit(1)
)


def pushed_refs(services: Services, event: Pushed) -> list[PushedRef]:
    """The events of a push, in order."""
    with services.db.read() as conn:
        project = conn.execute(_PROJECT, {"project_id": event.project_id}).one_or_none()
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
    one = named[0]
    place = {"in_project": event.project_id, "of_ref": one.ref, "of_type": one.ref_type}
    newest = tx.execute(_NEWEST, place).one_or_none()
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
    if change.branch is not None and not change.is_creation:
        return log.moved_count(repository, change.old, change.new)
    exclude = [] if change.is_creation else [change.old]
    if change.is_creation and change.branch != default_branch:
        exclude = list(filter(None, [refs.find_branch(repository, default_branch or "")]))
    return log.count(repository, LogQuery(include=[change.new], exclude=exclude))
