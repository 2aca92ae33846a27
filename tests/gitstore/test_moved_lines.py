from ingot.gitstore.moved_lines import moves
from ingot.gitstore.repository import Repository
from tests.gitstore.conftest import Builder

LINES = [f"line {number}" for number in range(1, 11)]


def text(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_lines_keep_their_place_behind_what_was_added_and_removed(repo: Repository, build: Builder) -> None:
    old = build.commit("main", {"a": text(*LINES), "same": text(*LINES)})
    now = ["first", "second", *LINES[:4], *LINES[6:8], "other", LINES[9], "last"]
    new = build.commit("main", {"a": text(*now)})

    found = moves(repo, old, new, ["a", "same"])

    places = {line: found.line("a", number) for number, line in enumerate(LINES, 1)}
    assert places == {line: now.index(line) + 1 if line in now else None for line in LINES}
    assert [number for number, line in enumerate(LINES, 1) if places[line] is None] == [5, 6, 9]
    assert [found.line("same", number) for number in range(1, 11)] == list(range(1, 11))


def test_a_renamed_file_is_followed_and_a_deleted_one_has_no_lines(repo: Repository, build: Builder) -> None:
    old = build.commit("main", {"from": text(*LINES), "gone": text(*LINES), "tall": text(*LINES)})
    new = build.commit("main", {"from": None, "to": text("first", *LINES), "gone": None, "tall": "x\n" * 300_000})

    found = moves(repo, old, new, ["from", "gone", "tall"])

    assert (found.path("from"), found.line("from", 3)) == ("to", 4)
    assert (found.path("gone"), found.line("gone", 3)) == ("gone", None)
    assert (found.line("tall", 3), found.unknown) == (None, {"tall"})  # too large to compare


def test_commits_that_git_does_not_have_leave_no_line(repo: Repository, build: Builder) -> None:
    head = build.commit("main", {"a": text(*LINES)})

    missing = moves(repo, "1" * 40, head, ["a"])
    assert (missing.line("a", 1), missing.unknown) == (None, {"a"})
    assert moves(repo, head, head, ["a"]).line("a", 1) == 1
