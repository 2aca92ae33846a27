"""When mirrors were updated, and what of their origin they take."""

from collections.abc import Callable

from sqlalchemy import Connection, insert, select, update

from ingot.features.spaces.projects.settings import ProjectSettings
from ingot.features.spaces.projects.tables import project_mirror_updates
from ingot.gitstore.listing import matches_pattern
from ingot.gitstore.remote import EVERYTHING, Selection
from ingot.kit.clock import now
from ingot.kit.regexps import compile_regexp

# Names and patterns of the protected branches of a project.
FindProtected = Callable[[Connection, int], list[str]]
_sources: list[FindProtected] = []


def finds_protected_branches(source: FindProtected) -> FindProtected:
    """Register who knows the protected branches."""
    _sources[:] = [source]
    return source


def selection_of(conn: Connection, project_id: int, settings: ProjectSettings) -> Selection:
    """What an update may change; a plain import takes everything."""
    if not settings.mirror:
        return EVERYTHING
    overwrites = settings.mirror_overwrites_diverged_branches
    if settings.only_mirror_protected_branches:
        names = [name for source in _sources for name in source(conn, project_id)]
        return Selection(lambda branch: any(matches_pattern(branch, name) for name in names), overwrites)
    if settings.mirror_branch_regex:
        expression = compile_regexp(settings.mirror_branch_regex)
        return Selection(lambda branch: expression.search(branch) is not None, overwrites)
    return Selection(overwrites=overwrites)


def note_start(tx: Connection, project_id: int) -> None:
    """An update begins."""
    table, moment = project_mirror_updates, now()
    if tx.execute(select(table.c.project_id).where(table.c.project_id == project_id).with_for_update()).first() is None:
        tx.execute(insert(table).values(project_id=project_id, started_at=moment))
    else:
        tx.execute(update(table).where(table.c.project_id == project_id).values(started_at=moment))


def note_end(tx: Connection, project_id: int, *, succeeded: bool) -> None:
    """An update has ended."""
    table, moment = project_mirror_updates, now()
    values = {"ended_at": moment, "succeeded_at": moment} if succeeded else {"ended_at": moment}
    tx.execute(update(table).where(table.c.project_id == project_id).values(**values))
