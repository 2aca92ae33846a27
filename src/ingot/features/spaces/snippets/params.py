"""Parameters of the snippet endpoints."""

from datetime import datetime

from ingot.access.levels import VISIBILITY_WORDS
from ingot.kit.params import CursorPaging, Param, Params

ACTIONS = ("create", "update", "delete", "move")


class ListSnippets(CursorPaging):
    """Filters of snippets."""

    created_after: datetime | None = Param("Only those created after this time.")
    created_before: datetime | None = Param("Only those created before this time.")


class SnippetPath(Params):
    """One snippet of a project."""

    snippet_id: int = Param("The snippet's id.", required=True)


class OwnSnippetPath(Params):
    """One snippet."""

    id: int = Param("The snippet's id.", required=True)


class NewFile(Params):
    """A file of a new snippet."""

    file_path: str = Param("Path.", required=True)
    content: str = Param("Content.", required=True)


class CreateSnippet(Params):
    """A new snippet."""

    title: str = Param("Title.", required=True)
    description: str | None = Param("Description.")
    visibility: str = Param("Who sees it.", default="internal", one_of=VISIBILITY_WORDS)
    files: list[NewFile] = Param("Files.")
    content: str | None = Param("Content of the only file.")
    file_name: str | None = Param("Name of the only file.")
    exactly_one = ("files", "content")


class CreateProjectSnippet(CreateSnippet):
    """A new snippet of a project."""

    visibility: str = Param("Who sees it.", required=True, one_of=VISIBILITY_WORDS)


class FileChange(Params):
    """Change of one file."""

    action: str = Param("What happens.", required=True, one_of=ACTIONS)
    file_path: str | None = Param("Path.")
    previous_path: str | None = Param("Path before a move.")
    content: str | None = Param("Content.")


class SnippetChanges(Params):
    """Changes of a snippet."""

    title: str | None = Param("Title.")
    description: str | None = Param("Description.")
    visibility: str | None = Param("Who sees it.", one_of=VISIBILITY_WORDS)
    files: list[FileChange] = Param("Changes of files.")
    content: str | None = Param("Content of the only file.")
    file_name: str | None = Param("Name of the only file.")
    at_least_one = ("title", "description", "files", "content", "file_name", "visibility")
    exclusive = (("files", "content"), ("files", "file_name"))


class UpdateSnippet(OwnSnippetPath, SnippetChanges):
    """Changes of one's own snippet."""


class UpdateProjectSnippet(SnippetPath, SnippetChanges):
    """Changes of a snippet of a project."""
