import subprocess
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from ingot.gitstore import log, objects, refs, revisions
from ingot.gitstore.authors import authors
from ingot.gitstore.errors import PathNotFound, RevisionNotFound
from ingot.gitstore.log import LogQuery
from ingot.gitstore.model import Person, text
from ingot.gitstore.repository import Repository
from ingot.gitstore.trailers import parse_trailers
from tests.gitstore.conftest import ANNA, BEN, Builder

ODD = [
    "with space",
    "grün/日本.txt",
    'quote"and\\back',
    "new\nline",
    "tab\there",
    "-dash",
    ":colon",
    "*star[1]",
    "é" * 60,
]


def test_revisions_resolve_like_in_git(repo: Repository, build: Builder) -> None:
    first = build.commit("main", {"a": "1"})
    second = build.commit("main", {"a": "2"})
    refs.create_tag(repo, "v1", first, message="one", tagger=ANNA)
    refs.create_branch(repo, "v1", "main")

    for name in (
        "main",
        "refs/heads/main",
        "heads/main",
        "HEAD",
        "@",
        second,
        second[:8],
        "main^0",
        "main^{}",
        "main~0",
    ):
        assert revisions.resolve(repo, name) == second, name
    for name in ("main~1", "main^", "main^1", "v1", "v1^{commit}", "tags/v1", "HEAD~"):
        assert revisions.resolve(repo, name) == first, name
    assert revisions.find_range(repo, "main~1..main") == ([second], [first])
    assert revisions.find_range(repo, "main~1...main") == ([first, second], [first])
    assert revisions.find_range(repo, "absent..main") is None


@pytest.mark.parametrize(
    "name",
    ["", "-x", "--all", "nope", "main~9", "main^2", "0" * 40, "dead", "main:a", ":/x", "@{1}", "^main", "a\0b", "~1"],
)
def test_what_names_no_commit_is_not_found(repo: Repository, build: Builder, name: str) -> None:
    build.commit("main", {"a": "1"})

    assert revisions.find(repo, name) is None
    with pytest.raises(RevisionNotFound):
        revisions.resolve(repo, name)


def test_a_commit_is_read_with_offset_and_people(repo: Repository, build: Builder) -> None:
    sha = build.commit("main", {"a": "1"}, "Title line\n\nBody", author=ANNA)

    commit = objects.get_commit(repo, sha)

    assert commit.author == ANNA
    assert commit.author.when.isoformat() == "2026-03-01T10:20:30+01:00"
    assert (commit.title, commit.body, commit.short_id, commit.parent_ids) == ("Title line", "Body", sha[:8], ())
    assert log.commits(repo, LogQuery(include=[sha])) == [commit]
    with pytest.raises(RevisionNotFound):
        objects.get_commit(repo, "0" * 40)
    with pytest.raises(RevisionNotFound):
        objects.get_commit(repo, commit.tree_id)


def test_commits_in_other_encodings_become_text(repo: Repository, build: Builder) -> None:
    tree = objects.get_commit(repo, build.commit("main", {"a": "1"})).tree_id
    raw = f"tree {tree}\nauthor J\xf6rg <j@x> 1700000000 -0330\ncommitter J\xf6rg <j@x> 1700000000 -0330\n".encode(
        "latin-1"
    )
    created = repo.git(
        "hash-object", "-t", "commit", "-w", "--stdin", stdin=raw + b"encoding ISO-8859-1\n\nGr\xfc\xdfe\n"
    )
    broken = repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=raw + b"\nGr\xfc\xdfe\n").text.strip()
    sha = created.text.strip()

    commit = objects.get_commit(repo, sha)

    assert (commit.author.name, commit.message) == ("Jörg", "Grüße\n")
    assert commit.author.when.utcoffset() == -timedelta(hours=3, minutes=30)
    assert log.commits(repo, LogQuery(include=[sha])) == [commit]
    assert objects.get_commit(repo, broken).message.startswith("Gr\ufffd")


