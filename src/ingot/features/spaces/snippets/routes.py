"""Endpoints of snippets: one's own, and those of projects."""

from sqlalchemy import ColumnElement
from starlette.responses import Response

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR, ANYONE, SIGNED_IN
from ingot.features.spaces.snippets import commands, policy, queries
from ingot.features.spaces.snippets.entities import Snippet, present
from ingot.features.spaces.snippets.params import (
    CreateProjectSnippet,
    CreateSnippet,
    ListSnippets,
    OwnSnippetPath,
    SnippetPath,
    UpdateProjectSnippet,
    UpdateSnippet,
)
from ingot.features.spaces.snippets.policy import CHANGE_SNIPPETS, CREATE_SNIPPETS, READ_SNIPPETS
from ingot.features.spaces.snippets.rows import SnippetRow
from ingot.features.spaces.snippets.tables import snippets
from ingot.features.spaces.user_agents import UserAgentDetail, get_detail, record_client
from ingot.kit.changes import Change, report_change
from ingot.kit.endpoint import Answer, Binary, Routes
from ingot.kit.errors import Forbidden, NotFound, ParamError

routes = Routes("Snippets")
project_routes = Routes("Project snippets")
ROUTES = [routes, project_routes]
ONE = "/snippets/{id}"
PROJECT = "/projects/{id}/snippets"
PROJECT_ONE = PROJECT + "/{snippet_id}"
FILE = "/files/{ref}/{file_path}/raw"
TEXT = Binary("text/plain")
REFS = ("main", "master", "HEAD")


def _find(call: Call, snippet_id: int, *conditions: ColumnElement[bool]) -> SnippetRow:
    row = queries.find(call.conn, call.actor, snippet_id, *conditions)
    if row is None:
        raise NotFound("Snippet")
    return row


def _own(call: Call[OwnSnippetPath]) -> SnippetRow:
    return _find(call, call.params.id, snippets.c.author_id == call.actor.id)


def _of_project(call: Call[SnippetPath]) -> SnippetRow:
    return _find(call, call.params.snippet_id, snippets.c.project_id == call.project.id)


def _changeable(call: Call[SnippetPath]) -> SnippetRow:
    row = _of_project(call)
    if not policy.may_change(call.actor, call.project, row.author_id):
        raise Forbidden
    return row


def _raw(call: Call, row: SnippetRow) -> Response:
    return _text(queries.content_of(call.conn, row.id) or "")


def _raw_file(call: Call, row: SnippetRow) -> Response:
    if call.path["ref"] not in REFS:
        raise NotFound("Reference")
    content = queries.content_of(call.conn, row.id, call.path["file_path"])
    if content is None:
        raise NotFound("File")
    return _text(content)


def _text(content: str) -> Response:
    return Response(content, media_type="text/plain", headers={"X-Content-Type-Options": "nosniff"})


def _create(call: Call[CreateSnippet], project_id: int | None) -> Snippet:
    if "content" in call.params.sent and not call.params.file_name:
        raise ParamError("file_name is missing")
    with call.write() as tx:
        created = commands.create(tx, call.actor, call.params, project_id)
        record_client(tx, call, snippet_id=created)
    return present(call, [_find(call, created)])[0]


def _delete(call: Call, row: SnippetRow) -> None:
    with call.write() as tx:
        call.delete_rows(tx, snippets, snippets.c.id == row.id)
        report_change(tx, Change("snippet", "delete", row.id, project_id=row.project_id, user_id=call.actor.user_id))


@routes.get("/snippets", guard=SIGNED_IN, params=ListSnippets, returns=list[Snippet])
def list_snippets(call: Call[ListSnippets]) -> Answer:
    """The caller's snippets, newest first."""
    query = queries.readable(call.actor, snippets.c.author_id == call.actor.id)
    return call.page(queries.listed(query, call.params), present, keyset=queries.NEWEST_FIRST)


@routes.get("/snippets/public", guard=ANYONE, params=ListSnippets, returns=list[Snippet])
def list_public_snippets(call: Call[ListSnippets]) -> Answer:
    """People's snippets that everybody may read."""
    query = queries.readable(call.actor, policy.public_snippets())
    return call.page(queries.listed(query, call.params), present, keyset=queries.NEWEST_FIRST)


@routes.get("/snippets/all", guard=SIGNED_IN, params=ListSnippets, returns=list[Snippet])
def list_all_snippets(call: Call[ListSnippets]) -> Answer:
    """All snippets that the caller may read."""
    return call.page(queries.listed(queries.readable(call.actor), call.params), present, keyset=queries.NEWEST_FIRST)


@routes.get(ONE, guard=ANYONE, params=OwnSnippetPath, returns=Snippet)
def get_snippet(call: Call[OwnSnippetPath]) -> Answer:
    """One snippet."""
    return present(call, [_find(call, call.params.id)])[0]


