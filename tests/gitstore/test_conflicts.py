from ingot.gitstore.conflicts import MOST_LINES, conflicts
from ingot.gitstore.repository import Repository
from tests.gitstore.conftest import Builder


def test_files_that_do_not_merge_have_the_marks_of_both_sides(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n", "dir/ü b": "1\n", "gone": "1\n", "bytes": "1\n"})
    source = build.commit("side", {"a": "2\n", "dir/ü b": "2\n", "gone": None, "bytes": b"\0 2"}, parents=[base])
    target = build.commit("main", {"a": "3\n", "dir/ü b": "3\n", "gone": "3\n", "bytes": b"\0 3"})

    found = {file.path: file.content for file in conflicts(repo, target, source)}

    assert found["a"] == f"<<<<<<< {target}\n3\n=======\n2\n>>>>>>> {source}\n"
    assert found["dir/ü b"] is not None
    assert found["bytes"] is None
    assert conflicts(repo, target, base) == []


def test_files_beyond_the_lines_of_a_page_are_only_named(repo: Repository, build: Builder) -> None:
    names = [f"{number}" for number in range(4)]
    base = build.commit("main", dict.fromkeys(names, "1\n"))
    source = build.commit("side", dict.fromkeys(names, "2\n" * 3000), parents=[base])
    target = build.commit("main", dict.fromkeys(names, "3\n" * 1000))

    found = conflicts(repo, target, source)

    assert [file.content is None for file in found] == [False, False, True, True]
    assert sum((file.content or "").count("\n") for file in found) <= MOST_LINES