@pytest.mark.parametrize(
    "name", ["unicode_escape", "utf-7", "idna", "punycode", "undefined", "rot13", "none-such", "é"]
)
def test_encodings_that_are_no_charsets_are_read_as_utf_8(name: str) -> None:
    raw = b"a \\ud800 +2AA- " + b"x" * 100

    assert text(raw, name) == raw.decode()


@pytest.mark.parametrize("path", ODD)
def test_files_with_odd_names_are_listed_read_and_found_in_the_log(repo: Repository, build: Builder, path: str) -> None:
    build.commit("main", {"other": "x"})
    sha = build.commit("main", {path: "content"})

    blob = objects.find_blob(repo, sha, path)
    assert blob is not None
    assert (blob.content, blob.size, blob.mode, blob.path) == (b"content", 7, "100644", path)
    assert path in [entry.path for entry in objects.list_tree(repo, sha, recursive=True)]
    assert log.last_commit_of_path(repo, sha, path) == sha
    assert [commit.id for commit in log.commits(repo, LogQuery(include=[sha], path=path))] == [sha]


def test_a_tree_lists_folders_first_then_files_then_submodules(repo: Repository, build: Builder) -> None:
    from ingot.gitstore.commit_objects import write_commit
    from ingot.gitstore.tree_edit import Folder

    sha = build.commit("main", {"a.txt": "1", "z/deep/x": "2", "b/y": "3"})
    root = Folder(repo, objects.get_commit(repo, sha).tree_id)
    root.put([b"lib"], "160000", "1" * 40)
    with_module = write_commit(repo, root.write(), [sha], "module", ANNA)

    flat = objects.list_tree(repo, with_module)
    deep = objects.list_tree(repo, with_module, recursive=True)
    below = objects.list_tree(repo, with_module, "z", recursive=True)

    assert [(e.type, e.path, e.mode) for e in flat] == [
        ("tree", "b", "040000"), ("tree", "z", "040000"), ("blob", "a.txt", "100644"), ("commit", "lib", "160000"),
    ]  # fmt: skip
    assert [e.path for e in deep] == ["b", "z", "z/deep", "a.txt", "b/y", "z/deep/x", "lib"]
    assert [(e.path, e.name) for e in below] == [("z/deep", "deep"), ("z/deep/x", "x")]
    assert objects.find_blob(repo, with_module, "lib") is None
    for wrong in ("nope", "a.txt", "a.txt/x", "z/nope"):
        with pytest.raises(PathNotFound):
            objects.list_tree(repo, sha, wrong)


def test_blobs_by_id_in_one_piece_and_in_chunks(repo: Repository, build: Builder) -> None:
    content = b"0123456789" * 50_000
    sha = build.commit("main", {"big": content})
    entry = objects.find_entry(repo, sha, "big")
    assert entry is not None

    assert objects.blob_size(repo, entry.id) == len(content)
    assert objects.read_blob(repo, entry.id) == content
    assert b"".join(objects.stream_blob(repo, entry.id)) == content
    assert objects.blob_size(repo, sha) is None
    with pytest.raises(PathNotFound):
        objects.read_blob(repo, "1" * 40)


