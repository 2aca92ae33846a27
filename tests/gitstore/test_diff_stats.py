import pytest

from ingot.gitstore.commit_objects import write_blob, write_commit
from ingot.gitstore.diff_stats import DiffStats, diff_stats
from ingot.gitstore.errors import RevisionNotFound
from ingot.gitstore.model import EMPTY_TREE_ID
from ingot.gitstore.objects import find_entry, get_commit
from ingot.gitstore.process import Limits
from ingot.gitstore.repository import Repository
from ingot.gitstore.tree_edit import Folder
from tests.gitstore.conftest import ANNA, Builder

LONG = "".join(f"line {n}\n" for n in range(30))


def stats_of(repo: Repository, old: str, new: str) -> DiffStats:
    stats = diff_stats(repo, old, new)
    assert stats is not None
    return stats


def test_every_file_has_its_counts_without_its_lines(repo: Repository, build: Builder) -> None:
    old = build.commit("main", {"edit": "1\n2\n", "gone": "x\n", "from": LONG, "bin": b"\0a", "run": "x\n"})
    middle = build.commit("main", {"edit": "1\n3\n4\n", "gone": None, "from": None, "to\tü": LONG + "m\n",
                                   "bin": b"\0b",
                                   "empty": "", "large": LONG * 20_000})  # fmt: skip
    root = Folder(repo, get_commit(repo, middle).tree_id)
    root.put([b"run"], "120000", write_blob(repo, b"target"))
    new = write_commit(repo, root.write(), [middle], "a link", ANNA)

    stats = stats_of(repo, old, new)

    counts = {file.path: (file.status, file.added, file.removed, file.is_binary) for file in stats.files}
    assert counts == {
        "bin": ("M", 0, 0, True), "edit": ("M", 2, 1, False), "empty": ("A", 0, 0, False),
        "gone": ("D", 0, 1, False), "large": ("A", 600_000, 0, False), "run": ("T", 1, 1, False),
        "to\tü": ("R", 1, 0, False),
    }  # fmt: skip
    assert (stats.count, stats.added, stats.removed) == (7, 600_004, 3)
    renamed = next(file for file in stats.files if file.status == "R")
    entry = find_entry(repo, new, "to\tü")
    assert (renamed.old_path, renamed.new_id) == ("from", entry.id if entry else "")
    assert next((file.a_mode, file.b_mode) for file in stats.files if file.path == "run") == ("100644", "120000")


def test_nothing_changes_between_equal_commits_and_unknown_ones_are_refused(repo: Repository, build: Builder) -> None:
    head = build.commit("main", {"a": "1\n"})

    assert stats_of(repo, head, head).count == 0
    assert stats_of(repo, EMPTY_TREE_ID, head).added == 1
    with pytest.raises(RevisionNotFound):
        diff_stats(repo, "main", head)


def test_what_is_too_much_to_count_is_tried_once(
    repo: Repository, build: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = build.commit("main", {"a": "1\n"}), build.commit("main", {"b": "2\n"})
    with monkeypatch.context() as patch:
        patch.setattr("ingot.gitstore.diff_stats.LIMITS", Limits(output=10))
        assert diff_stats(repo, old, new) is None
    assert diff_stats(repo, old, new) is None
    assert stats_of(repo, new, old).removed == 1
