"""Finds a project's licence file and says which well-known licence it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache

import msgspec
from identify.vendor.licenses import LICENSES

from ingot.gitstore.licence_names import NAMES
from ingot.gitstore.model import TreeEntry, text
from ingot.gitstore.objects import blob_size, read_blob
from ingot.gitstore.repository import Repository
from ingot.kit.patterns import pattern

_MOST_BYTES = 1 << 20
_SURE = 0.95
_FILE_SCORES = (
    (pattern(r"(un)?licen[sc]e$", ignore_case=True), 100),
    (pattern(r"(un)?licen[sc]e\.(md|markdown|txt|rst|html)$", ignore_case=True), 95),
    (pattern(r"copy(ing|right)$", ignore_case=True), 90),
    (pattern(r"copy(ing|right)\.(md|markdown|txt|rst|html)$", ignore_case=True), 85),
    (pattern(r"(un)?licen[sc]e\.[^.]+$", ignore_case=True), 80),
    (pattern(r"copy(ing|right)\.[^.]+$", ignore_case=True), 75),
    (pattern(r"(un)?licen[sc]e[-_.][^/]+$|[^/]+[-_.](un)?licen[sc]e(\.(md|txt))?$", ignore_case=True), 70),
    (pattern(r"ofl(\.(md|txt))?$", ignore_case=True), 60),
)
# Part of each of these names: most names of a folder are asked for nothing else.
_MARK = pattern(r"licen[sc]e|copy(ing|right)|^ofl", ignore_case=True)
_COPYRIGHT = pattern(r"^[\s#*/_-]*(?:copyright\b|\(c\)|©|all rights reserved).*$", ignore_case=True, multi_line=True)
_HEADING = pattern(r"\A[^\n]*licen[cs]e[^\n]*\n", ignore_case=True)
_PLACEHOLDER = pattern(r"\[[a-z ]+\]|<[a-z ]+>|\{[a-z ]+\}", ignore_case=True)
_WORD = pattern(r"[a-z0-9]+(?:'[a-z]+)?")


class Licence(msgspec.Struct, frozen=True):
    key: str
    """Lower-case SPDX key, `other` for a licence file that matches no known text."""
    name: str
    nickname: str | None
    html_url: str | None
    path: str
    """The file it was read from."""


def find_licence(repo: Repository, entries: Iterable[TreeEntry]) -> Licence | None:
    """None when the root folder, which has these entries, has no licence file."""
    entry = _licence_file(entries)
    if entry is None:
        return None
    size = blob_size(repo, entry.id)
    content = text(read_blob(repo, entry.id)) if size is not None and size <= _MOST_BYTES else ""
    spdx = identify(content)
    if spdx is None:
        return Licence("other", "Other", None, None, entry.path)
    name, nickname = NAMES[spdx]
    key = spdx.lower()
    return Licence(key, name, nickname, f"http://choosealicense.com/licenses/{key}/", entry.path)


def _licence_file(entries: Iterable[TreeEntry]) -> TreeEntry | None:
    """The file whose name most looks like a licence."""
    scored = [(_score(entry.name), entry) for entry in entries if entry.type == "blob" and _MARK.search(entry.name)]
    best = max(scored, key=lambda pair: pair[0], default=None)
    return best[1] if best is not None and best[0] > 0 else None


# A push asks again, mostly about the same text.
@lru_cache(16)
def identify(content: str) -> str | None:
    """SPDX identifier of the known licence that shares almost all words with the text."""
    words = _words(content)
    size = sum(words.values())
    if size < 20:
        return None
    best, score = None, 0.0
    for spdx, known, known_size in _known():
        if min(size, known_size) * 2 / (size + known_size) < _SURE:
            continue  # lengths alone rule it out
        shared = sum((words & known).values())
        similarity = 2 * shared / (size + known_size)
        if similarity > score:
            best, score = spdx, similarity
    return best if score >= _SURE else None


def _score(name: str) -> int:
    return next((score for names, score in _FILE_SCORES if names.fullmatch(name)), 0)


@cache
def _known() -> list[tuple[str, Counter[str], int]]:
    known = [(spdx, _words(body)) for spdx, body in LICENSES]
    return [(spdx, words, sum(words.values())) for spdx, words in known]


def _words(content: str) -> Counter[str]:
    body = content.replace("\r\n", "\n").replace("\u2019", "'").lower()
    body = body.partition("end of terms and conditions")[0]
    body = _HEADING.sub("", _COPYRIGHT.sub("", body).strip() + "\n")
    return Counter(_WORD.findall(_PLACEHOLDER.sub("", body)))
