"""What pages say of a changed file beside its lines: how it changed, and why there are no lines to show."""

from ingot.gitstore.diff_stats import DiffStats, FileStat, diff_stats
from ingot.gitstore.errors import GitError
from ingot.gitstore.model import EMPTY_TREE_ID
from ingot.gitstore.objects import blob_size, merge_base
from ingot.gitstore.repository import Repository
from ingot.gitstore.revisions import find
from ingot.web.answers import Diff
from ingot.web.filters import size

KINDS = {"120000": "symbolic link", "160000": "submodule"}
EXECUTABLE, PLAIN = "100755", "100644"


def commits_between(
    repository: Repository, base: str | None, head: str | None, *, from_merge_base: bool = False
) -> tuple[str, str] | None:
    """Both ends of changes by their ids; None where one is not there."""
    try:
        old, new = find(repository, base) if base else EMPTY_TREE_ID, find(repository, head) if head else None
        if old and new and from_merge_base:
            old = merge_base(repository, old, new) or EMPTY_TREE_ID
    except GitError:
        return None
    return (old, new) if old and new else None


def stats_between(repository: Repository, ends: tuple[str, str] | None) -> DiffStats | None:
    """The counts of all files that changed; None where git cannot tell."""
    try:
        return diff_stats(repository, *ends) if ends else None
    except GitError:
        return None


def note_of(diff: Diff) -> str:
    """How the file changed, and what it is if it is no plain one."""
    notes = []
    if diff["new_file"]:
        notes.append("new")
    elif diff["deleted_file"]:
        notes.append("deleted")
    elif diff["renamed_file"]:
        notes.append(f"renamed from {diff['old_path']}")
    before, after = diff["a_mode"], diff["b_mode"]
    kind = KINDS.get((before if diff["deleted_file"] else after) or "")
    if kind:
        notes.append(kind)
    elif after == EXECUTABLE and not diff["deleted_file"] and before != EXECUTABLE:
        notes.append("executable" if diff["new_file"] else "now executable")
    elif before == EXECUTABLE and after == PLAIN:
        notes.append("no longer executable")
    if diff.get("generated_file"):
        notes.append("generated")
    return ", ".join(notes)


def reason_of(diff: Diff, stat: FileStat | None, repository: Repository | None) -> str:
    """Why a file has no lines, in a sentence."""
    if stat is not None and stat.is_binary:
        sizes = [blob_size(repository, blob) if repository else None for blob in (stat.old_id, stat.new_id)]
        before, after = (None if number is None else size(number) for number in sizes)
        if before and after:
            return f"A binary file: {before} before, {after} now." if before != after else f"A binary file of {after}."
        return f"A binary file of {before or after}." if before or after else "A binary file."
    if stat is None and not diff["renamed_file"] and diff["a_mode"] == diff["b_mode"]:
        return "A binary file, or an empty one."
    if diff["renamed_file"]:
        return "Only the name changed." if diff["a_mode"] == diff["b_mode"] else "Only name and mode changed."
    if diff["new_file"] or diff["deleted_file"]:
        return "The file is empty." if diff["new_file"] else "The file was empty."
    return "Only the mode changed."
