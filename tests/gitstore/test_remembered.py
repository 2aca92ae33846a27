"""What git said about fixed commits is not asked for twice, and never told of another repository."""

from pathlib import Path

from ingot.gitstore.log import LogQuery, commit_ids, commits, count, last_commit_of_path
from ingot.gitstore.remembered import LARGEST, MOST_BYTES, remembered
from ingot.gitstore.repository import Repository
from tests.gitstore.conftest import Builder


class Asked:
    def __init__(self, answer: bytes) -> None:
        self.answer = answer
        self.times = 0

    def __call__(self) -> bytes:
        self.times += 1
        return self.answer


def test_a_question_is_asked_once_for_each_repository(tmp_path: Path) -> None:
    one, other = Repository(tmp_path / "one.git"), Repository(tmp_path / "other.git")
    first, second = Asked(b"first"), Asked(b"")

    answers = [remembered(one, ("q",), first), remembered(one, ("q",), first), remembered(other, ("q",), second)]
    answers += [remembered(other, ("q",), second), remembered(one, ("q", "more"), first)]

    assert answers == [b"first", b"first", b"", b"", b"first"]
    assert (first.times, second.times) == (2, 1)


def test_large_answers_are_not_kept_and_old_ones_make_room(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "large.git")
    large, full = Asked(b"x" * (LARGEST + 1)), Asked(b"x" * LARGEST)

    for _ in range(2):
        remembered(repo, ("large",), large)
    for number in range(MOST_BYTES // LARGEST + 2):
        remembered(repo, ("full", str(number)), full)
    remembered(repo, ("full", "0"), full)

    assert large.times == 2
    assert full.times == MOST_BYTES // LARGEST + 3


def test_questions_with_short_answers_make_room_too(tmp_path: Path) -> None:
    repo, none = Repository(tmp_path / "words.git"), Asked(b"")
    many = MOST_BYTES // LARGEST

    for number in (*range(many), 0):
        remembered(repo, ("x" * LARGEST, str(number)), none)

    assert none.times == many + 1


def test_a_branch_that_moved_shows_its_new_commits(repo: Repository, build: Builder) -> None:
    first = build.commit("main", {"a": "1", "b": "1"})
    before = [commit.id for commit in commits(repo, LogQuery(include=[first]))]
    second = build.commit("main", {"a": "2"})

    for _ in range(2):
        assert commit_ids(repo, LogQuery(include=[second])) == [second, *before]
        assert count(repo, LogQuery(include=[second], exclude=[first])) == 1
        assert [last_commit_of_path(repo, second, path) for path in ("a", "b")] == [second, first]