def test_the_log_filters(repo: Repository, build: Builder) -> None:
    first = build.commit("main", {"a": "1", "dir/f": "1"}, "one")
    side = build.commit("side", {"s": "1"}, "side", parents=[first], author=Person("S.*e", "s@x", build.clock))
    second = build.commit("main", {"a": "2"}, "two")
    merge = build.commit("main", {}, "merge", parents=[second, side])
    when = {sha: objects.get_commit(repo, sha).committer.when for sha in (first, side, second, merge)}

    def ids(**options: object) -> list[str]:
        return [commit.id for commit in log.commits(repo, LogQuery(include=[merge], **options))]  # type: ignore[arg-type]

    assert ids() == [merge, second, side, first]
    assert ids(first_parent=True) == [merge, second, first]
    assert ids(path="dir") == [first]
    assert ids(path="dir/f/") == [first]
    assert ids(author="S.*e") == [side]
    assert ids(author="--all") == []
    assert ids(since=when[second]) == [merge, second]
    assert ids(until=when[side]) == [side, first]
    assert ids(skip=1, limit=2) == [second, side]
    assert ids(limit=0) == []
    assert ids(no_merges=True, reverse=True) == [first, side, second]
    assert set(ids(topological=True)) == {merge, second, side, first}
    assert ids(exclude=[second]) == [merge, side]
    assert [commit.id for commit in log.between(repo, second, merge)] == [merge, side]
    build.commit("other", {"o": "1"}, parents=[])
    assert len(log.commits(repo, LogQuery(all=True))) == 5
    assert log.count(repo, LogQuery(all=True)) == 5
    assert log.count(repo, LogQuery(include=[merge], path="a")) == 2
    with pytest.raises(RevisionNotFound):
        log.commits(repo, LogQuery(include=["--output=/tmp/x"]))


def test_an_empty_repository_has_an_empty_log(repo: Repository) -> None:
    assert log.commits(repo, LogQuery()) == []
    assert log.commits(repo, LogQuery(all=True)) == []
    assert log.count(repo, LogQuery()) == 0
    assert revisions.find(repo, "HEAD") is None


def test_stats_of_a_page_of_commits(repo: Repository, build: Builder) -> None:
    root = build.commit("main", {"a": "1\n2\n", "bin": b"\0\1"})
    side = build.commit("side", {"s": "1\n"}, parents=[root])
    second = build.commit("main", {"a": "1\n3\n"})
    merge = build.commit("main", {"s": "1\n"}, parents=[second, side])
    empty = build.commit("main", {})

    result = log.stats(repo, [root, second, merge, empty])

    assert {sha: (s.additions, s.deletions, s.total) for sha, s in result.items()} == {
        root: (2, 0, 2), second: (1, 1, 2), merge: (1, 0, 1), empty: (0, 0, 0),
    }  # fmt: skip
    assert log.stats(repo, []) == {}


