"""Endpoints of bookmarks."""

from ingot.access.call import Call
from ingot.features.planning.bookmarks import commands, queries
from ingot.features.planning.bookmarks.entities import Bookmark, present
from ingot.features.planning.bookmarks.params import CreateBookmark, DeleteBookmark, ListBookmarks
from ingot.features.planning.bookmarks.policy import ADMIN_BOOKMARKS, READ_BOOKMARKS
from ingot.features.planning.bookmarks.tables import bookmarks
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound

routes = Routes("Bookmarks")


@routes.get("/projects/{id}/bookmarks", guard=READ_BOOKMARKS, params=ListBookmarks, returns=list[Bookmark])
def list_project_bookmarks(call: Call[ListBookmarks]) -> Answer:
    """Bookmarks of a project."""
    return call.page(queries.listed(call.project.id, call.params), present)


@routes.post("/projects/{id}/bookmarks", guard=ADMIN_BOOKMARKS, params=CreateBookmark, returns=Bookmark)
def create_project_bookmark(call: Call[CreateBookmark]) -> Answer:
    """Add a bookmark to a project."""
    with call.write() as tx:
        row = commands.create(tx, call.project.id, call.actor.id, call.params)
    return present(call, [row])[0]


@routes.delete("/projects/{id}/bookmarks/{bookmark_id}", guard=ADMIN_BOOKMARKS, params=DeleteBookmark)
def delete_project_bookmark(call: Call[DeleteBookmark]) -> None:
    """Remove a bookmark from a project."""
    condition = (bookmarks.c.project_id == call.project.id) & (bookmarks.c.id == call.params.bookmark_id)
    with call.write() as tx:
        if not call.delete_rows(tx, bookmarks, condition):
            raise NotFound("Bookmark")
