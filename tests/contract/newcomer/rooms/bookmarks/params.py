"""Parameters of the bookmark endpoints."""

from ingot.kit.params import Paging, Param, Params


class ListBookmarks(Paging):
    """Filters of a project's bookmarks."""

    title: str | None = Param("Exact title.")


class CreateBookmark(Params):
    """A new bookmark."""

    title: str = Param("Title.", required=True)
    url: str = Param("Address.", required=True)


class DeleteBookmark(Params):
    """One bookmark."""

    bookmark_id: int = Param("The bookmark's id.", required=True)
