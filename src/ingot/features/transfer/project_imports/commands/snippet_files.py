"""Files of snippets from their bundles, which are all read before anything of the archive is stored."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
from sqlalchemy import select

from ingot.access.rows import ProjectRow
from ingot.archives.unpack import ArchiveRefused
from ingot.archives.walk import files_below
from ingot.features.spaces.snippets import LONGEST, MOST_FILES, replace_files, snippet_digest, snippet_files, snippets
from ingot.features.transfer.project_imports.commands.failures import record_failure
from ingot.features.transfer.project_imports.rows import ProjectImportRow
from ingot.gitstore import GitError
from ingot.gitstore.snapshots import files_of_bundle
from ingot.kit.clock import now
from ingot.kit.patterns import pattern
from ingot.kit.services import Services

NAME = pattern(r"([0-9a-f]{64})\.bundle")
PASSING = (503, 507)  # a full disk, a busy machine


def read_bundles(folder: Path, target: Path, beat: Callable[[], None]) -> None:
    """Write the files of each bundle to `target`, as JSON under the bundle's name; raises for bundles that are none."""
    target.mkdir(mode=0o700)
    for path in files_below(folder / "snippets"):
        match = NAME.fullmatch(path.name)
        if match is None:
            continue
        beat()
        try:
            files = files_of_bundle(path, MOST_FILES)
        except GitError as error:
            if getattr(error, "status", None) in PASSING:
                raise
            raise ArchiveRefused(f"A snippet of the archive cannot be read: {error.message}") from None
        texts = {name: _text(content) for name, content in files.items()}
        if any(len(name) > LONGEST for name in texts):
            raise ArchiveRefused("A snippet of the archive has a file whose name is too long")
        (target / match[1]).write_bytes(msgspec.json.encode(texts))


def _text(content: bytes) -> str | None:
    """None for what is no text, which snippets do not hold here."""
    try:
        result = content.decode()
    except UnicodeDecodeError:
        return None
    return None if "\x00" in result else result


def store_files(
    services: Services, import_record: ProjectImportRow, project: ProjectRow, prepared: Path
) -> Iterator[str]:
    """Give the project's snippets the files of their bundles; yields the bundles that need not be kept.

    A bundle is kept for its history, and written again by exports as long as its name is the snippet's. The name has
    the second of the last change: where that is not past, a change could leave the name as it is.
    """
    mine = snippets.c.project_id == project.id
    with services.db.read() as conn:
        rows = conn.execute(select(snippets).where(mine).order_by(snippets.c.id)).all()
    for row in rows:
        digest = snippet_digest(row, row.updated_at)
        place = prepared / digest
        if not place.is_file():
            continue
        texts = msgspec.json.decode(place.read_bytes(), type=dict[str, str | None])
        _replace(services, import_record, project, row.id, texts)
        if row.updated_at > now() - timedelta(seconds=2):
            yield f"snippets/{digest}.bundle"


def _replace(
    services: Services,
    import_record: ProjectImportRow,
    project: ProjectRow,
    snippet_id: int,
    texts: dict[str, str | None],
) -> None:
    """The file that the record names stays the first; what is no text is left out and listed."""
    files = {name: content for name, content in texts.items() if content is not None}
    with services.db.write() as tx:
        first = tx.execute(select(snippet_files.c.path).where(snippet_files.c.snippet_id == snippet_id)).scalar()
        if files:
            ordered = sorted(files, key=lambda name: (name != first, name))
            replace_files(tx, snippet_id, {name: files[name] for name in ordered})
        for name in texts.keys() - files.keys():
            sentence = f"File {name.rpartition('/')[2]} is not text"
            record_failure(tx, import_record, project, "SnippetRepoRestorer", "snippets", sentence)
