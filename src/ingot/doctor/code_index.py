"""The index of code: whether it has the files of all default branches, and how large it is."""

from collections.abc import Iterator

from ingot.doctor.finding import REPAIR, Finding
from ingot.features.code.code_search import (
    lost_trigrams,
    measure_index,
    rebuild_index,
    rebuild_trigrams,
    stale_projects,
)
from ingot.kit.services import Services

MEGABYTE = 1_000_000


def examine(services: Services, repair: bool) -> Iterator[Finding]:
    """Compare the index with the repositories; it can be made anew from them at any time."""
    for project in stale_projects(services):
        if repair:
            rebuild_index(services, project.id)
        sentence = f"{project.full_path}: the code search index is behind the default branch."
        yield Finding(sentence, repaired=repair, command=REPAIR)
    with services.db.read() as conn:
        lost = lost_trigrams(conn)
    if lost:
        if repair:
            rebuild_trigrams(services)
        files = "1 file" if lost == 1 else f"{lost} files"
        yield Finding(f"The code search index is incomplete for {files}.", repaired=repair, command=REPAIR)
    with services.db.read() as conn:
        size = measure_index(conn)
    text = f"{size.files} files with {size.source_bytes / MEGABYTE:.1f} MB of text in {size.contents} contents"
    yield Finding(f"{text}; the index takes {size.stored_bytes / MEGABYTE:.1f} MB.", is_note=True)
