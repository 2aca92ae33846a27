import io
import tarfile
import zipfile

import pytest
from identify.vendor.licenses import LICENSES

from ingot.gitstore import refs
from ingot.gitstore.archive import FORMATS, archive
from ingot.gitstore.errors import GitError, PathNotFound, RevisionNotFound
from ingot.gitstore.languages import language_of, languages
from ingot.gitstore.licence_names import NAMES
from ingot.gitstore.licences import find_licence, identify
from ingot.gitstore.objects import list_tree
from ingot.gitstore.repository import Repository
from tests.gitstore.blaming import blame
from tests.gitstore.conftest import ANNA, BEN, Builder

TEXTS = dict(LICENSES)


@pytest.mark.parametrize("kind", sorted(FORMATS))
def test_an_archive_holds_the_files_below_its_prefix(repo: Repository, build: Builder, kind: str) -> None:
    sha = build.commit("main", {"a.txt": "1", "dir/grün": "2"})

    packed = b"".join(archive(repo, sha, kind, "app-main"))

    if kind == "zip":
        names = [name for name in zipfile.ZipFile(io.BytesIO(packed)).namelist() if not name.endswith("/")]
    else:
        with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
            names = [member.name for member in tar if member.isfile()]
    assert sorted(names) == ["app-main/a.txt", "app-main/dir/grün"]


def test_an_archive_of_one_folder_and_wrong_requests(repo: Repository, build: Builder) -> None:
    sha = build.commit("main", {"a": "1", "dir/b": "2"})

    with tarfile.open(fileobj=io.BytesIO(b"".join(archive(repo, sha, "tar", "--remote=x", "dir")))) as tar:
        assert [member.name for member in tar if member.isfile()] == ["--remote=x/dir/b"]
    with pytest.raises(PathNotFound):
        archive(repo, sha, "tar", "x", "nope")
    with pytest.raises(GitError, match="'rar'"):
        archive(repo, sha, "rar", "x")
    with pytest.raises(RevisionNotFound):
        archive(repo, "--output=/tmp/x", "zip", "x")


def test_blame_groups_lines_by_commit(repo: Repository, build: Builder) -> None:
    first = build.commit("main", {"f.txt": "one\ntwo\nthree\n"}, author=ANNA)
    second = build.commit("main", {"f.txt": "one\nTWO\nthree\n"}, author=BEN)

    ranges = blame(repo, second, "f.txt")

    assert [(r.commit.id, r.lines, r.start) for r in ranges] == [
        (first, ("one",), 1), (second, ("TWO",), 2), (first, ("three",), 3),
    ]  # fmt: skip
    assert ranges[1].commit.author == BEN
    assert [r.lines for r in blame(repo, second, "f.txt", lines=(2, 3))] == [("TWO",), ("three",)]
    for wrong in ("nope", "", "--contents=/etc/passwd"):
        with pytest.raises(PathNotFound):
            blame(repo, second, wrong)


def test_blame_is_that_of_git_behind_commits_that_leave_the_file_alone(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"f.txt": "one\ntwo\n", "other": "1"})
    side = build.commit("side", {"f.txt": "one\n2\n"}, parents=[base])
    main = build.commit("main", {"other": "2"})
    merge = build.commit("main", {"f.txt": "one\n2\n"}, parents=[main, side])
    head = build.commit("main", {"other": "3"})

    for sha in (merge, head):
        blamed = [part.commit.id for part in blame(repo, sha, "f.txt")]
        assert blamed == [line.split()[0] for line in build.git("blame", "-l", "--root", sha, "f.txt").splitlines()]
        assert blamed == [base, side]


def test_blame_of_an_empty_file_is_empty(repo: Repository, build: Builder) -> None:
    assert blame(repo, build.commit("main", {"empty": ""}), "empty") == []


def test_languages_by_bytes_without_vendored_generated_and_prose(repo: Repository, build: Builder) -> None:
    from ingot.gitstore.commit import CommitOptions, FileAction, create_commit

    build.commit("main", {
        "app.py": "x" * 600, "web/site.ts": "x" * 300, "vendor/lib.rb": "x" * 9999, "package-lock.json": "x" * 9999,
        "README.md": "x" * 9999, "docs/conf.py": "x" * 9999, "data.json": "x" * 9999, "logo.png": b"\0" * 500,
    })  # fmt: skip
    tool = FileAction("create", "bin/tool", "#!/usr/bin/env python3.11\n" + "x" * 74, execute_filemode=True)
    created = create_commit(repo, CommitOptions("main", "tool", [tool], ANNA))

    assert languages(repo, created.sha) == {"Python": 70.0, "TypeScript": 30.0}
    assert languages(repo, build.commit("other", {"notes.txt": "x"}, parents=[])) == {}
    assert language_of("Dockerfile") == "Dockerfile"
    assert language_of("a/CMakeLists.txt") == "CMake"
    assert language_of("view.html.erb") == "HTML+ERB"
    assert language_of("X.RS") == "Rust"
    with pytest.raises(RevisionNotFound):
        languages(repo, "main")


@pytest.mark.parametrize("spdx", sorted(NAMES))
def test_every_known_licence_is_recognised_with_a_name_filled_in(spdx: str) -> None:
    body = TEXTS[spdx].replace("[year]", "2026").replace("[fullname]", "Anna and others")

    assert identify(body) == spdx
    assert identify(body.replace("\n", "\r\n").upper()) == spdx


def test_the_licence_of_a_project(repo: Repository, build: Builder) -> None:
    none = build.commit("none", {"a": "1"}, parents=[])
    mit = build.commit("mit", {"LICENSE.md": TEXTS["MIT"], "COPYING": "see LICENSE.md"}, parents=[])
    own = build.commit("own", {"LICENCE": "Do as you are told. " * 30}, parents=[])

    result = find_licence(repo, list_tree(repo, mit))

    assert result is not None
    assert (result.key, result.name, result.nickname, result.path) == ("mit", "MIT License", None, "LICENSE.md")
    assert result.html_url == "http://choosealicense.com/licenses/mit/"
    assert find_licence(repo, list_tree(repo, none)) is None
    other = find_licence(repo, list_tree(repo, own))
    assert other is not None
    assert (other.key, other.name, other.html_url) == ("other", "Other", None)
    assert refs.find_branch(repo, "own") == own
