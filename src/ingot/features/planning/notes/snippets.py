"""Snippets of projects as a kind of noteable."""

from ingot.access.call import Call
from ingot.features.planning.issuables import Commentable, Noteable
from ingot.features.spaces.snippets import READ_SNIPPETS, find_snippet, snippets
from ingot.kit.errors import NotFound
from ingot.kit.params import Param, Params


class OneSnippet(Params):
    """The snippet in the path."""

    snippet_id: int = Param("The snippet's id.", required=True)


def _find(call: Call[OneSnippet]) -> Noteable:
    READ_SNIPPETS.require(call.actor, call.project)
    row = find_snippet(call.conn, call.actor, call.params.snippet_id, snippets.c.project_id == call.project.id)
    if row is None:
        raise NotFound("Snippet")
    return Noteable("Snippet", call.project, id=row.id, author_id=row.author_id, row=row)


SNIPPET = Commentable(
    type="Snippet",
    word="snippet",
    title="snippet",
    path="/projects/{id}/snippets/{snippet_id}",
    number=OneSnippet,
    find=_find,
)
