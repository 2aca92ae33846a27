"""Projects, milestones and snippets."""

from sqlalchemy import ColumnElement, and_, exists, or_, select

from ingot.access.call import Call
from ingot.access.tables import project_authorizations, projects
from ingot.access.visibility import visible_projects
from ingot.features.planning.milestones import milestones, milestones_shown, milestones_with_paths, present_milestones
from ingot.features.review.search.params import Search
from ingot.features.review.search.places import in_place
from ingot.features.review.search.results import Result, by_creation
from ingot.features.spaces.projects import found_projects, present_simple, search_projects
from ingot.features.spaces.snippets import present_snippets, readable_snippets_with_project, snippet_files, snippets
from ingot.kit.letter_case import contains


def find_projects(call: Call[Search]) -> Result:
    """Projects by path, name or description."""
    rights = project_authorizations
    own = and_(rights.c.project_id == projects.c.id, rights.c.user_id == call.actor.id)
    rows = select(*projects.c, rights.c.access_level.label("actor_level")).join_from(
        projects, rights, own, isouter=True
    )
    rows = rows.where(*in_place(call), visible_projects(call.actor))
    found = search_projects(call.conn, call.params.search, in_namespaces=False)
    if found is None:
        return Result(by_creation(call, rows, projects), present_simple)
    return Result(by_creation(call, rows.where(found_projects(found.form)), projects), present_simple, found.values)


def find_milestones(call: Call[Search]) -> Result:
    """Milestones of projects, where the caller may read issues or merge requests."""
    shown = and_(milestones.c.project_id.is_not(None), visible_projects(call.actor), milestones_shown(call.actor))
    rows = milestones_with_paths().where(*in_place(call), shown, _in_texts(call))
    return Result(by_creation(call, rows, milestones), present_milestones)


def _in_texts(call: Call[Search]) -> ColumnElement[bool]:
    text = call.params.search.strip()
    return or_(*(contains(column, text) for column in (milestones.c.title, milestones.c.description)))


def find_snippets(call: Call[Search]) -> Result:
    """Snippets by title, description or name of a file."""
    text = call.params.search.strip()
    named = exists().where(snippet_files.c.snippet_id == snippets.c.id, contains(snippet_files.c.path, text))
    matching = or_(*(contains(column, text) for column in (snippets.c.title, snippets.c.description)), named)
    return Result(by_creation(call, readable_snippets_with_project(call.actor, matching), snippets), present_snippets)
