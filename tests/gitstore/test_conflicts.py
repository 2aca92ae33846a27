"""What conflicts, why a file has no lines to choose from, and merges with a side of each conflict."""

import subprocess
from itertools import product
from pathlib import Path
from random import Random

import pytest

from ingot.gitstore.commit_objects import write_blob, write_commit
from ingot.gitstore.conflicts import LARGEST, MOST_LINES, Choice, Conflict, conflicts, resolve
from ingot.gitstore.errors import MergeConflict
from ingot.gitstore.hunks import OURS, THEIRS, Side, with_marks
from ingot.gitstore.objects import get_commit
from ingot.gitstore.repository import Repository
from ingot.gitstore.tree_edit import SUBMODULE, Folder
from tests.gitstore.conftest import BEN, Builder

SIDES: tuple[Side, Side] = (OURS, THEIRS)
BASE = [f"line {number}" for number in range(1, 21)]


def changed(word: str, at: tuple[int, ...], end: str = "\n", last: str | None = None) -> bytes:
    """The base with some lines changed, and the end of its last line."""
    lines = [f"{word} {number}" if number in at else line for number, line in enumerate(BASE, 1)]
    return (end.join(lines) + (end if last is None else last)).encode()


def find(repo: Repository, ours: str, theirs: str) -> dict[str, Conflict]:
    return {file.path: file for file in conflicts(repo, ours, theirs)}


def merged(repo: Repository, ours: str, theirs: str, **choices: Choice) -> Folder:
    sha = resolve(repo, ours, theirs, choices, BEN, "Merge")
    assert list(get_commit(repo, sha).parent_ids) == [ours, theirs]
    return Folder(repo, get_commit(repo, sha).tree_id)


def content(repo: Repository, folder: Folder, path: str) -> bytes:
    entry = folder.find(path.encode().split(b"/"))
    assert isinstance(entry, tuple)
    command = ["git", "-C", str(repo.path), "cat-file", "blob", entry[1]]
    return subprocess.run(command, check=True, capture_output=True).stdout


def test_files_that_do_not_merge_say_what_both_sides_have(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n", "dir/ü b": "1\n"})
    source = build.commit("side", {"a": "2\n", "dir/ü b": "2\n"}, parents=[base])
    target = build.commit("main", {"a": "3\n", "dir/ü b": "3\n"})

    found = find(repo, source, target)

    assert sorted(found) == ["a", "dir/ü b"]
    assert with_marks(found["a"].parts or (), "side", "main") == "<<<<<<< side\n2\n=======\n3\n>>>>>>> main\n"
    assert conflicts(repo, target, base) == []


def test_files_without_lines_to_choose_from_say_why(repo: Repository, build: Builder) -> None:
    names = ("gone", "left", "bytes", "big", "marks", "old")
    base = build.commit("main", {name: f"{name}\n" * 9 for name in names})
    wide = "x" * LARGEST
    # Text that looks as git's marks would, for whoever knows how long they are.
    ours = {"gone": None, "left": "2\n", "bytes": b"\0 2", "big": f"2{wide}", "marks": f"2\n{'=' * 61}\n", "old": None}
    theirs = {"gone": "3\n", "left": None, "bytes": b"\0 3", "big": f"3{wide}", "marks": "3\n", "old": None}
    source = build.commit("side", {**ours, "new 2": "old\n" * 9}, parents=[base])
    target = build.commit("main", {**theirs, "new 3": "old\n" * 9})

    found = find(repo, source, target)

    assert {path: file.why for path, file in found.items()} == {
        "gone": "gone_ours", "left": "gone_theirs", "bytes": "binary", "big": "large", "marks": "marks",
        "old": "gone_both", "new 2": "gone_theirs", "new 3": "gone_ours",
    }  # fmt: skip
    assert [file.hunks for file in found.values()] == [[]] * len(found)
    assert {path for path, file in found.items() if file.is_editable} == {"gone", "left", "new 2", "new 3"}
    whole: dict[str, Choice] = dict.fromkeys(found, OURS)
    folder = merged(repo, source, target, **{**whole, "marks": THEIRS, "bytes": THEIRS, "gone": THEIRS})
    assert (content(repo, folder, "marks"), content(repo, folder, "bytes")) == (b"3\n", b"\0 3")
    assert [folder.find([name]) is None for name in (b"gone", b"left", b"old", b"new 2", b"new 3")] == [
        False, False, True, False, True,
    ]  # fmt: skip


def test_entries_that_are_no_files_have_no_lines(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"vendor": "1\n", "link": "1\n"})

    def commit(vendor: tuple[str, str], link: tuple[str, str]) -> str:
        folder = Folder(repo, get_commit(repo, base).tree_id)
        folder.put([b"vendor"], *vendor)
        folder.put([b"link"], *link)
        return write_commit(repo, folder.write(), [base], "Change", BEN)

    blobs = [write_blob(repo, text) for text in (b"a", b"b")]
    source = commit((SUBMODULE, "1" * 40), ("120000", blobs[0]))
    target = commit((SUBMODULE, "2" * 40), ("120000", blobs[1]))

    assert {path: file.why for path, file in find(repo, source, target).items()} == {
        "vendor": "submodule", "link": "link",
    }  # fmt: skip


def test_files_beyond_the_lines_of_a_page_are_only_named(repo: Repository, build: Builder) -> None:
    names = [f"{number}" for number in range(4)]
    base = build.commit("main", dict.fromkeys(names, "1\n"))
    source = build.commit("side", dict.fromkeys(names, "2\n" * 3000), parents=[base])
    target = build.commit("main", dict.fromkeys(names, "3\n" * 1000))

    found = conflicts(repo, source, target)

    assert [file.why for file in found] == [None, None, "crowded", "crowded"]
    shown = sum((hunk.ours + hunk.theirs).count(b"\n") for file in found for hunk in file.hunks)
    assert 0 < shown <= MOST_LINES


