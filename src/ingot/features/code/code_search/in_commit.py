"""Searching one commit by git: other branches and tags, wikis, and projects whose index is behind."""

from ingot.features.code.code_search.contents import text_of
from ingot.features.code.code_search.hits import Hit, chunks
from ingot.features.code.code_search.query import CodeQuery
from ingot.gitstore import Repository, grep, objects

MOST_READ = 2_000


def find_in_commit(repository: Repository, place: tuple[int, str], sha: str, query: CodeQuery, most: int) -> list[Hit]:
    """At most so many hits in a commit of the project and ref of `place`, those by path first."""
    if query.is_empty:
        return []
    passes = query.path_test()
    files = [one for one in objects.list_tree(repository, sha, recursive=True) if one.type == "blob"]
    files = sorted((one for one in files if passes(one.path, one.id)), key=lambda one: one.path)
    hits = [Hit(*place[:1], one.path, place[1], one.id) for one in files if query.phrase in one.path.lower()][:most]
    if not query.phrase or len(hits) == most:
        return hits
    matching = grep.files_with(repository, sha, query.phrase)
    for one in [file for file in files if file.path in matching][:MOST_READ]:
        for line, data in chunks(text_of(repository, one.id) or "", query.phrase):
            hits.append(Hit(place[0], one.path, place[1], one.id, line, data))
            if len(hits) == most:
                return hits
    return hits


def read_from(repository: Repository, shas: list[str]) -> dict[str, str]:
    """Texts by the ids of their contents."""
    return {sha: text_of(repository, sha) or "" for sha in shas}
