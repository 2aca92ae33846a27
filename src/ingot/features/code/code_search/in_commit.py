"""Searching one commit by git: other branches and tags, wikis, and projects whose index is behind."""

from itertools import islice

from ingot.features.code.code_search.contents import text_of
from ingot.features.code.code_search.hits import BEGINNING, Hit, HitPage, chunks
from ingot.features.code.code_search.query import CodeQuery
from ingot.gitstore import Repository, grep, objects

MOST_READ = 2_000
MOST_CHARACTERS = 64 << 20


def find_in_commit(repository: Repository, place: tuple[int, str], sha: str, query: CodeQuery, hits: HitPage) -> None:
    """Add the hits in a commit of the project and ref of `place`, those by path first."""
    if query.is_empty:
        return
    passes = query.path_test()
    matching = grep.files_with(repository, sha, query.phrase) if query.phrase else set()
    # Only files that are hits are kept: a small push can name a million others.
    files = sorted(
        (
            one
            for one in objects.list_tree(repository, sha, recursive=True)
            if one.type == "blob"
            and (query.phrase in one.path.lower() or one.path in matching)
            and passes(one.path, one.id)
        ),
        key=lambda one: one.path,
    )
    for one in islice((one for one in files if query.phrase in one.path.lower()), hits.missing):
        hits.add(Hit(place[0], one.path, place[1], one.id))
    if not query.phrase or not hits.missing:
        return
    read = 0
    for one in [file for file in files if file.path in matching][:MOST_READ]:
        text = text_of(repository, one.id) or ""
        for line, data in islice(chunks(text, query.phrase), hits.missing):
            hits.add(Hit(place[0], one.path, place[1], one.id, line, data))
        read += len(text)
        if not hits.missing or read > MOST_CHARACTERS:
            return


def read_beginnings_from(repository: Repository, shas: list[str]) -> dict[str, str]:
    """Beginnings of texts by the ids of their contents."""
    return {sha: (text_of(repository, sha) or "")[:BEGINNING] for sha in shas}