ENDS = {
    "plain": ("\n", "\n", "\n"), "crlf": ("\r\n", "\r\n", "\r\n"),
    "ours without end": ("\n", "", "\n"), "theirs without end": ("\n", "\n", ""), "both without end": ("\n", "", ""),
    "crlf, ours without end": ("\r\n", "", "\r\n"), "crlf, both without end": ("\r\n", "", ""),
    "ours ends in cr": ("\r\n", "\r", "\r\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize("at", [(1, 10, 20), (10,), (1,), (20,)], ids=str)
def test_every_mix_of_sides_is_exactly_what_both_files_have(
    repo: Repository, build: Builder, name: str, at: tuple[int, ...]
) -> None:
    end, ours_last, theirs_last = ENDS[name]
    base = build.commit("main", {"a": changed("", (), end)})
    source = build.commit("side", {"a": changed("ours", at, end, ours_last)}, parents=[base])
    target = build.commit("main", {"a": changed("theirs", at, end, theirs_last)})
    hunks = find(repo, source, target)["a"].hunks

    for sides in product(SIDES, repeat=len(hunks)):
        choice = {hunk.key: side for hunk, side in zip(hunks, sides, strict=True)}
        words = dict(zip(at, sides, strict=True))
        lines = [f"{words[number]} {number}" if number in words else line for number, line in enumerate(BASE, 1)]
        last = _last(end, ours_last, theirs_last, words.get(20))
        assert content(repo, merged(repo, source, target, a=choice), "a") == (end.join(lines) + last).encode()


def _last(end: str, ours: str, theirs: str, side: str | None) -> str:
    """The end of the last line: that of the chosen side, or of the side that changed it."""
    if side is not None:
        return ours if side == OURS else theirs
    return ours if ours != end else theirs


def test_one_side_of_every_conflict_is_what_git_makes_of_it(repo: Repository, build: Builder, tmp_path: Path) -> None:
    chance = Random(7)
    pool = [b"one\n", b"two\r\n", b"=======\n", b">>>>>>> main\n", b"\n", b"caf\xe9\n", b"\r\n", b"end"]

    def text() -> list[bytes]:
        return [b"%d\n" % number for number in range(chance.choice([0, 5, 40]))]

    def edited(lines: list[bytes]) -> bytes:
        result = list(lines)
        for _ in range(chance.randrange(1, 9)):
            at = chance.randrange(len(result) + 1)
            result[at : at + chance.randrange(3)] = chance.choices(pool[:-1], k=chance.randrange(3))
        return b"".join(result) + chance.choice([b"", b"", pool[-1], b"last\r"])

    several = 0
    for number in range(60):
        lines = text()
        texts = {"base": b"".join(lines), "ours": edited(lines), "theirs": edited(lines)}
        for file, body in texts.items():
            (tmp_path / file).write_bytes(body)
        base = build.commit(f"base{number}", {"a": texts["base"]}, parents=[])
        source = build.commit(f"ours{number}", {"a": texts["ours"]}, parents=[base])
        target = build.commit(f"theirs{number}", {"a": texts["theirs"]}, parents=[base])
        found = find(repo, source, target).get("a")
        if found is None:
            continue
        several += len(found.hunks) > 1
        for side in SIDES:
            command = ["git", "merge-file", "-p", f"--{side}", "ours", "base", "theirs"]
            witness = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True).stdout
            choice: dict[str, Side] = {hunk.key: side for hunk in found.hunks}
            assert content(repo, merged(repo, source, target, a=choice), "a") == witness, (texts, side)
    assert several > 4


def test_conflicts_of_the_same_lines_are_chosen_one_by_one(repo: Repository, build: Builder) -> None:
    def text(word: str) -> bytes:
        return (f"{word}\n" + "same\n" * 4).encode() * 3

    base = build.commit("main", {"a": text("0")})
    source, target = build.commit("side", {"a": text("1")}, parents=[base]), build.commit("main", {"a": text("2")})
    keys = [hunk.key for hunk in find(repo, source, target)["a"].hunks]

    folder = merged(repo, source, target, a=dict(zip(keys, (OURS, THEIRS, OURS), strict=True)))

    assert content(repo, folder, "a") == b"1\n" + (same := b"same\n" * 4) + b"2\n" + same + b"1\n" + same


def test_a_conflict_without_a_side_is_not_resolved(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": changed("", ()), "b": "1\n"})
    source = build.commit("side", {"a": changed("ours", (1, 20)), "b": "2\n"}, parents=[base])
    target = build.commit("main", {"a": changed("theirs", (1, 20)), "b": "3\n"})
    first, _ = find(repo, source, target)["a"].hunks

    for choice in ({first.key: OURS}, {}, {"unknown": OURS}):
        with pytest.raises(MergeConflict) as caught:
            resolve(repo, source, target, {"a": choice, "b": THEIRS}, BEN, "Merge")
        assert caught.value.paths == ("a",)


@pytest.mark.parametrize("ours", [b"caf\xe9\n", b"a\r\nb\n", b"a\rb\n"])
def test_texts_that_a_form_would_change_are_not_edited(repo: Repository, build: Builder, ours: bytes) -> None:
    base = build.commit("main", {"a": "1\n"})
    source, target = build.commit("side", {"a": ours}, parents=[base]), build.commit("main", {"a": "3\n"})
    found = find(repo, source, target)["a"]

    assert (found.is_editable, len(found.hunks)) == (False, 1)
    chosen: dict[str, Side] = {found.hunks[0].key: OURS}
    assert content(repo, merged(repo, source, target, a=chosen), "a") == ours
