"""Creating and changing snippets."""

from sqlalchemy import Connection, insert, update

from ingot.access.levels import Visibility
from ingot.features.spaces.snippets import queries
from ingot.features.spaces.snippets.archived import replace_files
from ingot.features.spaces.snippets.params import CreateSnippet, FileChange, SnippetChanges
from ingot.features.spaces.snippets.rows import SnippetRow
from ingot.features.spaces.snippets.tables import snippets
from ingot.gitstore.names import hides_git
from ingot.instance import application_setting
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.errors import Body

MOST_FILES = 10
LONGEST = 255
LARGEST = 10 * 1024 * 1024  # characters of all files together, which a change reads at once
BAD_ACTIONS = "Snippet actions have invalid data"
NOT_SINGLE = "To update Snippets with multiple files, you must use the `files` parameter"


def refuse(status: int, text: str) -> Body:
    """Errors in the form of the snippet endpoints."""
    return Body(status, {"message": {"error": text}})


def create(tx: Connection, actor: Actor, options: CreateSnippet, project_id: int | None = None) -> int:
    """A new snippet; returns its id."""
    _check(tx, actor, options.title, options.visibility)
    single = {options.file_name or "": options.content or ""}
    files = {file.file_path: file.content for file in options.files} if "files" in options.sent else single
    if "files" in options.sent and len(files) != len(options.files):
        raise refuse(422, BAD_ACTIONS)
    _check_files(files)
    moment = now()
    created = insert(snippets).values(
        project_id=project_id,
        author_id=actor.id,
        title=options.title,
        description=options.description,
        visibility=int(Visibility.of(options.visibility)),
        created_at=moment,
        updated_at=moment,
    )
    snippet_id = int(tx.execute(created.returning(snippets.c.id)).scalar_one())
    replace_files(tx, snippet_id, files)
    return snippet_id


def change(tx: Connection, actor: Actor, row: SnippetRow, options: SnippetChanges) -> None:
    """Change what was sent."""
    _check(tx, actor, options.title if "title" in options.sent else row.title, options.visibility)
    files = {file.path: file.content for file in queries.files_of(tx, row.id)}
    before = dict(files)
    if "files" in options.sent:
        for item in options.files:
            _apply(files, item)
    elif options.sent & {"content", "file_name"}:
        if len(files) != 1:
            raise refuse(400, NOT_SINGLE)
        [(path, content)] = files.items()
        files = {options.file_name or path: content if options.content is None else options.content}
    values: dict[str, object] = {
        name: getattr(options, name) for name in ("title", "description") if name in options.sent
    }
    if options.visibility is not None:
        values["visibility"] = int(Visibility.of(options.visibility))
    tx.execute(update(snippets).where(snippets.c.id == row.id).values(**values, updated_at=now()))
    if files != before:
        _check_files(files)
        replace_files(tx, row.id, files)


def _apply(files: dict[str, str], item: FileChange) -> None:
    path, source = item.file_path or "", item.previous_path or ""
    is_known = (source if item.action == "move" else path) in files
    match item.action:
        case "create" | "update" if item.content is not None and is_known is (item.action == "update"):
            files[path] = item.content
        case "delete" if is_known:
            del files[path]
        case "move" if is_known and path not in files:
            content = files.pop(source)
            files[path] = content if item.content is None else item.content
        case _:
            raise refuse(422, BAD_ACTIONS)


def _check(conn: Connection, actor: Actor, title: str | None, visibility: str | None) -> None:
    if not (title or "").strip():
        raise refuse(400, "Title can't be blank")
    if len(title or "") > LONGEST:
        raise refuse(400, f"Title is too long (maximum is {LONGEST} characters)")
    if visibility in (application_setting(conn, "restricted_visibility_levels") or []) and not actor.is_admin:
        raise refuse(403, f"Visibility level {visibility} has been restricted by your GitLab administrator")


def _check_files(files: dict[str, str]) -> None:
    if not files or len(files) > MOST_FILES:
        raise refuse(400, f"Snippet files count must be between 1 and {MOST_FILES}")
    if sum(map(len, files.values())) > LARGEST:
        raise refuse(413, f"Snippet files are too large (maximum is {LARGEST} characters together)")
    for path, content in files.items():
        parts = path.split("/")
        if not path.strip() or len(path) > LONGEST or any(part in ("", ".", "..") or hides_git(part) for part in parts):
            raise refuse(422, BAD_ACTIONS)
        if any("/".join(parts[:end]) in files for end in range(1, len(parts))):
            raise refuse(422, BAD_ACTIONS)  # a file is no folder
        if not content:
            raise refuse(400, "Content can't be blank")