def test_contributors_are_counted_by_mail_address(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    build.commit("main", {"a": "2"}, author=BEN)
    sha = build.commit("main", {"a": "3"})

    people = [(author.name, author.email, len(author.times)) for author in authors(repo, sha)]
    assert people == [(ANNA.name, ANNA.email, 2), (BEN.name, BEN.email, 1)]


def counted(repo: Repository, sha: str) -> list[tuple[str, int]]:
    return [(author.name, len(author.times)) for author in authors(repo, sha)]


def test_contributors_of_a_branch_that_moved_on_are_those_of_its_whole_history(
    repo: Repository, build: Builder
) -> None:
    first = build.commit("main", {"a": "1"})
    build.commit("main", {"a": "2"}, author=BEN)
    assert counted(repo, first) == [(ANNA.name, 1)]

    moved = build.commit("main", {"a": "3"})
    assert counted(repo, moved) == [(ANNA.name, 2), (BEN.name, 1)]
    times = [list(author.times) for author in authors(repo, moved)]
    assert all(mine == sorted(mine, reverse=True) for mine in times)
    assert authors(repo, moved) is authors(repo, moved)

    other = build.commit("other", {"a": "1"}, parents=[])
    assert counted(repo, other) == [(ANNA.name, 1)]
    build.commit("main", {".mailmap": f"Benedict <{BEN.email}>"})
    assert counted(repo, moved) == [(ANNA.name, 2), ("Benedict", 1)]


def test_ahead_behind_and_ancestors(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1"})
    side = build.commit("side", {"b": "1"}, parents=[base])
    head = build.commit("main", {"a": "2"})
    orphan = build.commit("orphan", {"x": "1"}, parents=[])

    assert objects.ahead_behind(repo, side, head) == (1, 1)
    assert objects.merge_base(repo, side, head) == base
    assert objects.merge_base(repo, side, orphan) is None
    assert objects.merge_base_of(repo, [side, head, base]) == build.git("merge-base", side, head, base)
    assert objects.merge_base_of(repo, [side, orphan]) is None
    assert objects.is_ancestor(repo, base, side)
    assert objects.is_ancestor(repo, side, side)
    assert not objects.is_ancestor(repo, side, head)


def test_the_commits_of_a_moved_branch_are_those_that_git_finds(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1"})
    side = build.commit("side", {"b": "1"}, parents=[base])
    old = build.commit("main", {"a": "2"})
    merged = build.commit("main", {"b": "1"}, parents=[old, side])
    last = [build.commit("main", {"c": str(number)}) for number in range(25)][-1]

    for new, limit in ((merged, 100), (last, 100), (last, 10)):
        expected = build.git("rev-list", f"--max-count={limit}", new, f"^{old}").split()
        assert [commit.id for commit in log.moved_commits(repo, old, new, limit=limit)] == expected
    assert [log.moved_count(repo, old, new) for new in (merged, last, base)] == [2, 27, 0]
    for missing in ("1" * 40, objects.get_commit(repo, base).tree_id):
        with pytest.raises(RevisionNotFound):
            log.moved_commits(repo, missing, last, limit=100)


MESSAGES = [
    "t\n\nSigned-off-by: A <a@x>\nReviewed-by: B\n",
    "t\n\nKey: one\nKey: two\nOther-Key : spaced\n",
    "t\n\nbody text\n\nKey: folded\n  second line\n",
    "t\n\nbody: not a\ntrailer block at all here\nreally\nnot\nat\nall\n",
    "t\n\nwords\nSigned-off-by: A\nmore: x\n",
    "t\n\nwords\nmore words\nyet more\nand more\nSigned-off-by: A\n",
    "Key: only a title\n",
    "t\n\n(cherry picked from commit 123)\n",
    "t\n\nfree text\n(cherry picked from commit 123)\nKey: v\n",
    "t\n\nKey:\nEmpty:   \n",
    "t\n\nKey: v\n\n\n",
    "t\n\nhttp://example.com/x: y\n",
    "t\n\nA: b\n\nC: d",
    "",
    "\n\n",
]


@pytest.mark.parametrize("message", MESSAGES)
def test_trailers_are_those_that_git_finds(message: str) -> None:
    git = subprocess.run(
        ["git", "interpret-trailers", "--parse"], input=message, capture_output=True, text=True, check=True
    ).stdout

    assert [f"{key}: {value}".strip() for key, value in parse_trailers(message)] == [
        line.strip() for line in git.splitlines()
    ]


def test_trailers_keep_the_last_value_and_extended_trailers_all(repo: Repository, build: Builder) -> None:
    sha = build.commit("main", {"a": "1"}, "t\n\nKey: one\nKey: two\nOther: x")

    commit = objects.get_commit(repo, sha)

    assert commit.trailers == {"Key": "two", "Other": "x"}
    assert commit.extended_trailers == {"Key": ["one", "two"], "Other": ["x"]}


def test_one_repository_value_is_read_by_eight_threads(repo: Repository, build: Builder) -> None:
    sha = build.commit("main", {f"f{n}": str(n) for n in range(50)})

    def read(number: int) -> bytes:
        blob = objects.find_blob(repo, sha, f"f{number % 50}")
        assert blob is not None
        return blob.content

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(read, range(400))) == [str(n % 50).encode() for n in range(400)]


def test_dates_before_1970_and_far_beyond_are_brought_into_range(repo: Repository, build: Builder) -> None:
    tree = objects.get_commit(repo, build.commit("main", {"a": "1"})).tree_id
    raw = f"tree {tree}\nauthor A <a@x> 99999999999999 +9959\ncommitter A <a@x> 0 -0000\n\nx\n".encode()
    sha = repo.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=raw).text.strip()

    assert objects.get_commit(repo, sha).author.when.year == 9999
    assert objects.get_commit(repo, sha).committer.when == datetime(1970, 1, 1, tzinfo=UTC)
