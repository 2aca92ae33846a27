"""What an index lacks: files that a commit has and the index does not."""

from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from ingot.features.code.code_search.tables import code_contents, code_files
from ingot.gitstore import Repository, objects, revisions
from ingot.gitstore.diff import changed_entries
from ingot.gitstore.model import text

FILES = ("100644", "100755", "100664")  # links and submodules are no files
LONGEST_PATH = 2_000  # bytes


@dataclass(slots=True)
class Changes:
    """Contents by path, and paths that are gone."""

    added: dict[str, str] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)


def changes_between(repository: Repository, old: str, new: str) -> Changes | None:
    """What a push changed; None where the former commit is gone."""
    if not revisions.has_object(repository, old):
        return None
    result = Changes()
    for raw, entry in changed_entries(repository, old, new).items():
        path = text(raw)
        _, mode, _, sha, _ = entry.decode().lstrip(":").split(" ")
        if mode in FILES and _is_kept(path):
            result.added[path] = sha
        else:
            result.removed.append(path)
    return result


def changes_from_index(conn: Connection, repository: Repository, project_id: int, head: str | None) -> Changes:
    """All files of the commit that the index has not, or has with another content."""
    query = (
        select(code_files.c.path, code_contents.c.sha)
        .join_from(code_files, code_contents, code_contents.c.id == code_files.c.content_id)
        .where(code_files.c.project_id == project_id)
    )
    known: dict[str, str] = {row.path: row.sha for row in conn.execute(query)}
    entries = objects.list_tree(repository, head, recursive=True) if head is not None else []
    files = {one.path: one.id for one in entries if one.mode in FILES and _is_kept(one.path)}
    added = {path: sha for path, sha in files.items() if known.get(path) != sha}
    return Changes(added, [path for path in known if path not in files])


def _is_kept(path: str) -> bool:
    return len(path.encode("utf-8", "replace")) <= LONGEST_PATH
