"""Sample deliveries: the newest record that a switch is about, as a message."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, Table, func, select

from ingot.access.levels import Feature
from ingot.access.rows import ProjectRow
from ingot.access.tables import namespace_ancestors, projects
from ingot.events import ZERO_SHA, RefChange
from ingot.features.ci.engine import ci_jobs, pipelines
from ingot.features.code.wikis import known_pages, list_pages, wiki_of_project
from ingot.features.integrations.web_hooks.messages import Message, new_mark
from ingot.features.integrations.web_hooks.payloads import BUILDERS, Blocks
from ingot.features.integrations.web_hooks.payloads.notes import SampleAward
from ingot.features.integrations.web_hooks.queries import Place
from ingot.features.planning.issues import issues
from ingot.features.planning.milestones import milestones
from ingot.features.planning.notes import notes
from ingot.features.planning.releases import releases
from ingot.features.review.merge_requests import merge_requests
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import GitError, log, refs
from ingot.gitstore.listing import list_tags
from ingot.gitstore.log import LogQuery
from ingot.kit.changes import Change
from ingot.kit.clock import now
from ingot.kit.errors import Unprocessable
from ingot.kit.services import Services

NOT_AVAILABLE = "Testing not available for this hook"
SAMPLE = {
    "event_name": "project_create",
    "name": "Ruby",
    "path": "ruby",
    "project_id": 1,
    "owner_name": "Someone",
    "owner_email": "example@gitlabhq.com",
}


def sample(services: Services, conn: Connection, place: Place, user_id: int, flag: str) -> tuple[Message, str]:
    """The message of a test, and the mark in it; 422 where the project has nothing to send."""
    project = _project(conn, place)
    build = _SAMPLES.get(flag)
    if build is None or project is None:
        raise Unprocessable(NOT_AVAILABLE)
    change = build(services, conn, project, user_id)
    mark = new_mark()
    messages = BUILDERS[change.kind].messages(Blocks(conn, mark), change)
    fitting = [message for message in messages if message.flag == flag or change.kind != "push"]
    if not fitting:
        raise Unprocessable(NOT_AVAILABLE)
    return msgspec.structs.replace(fitting[0], payload=_with_iso(fitting[0].payload)), mark


def _with_iso(payload: Mapping[str, object]) -> dict[str, object]:
    """The same with moments in ISO 8601, as tests send them."""
    return {name: _in_iso(value, name) for name, value in payload.items()}


def _in_iso(value: object, name: str = "") -> object:
    if isinstance(value, dict):
        return _with_iso(value)
    if isinstance(value, list):
        return [_in_iso(part) for part in value]
    if name.endswith("_at") and isinstance(value, str) and value.endswith(" UTC"):
        return value.replace(" ", "T", 1).replace(" UTC", "Z")
    return value


def _project(conn: Connection, place: Place) -> ProjectRow | None:
    """The project itself, or the newest of a group."""
    query = select(projects)
    if place.kind == "project":
        query = query.where(projects.c.id == place.id)
    else:
        below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == place.id)
        query = query.where(projects.c.namespace_id.in_(below)).order_by(projects.c.id.desc()).limit(1)
    return conn.execute(query).one_or_none()


def _newest(conn: Connection, query: Select[Any], table: Table, missing: str) -> int:
    """The newest of these records; 422 says what is missing."""
    row_id: int | None = conn.execute(query.order_by(table.c.id.desc()).limit(1)).scalar_one_or_none()
    if row_id is None:
        raise Unprocessable(f"Ensure the project has {missing}.")
    return row_id


Sample = Callable[[Services, Connection, ProjectRow, int], Change]


def _record(kind: str, table: Table, missing: str) -> Sample:
    def build(_: Services, conn: Connection, project: ProjectRow, user_id: int) -> Change:
        query = select(table.c.id).where(table.c.project_id == project.id)
        if table is notes:
            query = query.where(~notes.c.system)
        elif table is ci_jobs:
            query = query.where(ci_jobs.c.kind == "build")
        return Change(kind, "test", _newest(conn, query, table, missing), project.id, user_id=user_id)

    return build


def _emoji(_: Services, conn: Connection, project: ProjectRow, user_id: int) -> Change:
    """A thumb up for the newest comment."""
    query = select(notes.c.id).where(notes.c.project_id == project.id, ~notes.c.system, ~notes.c.internal)
    award = SampleAward(_newest(conn, query, notes, "notes"), user_id, now(), now())
    return Change("emoji", "award", award.id, project.id, user_id=user_id, details={"award": award})


def _milestone(_: Services, conn: Connection, project: ProjectRow, user_id: int) -> Change:
    """The first milestone; without one the sample is made up."""
    query = select(func.min(milestones.c.id)).where(milestones.c.project_id == project.id)
    first: int | None = conn.execute(query).scalar_one()
    return Change("milestone", "test", first or 0, project.id, user_id=user_id)


def _token(_: Services, __: Connection, project: ProjectRow, user_id: int) -> Change:
    """A token that is made up."""
    return Change("access_token", "test", 0, project.id, user_id=user_id)


def _wiki_page(services: Services, conn: Connection, project: ProjectRow, user_id: int) -> Change:
    """The first page of the wiki."""
    wiki = wiki_of_project(services, project)
    head = wiki.head if project.wiki_access_level != Feature.DISABLED else None
    rows = {} if head is None else known_pages(conn, wiki)
    pages = [] if head is None else [page for page in list_pages(wiki.repository, head) if page.slug in rows]
    if not pages:
        raise Unprocessable("Ensure the wiki is enabled and has pages.")
    details = {"sha": head, "blob_id": pages[0].blob_id, "branch": wiki.repository.default_branch()}
    return Change("wiki_page", "test", rows[pages[0].slug], project.id, user_id=user_id, details=details)


def _push(services: Services, _: Connection, project: ProjectRow, user_id: int) -> Change:
    """The last three commits of the default branch."""
    branch = project.default_branch or "main"
    try:
        repository = repository_of(services, project)
        tip = refs.find_branch(repository, branch)
        newest = [] if tip is None else log.commit_ids(repository, LogQuery(include=[tip], limit=4))
    except GitError:
        newest = []
    old = newest[3] if len(newest) > 3 else ZERO_SHA
    moved = RefChange(f"refs/heads/{branch}", old, newest[0] if newest else ZERO_SHA)
    return Change("push", "test", project.id, project.id, user_id=user_id, details={"refs": [moved]})


def _tag_push(services: Services, _: Connection, project: ProjectRow, user_id: int) -> Change:
    """The newest tag."""
    try:
        tags = list_tags(repository_of(services, project), order_by="updated", descending=True)
    except GitError:
        tags = []
    name, target = (tags[0].name, tags[0].target) if tags else ("v1.0.0", ZERO_SHA)
    moved = RefChange(f"refs/tags/{name}", ZERO_SHA, target)
    return Change("push", "test", project.id, project.id, user_id=user_id, details={"refs": [moved]})


_SAMPLES: dict[str, Sample] = {
    "push_events": _push,
    "tag_push_events": _tag_push,
    "issues_events": _record("issue", issues, "issues"),
    "confidential_issues_events": _record("issue", issues, "issues"),
    "note_events": _record("note", notes, "notes"),
    "emoji_events": _emoji,
    "merge_requests_events": _record("merge_request", merge_requests, "merge requests"),
    "releases_events": _record("release", releases, "releases"),
    "job_events": _record("job", ci_jobs, "CI jobs"),
    "pipeline_events": _record("pipeline", pipelines, "CI pipelines"),
    "milestone_events": _milestone,
    "resource_access_token_events": _token,
    "wiki_page_events": _wiki_page,
}
