import pytest

from ingot.gitstore import diff as diffs
from ingot.gitstore.commit_objects import write_blob, write_commit
from ingot.gitstore.diff import DiffLimits
from ingot.gitstore.errors import RevisionNotFound
from ingot.gitstore.model import EMPTY_TREE_ID
from ingot.gitstore.objects import get_commit
from ingot.gitstore.repository import Repository
from ingot.gitstore.tree_edit import Folder
from tests.gitstore.conftest import ANNA, Builder

LONG = "".join(f"line {n}\n" for n in range(30))


def test_every_kind_of_change_is_one_record(repo: Repository, build: Builder) -> None:
    old = build.commit("main", {"edit": "1\n2\n", "gone": "x\n", "from": LONG, "bin": b"\0a", "same": "s"})
    new = build.commit("main", {
        "edit": "1\n3\n", "gone": None, "from": None, "dir/to": LONG, "bin": b"\0b", "born": "y\n", "yarn.lock": "z\n",
    })  # fmt: skip

    result = {file.new_path: file for file in diffs.diff(repo, old, new).files}

    assert set(result) == {"edit", "gone", "dir/to", "bin", "born", "yarn.lock"}
    edit = result["edit"]
    assert edit.diff == "@@ -1,2 +1,2 @@\n 1\n-2\n+3\n"
    assert (edit.a_mode, edit.b_mode, edit.additions, edit.deletions) == ("100644", "100644", 1, 1)
    assert edit.unidiff == "--- a/edit\n+++ b/edit\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n"
    assert (result["born"].new_file, result["born"].a_mode, result["born"].diff) == (True, "0", "@@ -0,0 +1 @@\n+y\n")
    assert (result["gone"].deleted_file, result["gone"].b_mode) == (True, "0")
    assert result["gone"].unidiff.startswith("--- a/gone\n+++ /dev/null\n")
    moved = result["dir/to"]
    assert (moved.renamed_file, moved.old_path, moved.diff) == (True, "from", "")
    assert (result["bin"].binary, result["bin"].diff) == (True, "Binary files a/bin and b/bin differ\n")
    assert result["yarn.lock"].generated_file
    assert not edit.generated_file


def test_renames_with_changes_keep_their_hunks(repo: Repository, build: Builder) -> None:
    old = build.commit("main", {"a": LONG})
    new = build.commit("main", {"a": None, "b": LONG + "more\n"})

    (file,) = diffs.diff(repo, old, new).files

    assert (file.renamed_file, file.old_path, file.new_path, file.additions) == (True, "a", "b", 1)
    assert file.diff.endswith("+more\n")


def test_mode_and_type_changes(repo: Repository, build: Builder) -> None:
    old = build.commit("main", {"run": "x\n", "link": "target", "z": "1\n"})
    root = Folder(repo, get_commit(repo, old).tree_id)
    root.put([b"run"], "100755", write_blob(repo, b"x\n"))
    root.put([b"link"], "120000", write_blob(repo, b"target"))
    root.put([b"z"], "100644", write_blob(repo, b"2\n"))
    new = write_commit(repo, root.write(), [old], "modes", ANNA)

    link, run, last = diffs.diff(repo, old, new).files

    assert (run.new_path, run.a_mode, run.b_mode, run.diff) == ("run", "100644", "100755", "")
    assert (link.new_path, link.a_mode, link.b_mode) == ("link", "100644", "120000")
    assert "-target" in link.diff
    assert "+target" in link.diff
    assert (last.new_path, last.diff) == ("z", "@@ -1 +1 @@\n-1\n+2\n")


@pytest.mark.parametrize("path", ["with space", "grün/日本", 'q"uote', "new\nline", "tab\t", "diff --git a/x b/x"])
def test_odd_names_and_contents_do_not_confuse_the_reader(repo: Repository, build: Builder, path: str) -> None:
    old = build.commit("main", {"a": "1\n"})
    new = build.commit("main", {path: "diff --git a/x b/x\n--- a\n+++ b\n@@ -1 +1 @@\n", "zz": "last\n"})

    first, last = sorted(diffs.diff(repo, old, new).files, key=lambda file: file.new_path == "zz")

    assert (first.new_path, first.additions) == (path, 4)
    assert last.diff == "@@ -0,0 +1 @@\n+last\n"
    assert [changed.new_path for changed in diffs.changed_paths(repo, old, new)].count(path) == 1


def test_a_root_commit_and_an_empty_diff(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n"})

    assert [f.new_path for f in diffs.diff_of_commit(repo, base).files] == ["a"]
    assert diffs.diff(repo, base, base).files == []
    assert diffs.diff(repo, EMPTY_TREE_ID, base).files[0].new_file


def test_limits_cut_text_then_files(repo: Repository, build: Builder) -> None:
    old = build.commit("main", {"x": "1\n"})
    new = build.commit("main", {"a": "small\n", "b": "large\n" * 100, "c": "small\n", "d": "small\n"})

    cut = diffs.diff(repo, old, new, limits=DiffLimits(max_patch_bytes=200))
    assert [(f.new_path, f.too_large, bool(f.diff)) for f in cut.files] == [
        ("a", False, True), ("b", True, False), ("c", False, True), ("d", False, True),
    ]  # fmt: skip
    assert cut.files[1].additions == 100
    assert not cut.overflow

    few = diffs.diff(repo, old, new, limits=DiffLimits(max_files=2))
    assert ([f.new_path for f in few.files], few.overflow) == (["a", "b"], True)
    assert not diffs.diff(repo, old, new, limits=DiffLimits(max_files=4)).overflow
    assert diffs.diff(repo, old, new, limits=DiffLimits(max_lines=50)).overflow

    folded = diffs.diff(repo, old, new, limits=DiffLimits(safe_files=1, collapse=True))
    assert [(f.collapsed, f.diff == "") for f in folded.files] == [(False, False)] + [(True, True)] * 3


def test_changed_paths_and_raw_diff(repo: Repository, build: Builder) -> None:
    old = build.commit("main", {"a": "1\n", "m": LONG})
    build.commit("main", {"a": "2\n", "bin": b"\0"}, "Second commit")
    new = build.commit("main", {"m": None, "n": LONG}, "Third commit")

    assert [(c.status, c.old_path, c.new_path) for c in diffs.changed_paths(repo, old, new)] == [
        ("M", "a", "a"), ("A", "bin", "bin"), ("R", "m", "n"),
    ]  # fmt: skip
    raw = b"".join(diffs.raw_diff(repo, old, new))
    assert raw.startswith(b"diff --git a/a b/a\n")
    with pytest.raises(RevisionNotFound):
        diffs.diff(repo, "--output=/tmp/x", new)
