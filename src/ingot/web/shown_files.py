"""Changed files ready for a template: their lines, or why there are none, and what else is known of them."""

import hashlib
from collections.abc import Sequence
from urllib.parse import quote

import msgspec
from markupsafe import Markup

from ingot.gitstore.diff_stats import DiffStats, FileStat
from ingot.gitstore.objects import blob_size
from ingot.gitstore.repository import Repository
from ingot.kit.blobs.shared_cache import SharedCache
from ingot.kit.errors import NotFound
from ingot.web.answers import Diff
from ingot.web.call import PageCall
from ingot.web.diff_context import LONGEST_WIDENED
from ingot.web.diff_lines import Talk
from ingot.web.diff_parts import part_of
from ingot.web.diffs import anchor_of, rows_of, spaces_of
from ingot.web.file_facts import note_of, reason_of, stats_between
from ingot.web.sending import number_in, text
from ingot.web.shown_changes import OF_PAGE, WHOLE, Look, shown_query
from ingot.web.split_diffs import split_rows
from ingot.web.texts import highlighted_diffs

FOLDED_FROM = 2000
LINES_AROUND, MOST_AROUND = 20, 999  # that one step shows more of, and all of them
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
    pictures: Sequence[tuple[str, str]] = ()  # what they show (before, after), and their addresses
    blob: str = ""  # its new content; empty where the visitor cannot mark it as viewed
    is_viewed: bool = False
    part: int = 1  # of a diff that is too long for one page
    parts: int = 1
    kind: str = ""  # new | deleted | renamed; empty for others
    open_threads: int = 0
    can_widen: bool = False  # to more of its unchanged lines


class Showing(msgspec.Struct, frozen=True):
    """How a page shows changed files."""

    look: Look = Look(hides_space=False, is_split=False)
    stats: DiffStats | None = None  # what the lines do not tell
    repository: Repository | None = None
    part: int | None = None  # of a file that is shown alone; None for several
    query: str | None = None  # of the page, where files have more lines around those that changed
    context: str = ""  # how many of them are shown

    @classmethod
    def of(cls, call: PageCall, look: Look, repository: Repository, ends: tuple[str, str] | None) -> "Showing":
        """As the address says, of what changed between two commits."""
        part = (number_in(text(call, "part")) or 1) if text(call, "file") else None
        stats, query = stats_between(repository, ends), shown_query(call, OF_PAGE)
        return cls(look, stats, repository, part, query, text(call, "context"))

    def can_widen(self, kind: str, stat: FileStat | None) -> bool:
        """Whether a file may have unchanged lines that are not shown."""
        if self.query is None or kind in ("new", "deleted"):
            return False
        size = blob_size(self.repository, stat.new_id) if self.repository and stat else None
        return size is None or size <= LONGEST_WIDENED

    def widen_link(self, file: FileDiff) -> str:
        """Where a file is shown alone with more of its unchanged lines; empty where it has no more."""
        if not file.can_widen or self.context == WHOLE:
            return ""
        lines = min(MOST_AROUND, (number_in(self.context) or 0) + LINES_AROUND)
        return f"?{self.query}{'&' if self.query else ''}file={file.anchor}&context={lines}#{file.anchor}"


def present_diffs(
    diffs: Sequence[Diff],
    how: Showing,
    talk: Talk | None = None,
    shared: SharedCache | None = None,
    most: int = MOST_LINES,
) -> tuple[list[FileDiff], int]:
    """The files of a diff, and how many of them are left without their lines because there are too many."""
    files, left, cut = [], most, 0
    shown: list[tuple[FileDiff, str]] = []
    stats, part, look = how.stats, how.part, how.look
    by_path = {stat.path: stat for stat in stats.files} if stats is not None else {}
    for diff in diffs:
        file = FileDiff(diff["new_path"], diff["old_path"], anchor_of(diff["new_path"]), note_of(diff))
        if diff["new_file"] or diff["deleted_file"] or diff["renamed_file"]:
            file.kind = "new" if diff["new_file"] else "deleted" if diff["deleted_file"] else "renamed"
        stat = by_path.get(file.path)
        if stat is not None:
            file.added, file.removed = stat.added, stat.removed
        lines = diff.get("diff") or ""
        lines = "" if lines.startswith("Binary files ") else lines
        if part is not None and lines:
            lines, file.parts = part_of(lines, part, most)
            file.part = min(max(part, 1), file.parts)
        count = lines.count("\n")
        if count > left and part is None:
            file.reason, file.is_left = "The page has reached its line limit.", True
            cut += 1
        elif diff.get("too_large") or (not lines and diff.get("collapsed")):
            file.reason, file.is_left = _too_large(is_alone=part is not None), part is None
            cut += file.is_left
        elif not lines:
            file.reason = reason_of(diff, stat, how.repository)
        else:
            left -= count
            shown.append((file, lines))
            file.can_widen = how.can_widen(file.kind, stat)
            file.digest = hashlib.sha1(lines.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:12]
            file.is_folded = part is None and (bool(diff.get("generated_file")) or count > FOLDED_FROM)
        if talk is not None:
            file.talk = Markup(talk.below(file.path, None, None))  # noqa: S704 - a rendered template
        files.append(file)
    colours = highlighted_diffs([(lines, file.path.rpartition("/")[2].lower()) for file, lines in shown], shared)
    for (file, lines), coloured in zip(shown, colours, strict=True):
        file.rows, added, removed = (split_rows if look.is_split else rows_of)(
            lines, file.anchor, file.path, talk, spaces=spaces_of(lines) if look.hides_space else {},
            coloured=coloured, widen=how.widen_link(file),
        )  # fmt: skip
        if look.hides_space or file.path not in by_path:
            file.added, file.removed = added, removed
    return files, cut


def _too_large(*, is_alone: bool) -> str:
    return (
        "This change is too large to show."
        if is_alone
        else "This change is too large to show on a page with other files."
    )


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


def chosen(diffs: Sequence[Diff], anchor: str) -> Sequence[Diff]:
    """The file that an address names by its anchor, alone; all where it names none."""
    chosen = [diff for diff in diffs if anchor_of(diff["new_path"]) == anchor] if anchor else diffs
    if anchor and not chosen:
        raise NotFound
    return chosen
