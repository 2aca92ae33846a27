"""Diffs as rows of a table: line numbers, signs, and the place of each line."""

import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from urllib.parse import quote

import msgspec
from markupsafe import Markup, escape

from ingot.kit.blobs.shared_cache import SharedCache
from ingot.kit.errors import NotFound
from ingot.web.answers import Diff
from ingot.web.diff_lines import KINDS, Talk, comment_link, numbered
from ingot.web.diff_words import changed_words, mark_words
from ingot.web.file_views import has_hidden_signs, with_signs_shown
from ingot.web.split_diffs import split_rows
from ingot.web.texts import highlighted_diffs

FOLDED_FROM = 2000
MOST_LINES = 10_000
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".ico")


class FileDiff(msgspec.Struct):
    """One changed file, ready for the template."""

    path: str
    old_path: str
    anchor: str
    note: str
    added: int = 0
    removed: int = 0
    digest: str = ""  # of the lines: a file that was viewed is new again when they change
    rows: Markup = msgspec.field(default_factory=Markup)
    is_folded: bool = False
    reason: str = ""  # why there are no rows
    is_left: bool = False  # the page has enough lines without it
    talk: Markup = msgspec.field(default_factory=Markup)  # about the whole file, as rows of a table
    is_listed: bool = True  # the list of files names it
    pictures: Sequence[tuple[str, str]] = ()  # what they show (before, after), and their addresses
    blob: str = ""  # its new content; empty where the visitor cannot mark it as viewed
    is_viewed: bool = False

    @property
    def folder(self) -> str:
        """Where the file is."""
        return self.path.rpartition("/")[0]


def present_diffs(
    diffs: Sequence[Diff],
    most: int = MOST_LINES,
    talk: Talk | None = None,
    *,
    hides_space: bool = False,
    is_split: bool = False,
    shared: SharedCache | None = None,
) -> tuple[list[FileDiff], int]:
    """The files of a diff, and how many of them are left without their lines because there are too many."""
    files, left, cut = [], most, 0
    shown: list[tuple[FileDiff, str]] = []
    for diff in diffs:
        file = FileDiff(diff["new_path"], diff["old_path"], anchor_of(diff["new_path"]), _note(diff))
        text = diff.get("diff") or ""
        text = "" if text.startswith("Binary files ") else text
        count = text.count("\n")
        if count > left:
            file.reason, file.is_left = "This page has enough lines.", True
            cut += 1
        elif diff.get("too_large") or (not text and diff.get("collapsed")):
            file.reason = "This change is too large to show."
        elif not text:
            file.reason = "No lines changed." if diff["renamed_file"] else "A binary file, or an empty one."
        else:
            left -= count
            shown.append((file, text))
            file.digest = hashlib.sha1(text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:12]
            file.is_folded = bool(diff.get("generated_file")) or count > FOLDED_FROM
        if talk is not None:
            file.talk = Markup(talk.below(file.path, None, None))  # noqa: S704 - a rendered template
        files.append(file)
    colours = highlighted_diffs([(text, file.path.rpartition("/")[2].lower()) for file, text in shown], shared)
    for (file, text), coloured in zip(shown, colours, strict=True):
        file.rows, file.added, file.removed = (split_rows if is_split else rows_of)(
            text, file.anchor, file.path, talk, spaces=spaces_of(text) if hides_space else {}, coloured=coloured
        )
    return files, cut


def add_pictures(
    files: Sequence[FileDiff], diffs: Sequence[Diff], raw: str, base: str | None, head: str | None, old_raw: str = ""
) -> None:
    """Show files that are pictures before and after; `raw` is where the bytes of files are, `old_raw` those before."""
    for file, diff in zip(files, diffs, strict=True):
        if not file.rows and not file.is_left and file.path.lower().endswith(PICTURES):
            sides = (("Before", old_raw or raw, base, diff["old_path"], diff["new_file"]),
                     ("After", raw, head, diff["new_path"], diff["deleted_file"]))  # fmt: skip
            file.pictures = [
                (word, f"{place}/{quote(sha)}/{quote(path)}")
                for word, place, sha, path, is_missing in sides
                if sha and not is_missing
            ]


def list_matching(files: Sequence[FileDiff], words: str) -> None:
    """Let the list of files name only those whose paths hold all words."""
    for file in files:
        file.is_listed = all(word in file.path.lower() for word in words.lower().split())


def chosen(diffs: Sequence[Diff], anchor: str) -> Sequence[Diff]:
    """The file that an address names by its anchor, alone; all where it names none."""
    chosen = [diff for diff in diffs if anchor_of(diff["new_path"]) == anchor] if anchor else diffs
    if anchor and not chosen:
        raise NotFound
    return chosen