@routes.get(ONE + "/raw", guard=ANYONE, params=OwnSnippetPath, returns=TEXT)
def get_raw_snippet(call: Call[OwnSnippetPath]) -> Answer:
    """The content of a snippet's first file."""
    return _raw(call, _find(call, call.params.id))


@routes.get(ONE + FILE, guard=ANYONE, params=OwnSnippetPath, returns=TEXT)
def get_raw_snippet_file(call: Call[OwnSnippetPath]) -> Answer:
    """The content of one file of a snippet."""
    return _raw_file(call, _find(call, call.params.id))


@routes.get(ONE + "/user_agent_detail", guard=ADMINISTRATOR, params=OwnSnippetPath, returns=UserAgentDetail)
def get_snippet_user_agent(call: Call[OwnSnippetPath]) -> Answer:
    """The program and address by which a snippet was created (administrators)."""
    return get_detail(call.conn, snippet_id=_find(call, call.params.id).id)


@routes.post("/snippets", guard=SIGNED_IN, params=CreateSnippet, returns=Snippet, errors=(422,))
def create_snippet(call: Call[CreateSnippet]) -> Answer:
    """Create a personal snippet."""
    return _create(call, None)


@routes.put(ONE, guard=SIGNED_IN, params=UpdateSnippet, returns=Snippet, errors=(422,))
def update_snippet(call: Call[UpdateSnippet]) -> Answer:
    """Change one of the caller's snippets."""
    row = _own(call)
    with call.write() as tx:
        commands.change(tx, call.actor, row, call.params)
    return present(call, [_find(call, row.id)])[0]


@routes.delete(ONE, guard=SIGNED_IN, params=OwnSnippetPath)
def delete_snippet(call: Call[OwnSnippetPath]) -> None:
    """Delete one of the caller's snippets."""
    _delete(call, _own(call))


@project_routes.get(PROJECT, guard=READ_SNIPPETS, params=ListSnippets, returns=list[Snippet])
def list_project_snippets(call: Call[ListSnippets]) -> Answer:
    """Snippets of a project, newest first."""
    query = queries.readable(call.actor, snippets.c.project_id == call.project.id)
    return call.page(queries.listed(query, call.params), present, keyset=queries.NEWEST_FIRST)


@project_routes.get(PROJECT_ONE, guard=READ_SNIPPETS, params=SnippetPath, returns=Snippet)
def get_project_snippet(call: Call[SnippetPath]) -> Answer:
    """One snippet of a project."""
    return present(call, [_of_project(call)])[0]


@project_routes.get(PROJECT_ONE + "/raw", guard=READ_SNIPPETS, params=SnippetPath, returns=TEXT)
def get_raw_project_snippet(call: Call[SnippetPath]) -> Answer:
    """The content of the first file of a project's snippet."""
    return _raw(call, _of_project(call))


@project_routes.get(PROJECT_ONE + FILE, guard=READ_SNIPPETS, params=SnippetPath, returns=TEXT)
def get_raw_project_snippet_file(call: Call[SnippetPath]) -> Answer:
    """The content of one file of a project's snippet."""
    return _raw_file(call, _of_project(call))


@project_routes.get(
    PROJECT_ONE + "/user_agent_detail", guard=READ_SNIPPETS, params=SnippetPath, returns=UserAgentDetail
)
def get_project_snippet_user_agent(call: Call[SnippetPath]) -> Answer:
    """The program and address by which a snippet was created (administrators)."""
    ADMINISTRATOR.admit(call)
    return get_detail(call.conn, snippet_id=_of_project(call).id)


@project_routes.post(PROJECT, guard=CREATE_SNIPPETS, params=CreateProjectSnippet, returns=Snippet, errors=(422,))
def create_project_snippet(call: Call[CreateProjectSnippet]) -> Answer:
    """Create a snippet in a project (Reporters)."""
    return _create(call, call.project.id)


@project_routes.put(PROJECT_ONE, guard=CHANGE_SNIPPETS, params=UpdateProjectSnippet, returns=Snippet, errors=(422,))
def update_project_snippet(call: Call[UpdateProjectSnippet]) -> Answer:
    """Change a snippet of a project: its author, and Maintainers."""
    row = _changeable(call)
    with call.write() as tx:
        commands.change(tx, call.actor, row, call.params)
    return present(call, [_of_project(call)])[0]


@project_routes.delete(PROJECT_ONE, guard=CHANGE_SNIPPETS, params=SnippetPath)
def delete_project_snippet(call: Call[SnippetPath]) -> None:
    """Delete a snippet of a project: its author, and Maintainers."""
    _delete(call, _changeable(call))