def anchor_of(path: str) -> str:
    """The name of a file inside a page; the same as in `line_code`."""
    return hashlib.sha1(path.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()


def rows_of(
    text: str,
    anchor: str,
    path: str = "",
    talk: Talk | None = None,
    *,
    spaces: Mapping[int, bool] | None = None,
    coloured: Sequence[Markup] | None = None,
) -> tuple[Markup, int, int]:
    """The table rows of one file's diff, with the numbers of added and removed lines.

    `spaces` are the lines of the text in which only white space changed, which look like those that did not: false
    for the old ones, which are left out. `coloured` are the lines with the colours of their language.
    """
    unchanged = spaces or {}
    lines = text.split("\n")
    words, is_odd = changed_words(lines), has_hidden_signs(text)
    parts: list[str] = []
    comment = comment_link(talk, anchor)
    added = removed = 0
    for number, sign, old, new in numbered(lines):
        line = lines[number]
        if not sign:
            parts.append(f'<tr class="hunk"><td></td><td></td><td>{escape(line)}</td></tr>')
            continue
        place = f"{anchor}_{old}_{new}"
        link = f"{comment}_{old}_{new}#{place}" if comment else f"#{place}"
        left = "" if sign == "+" else f'<a href="{link}">{old}</a>'
        right = "" if sign == "-" else f'<a href="{link}">{new}</a>'
        shown = unchanged.get(number)
        html = escape(line[1:]) if coloured is None else coloured[number]
        if number in words and shown is None:
            html = mark_words(html, *words[number])
        html = with_signs_shown(html) if is_odd else html
        if shown is None:
            parts.append(
                f'<tr id="{place}" class="{KINDS.get(sign, "same")}"><td>{left}</td><td>{right}</td>'
                f'<td data-sign="{sign}">{html}</td></tr>'
            )
        elif shown:
            parts.append(f'<tr id="{place}" class="same"><td></td><td>{right}</td><td data-sign=" ">{html}</td></tr>')
        if talk is not None:
            parts.append(talk.below(path, None if sign == "+" else old, None if sign == "-" else new))
        added += sign == "+" and shown is None
        removed += sign == "-" and shown is None
    return Markup("".join(parts)), added, removed  # noqa: S704 - every text in it is escaped above


def spaces_of(text: str) -> dict[int, bool]:
    """The numbers of changed lines that differ from the line in their stead by white space only: true for new ones."""
    result: dict[int, bool] = {}
    removed: list[tuple[int, str]] = []
    added: list[tuple[int, str]] = []
    for number, line in enumerate([*text.split("\n"), ""]):
        sign = line[:1]
        if sign == "-" and not added:
            removed.append((number, "".join(line[1:].split())))
        elif sign == "+":
            added.append((number, "".join(line[1:].split())))
        elif sign != "\\":  # a line without an end is said so between the two
            result |= _equal_words(removed, added)
            removed, added = [(number, "".join(line[1:].split()))] if sign == "-" else [], []
    return result


def _equal_words(removed: list[tuple[int, str]], added: list[tuple[int, str]]) -> dict[int, bool]:
    """Pairs of equal lines in their order: those that each side has once, and what is equal before and after them.

    Takes hardly longer than reading the lines, whatever they are; comparing all with all takes seconds.
    """
    old, new = [word for _, word in removed], [word for _, word in added]
    ends = [(-1, -1), *_common_lines(old, new), (len(old), len(new))]
    result: dict[int, bool] = {}

    def pair(first: int, second: int) -> None:
        result[removed[first][0]], result[added[second][0]] = False, True

    for (first, second), (last, other_last) in pairwise(ends):
        if first >= 0:
            pair(first, second)
        first, second = first + 1, second + 1
        while first < last and second < other_last and old[first] == new[second]:
            pair(first, second)
            first, second = first + 1, second + 1
        last, other_last = last - 1, other_last - 1
        while first <= last and second <= other_last and old[last] == new[other_last]:
            pair(last, other_last)
            last, other_last = last - 1, other_last - 1
    return result


def _common_lines(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Places of lines that both sides have once: as many as stand in the same order."""
    in_old, in_new = Counter(old), Counter(new)
    places = {word: place for place, word in enumerate(new) if in_new[word] == 1 == in_old[word]}
    ends: list[int] = []  # for each length, the earliest place at which a row of so many ends
    rows: list[tuple[int, int]] = []  # and its last pair
    before: dict[tuple[int, int], tuple[int, int] | None] = {}
    for first, word in enumerate(old):
        if (second := places.get(word)) is None:
            continue
        length = bisect_left(ends, second)
        before[first, second] = rows[length - 1] if length else None
        ends[length : length + 1], rows[length : length + 1] = [second], [(first, second)]
    result: list[tuple[int, int]] = []
    pair = rows[-1] if rows else None
    while pair is not None:
        result.append(pair)
        pair = before[pair]
    return result[::-1]


def _note(diff: Diff) -> str:
    if diff["new_file"]:
        return "new"
    if diff["deleted_file"]:
        return "deleted"
    if diff["renamed_file"]:
        return f"renamed from {diff['old_path']}"
    if diff["a_mode"] != diff["b_mode"]:
        return f"mode {diff['a_mode']} → {diff['b_mode']}"
    return "generated" if diff.get("generated_file") else ""
