"""A small push or archive that is huge once it is unpacked: the server streams it, or refuses it with a sentence."""

import io
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import httpx
import pytest

from ingot.features.code.repository.sending import TOO_LARGE
from tests.security.bringing import bring
from tests.security.heavy_repository import MEGABYTE, SIZE, blob, commit, fast_import, push, push_heavy
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.server import ROOT_TOKEN

pytestmark = pytest.mark.costly

MOST_GROWTH = 64 * MEGABYTE
ROOT = {"PRIVATE-TOKEN": ROOT_TOKEN}
FILES = ("zeros.bin", "line.txt", "lines.py")
REFUSED = 413


class Heavy:
    """A public project with the heavy repository, and a merge request that brings it."""

    def __init__(self, server: ServerProcess, folder: Path) -> None:
        self.server = server
        self.project = server.call("POST", "/projects", json={"name": "heavy", "visibility": "public"})
        self.path = f"/projects/{self.project['id']}"
        push_heavy(folder / "heavy.git", server.address(self.project))
        self.request = server.call(
            "POST",
            f"{self.path}/merge_requests",
            json={"source_branch": "main", "target_branch": "old", "title": "Heavy"},
        )
        entries = server.call("GET", f"{self.path}/repository/tree?ref=main")
        self.blobs = {entry["name"]: entry["id"] for entry in entries}

    def ask(self, method: str, path: str, **options: Any) -> tuple[httpx.Response, int]:
        """An answer whose body is thrown away as it comes, and its length."""
        with httpx.stream(method, f"{self.server.url}/api/v4{self.path}{path}", timeout=120, **options) as answer:
            text, size = b"", 0
            for chunk in answer.iter_raw():
                size += len(chunk)
                text += chunk if size < 4096 else b""
            answer._content = text
        return answer, size


@pytest.fixture(scope="module")
def heavy(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Heavy]:
    folder = tmp_path_factory.mktemp("heavy")
    with ServerProcess(databases.fresh(folder), folder / "data") as server:
        created = Heavy(server, folder)
        # Whatever is loaded once is loaded now.
        for path in ("files/small.txt?ref=old", "files/small.txt/blame?ref=old", "commits/old/diff", "languages"):
            created.ask("GET", f"/repository/{path}" if path != "languages" else "/languages")
        yield created


def check(heavy: Heavy, method: str, path: str, **options: Any) -> tuple[httpx.Response, int]:
    (answer, size), grown = heavy.server.growth(lambda: heavy.ask(method, path, **options))
    sys.stdout.write(f"{method} {path}: {answer.status_code}, {size} bytes, grew by {grown / MEGABYTE:.0f} MB\n")
    assert answer.status_code < 500, answer.text
    assert grown < MOST_GROWTH, f"{method} {path} took {grown / MEGABYTE:.0f} MB"
    return answer, size


@pytest.mark.parametrize("name", FILES)
def test_a_file_in_json_above_ten_megabytes_is_refused_with_a_sentence(heavy: Heavy, name: str) -> None:
    for path in (f"/repository/blobs/{heavy.blobs[name]}", f"/repository/files/{name}?ref=main"):
        answer, _ = check(heavy, "GET", path)
        assert answer.status_code == REFUSED
        assert answer.json() == {"message": TOO_LARGE}


@pytest.mark.parametrize("name", FILES)
def test_a_blame_above_ten_megabytes_is_refused_with_a_sentence(heavy: Heavy, name: str) -> None:
    answer, _ = check(heavy, "GET", f"/repository/files/{name}/blame?ref=main")

    assert answer.status_code == REFUSED
    assert "larger than 10 MB" in answer.json()["message"]


def test_raw_files_are_streamed_whole(heavy: Heavy) -> None:
    for path in (f"/repository/blobs/{heavy.blobs['line.txt']}/raw", "/repository/files/zeros.bin/raw?ref=main"):
        answer, size = check(heavy, "GET", path)
        assert (answer.status_code, size) == (200, SIZE)


def test_the_metadata_of_a_large_file_is_told_without_reading_it(heavy: Heavy) -> None:
    for path in ("/repository/files/zeros.bin?ref=main", "/repository/files/line.txt/blame?ref=main"):
        answer, _ = check(heavy, "HEAD", path)
        assert answer.status_code == 200
        assert answer.headers["X-Gitlab-Size"] == str(SIZE)


def test_archives_are_streamed(heavy: Heavy) -> None:
    answer, _ = check(heavy, "GET", "/repository/archive.tar.gz?sha=main")

    assert answer.status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/repository/commits/main/diff",
        "/repository/compare?from=old&to=main",
        "/repository/commits?ref_name=main&with_stats=true",
        "/languages",
        "?license=true",
        "/ci/lint?content_ref=main",
        "/merge_requests/1",
        "/merge_requests/1/diffs",
        "/merge_requests/1/changes?access_raw_diffs=true",
        "/merge_requests/1/raw_diffs",
        "/merge_requests/1/approval_state",
    ],
)
def test_what_is_said_of_huge_files_stays_small(heavy: Heavy, path: str) -> None:
    answer, _ = check(heavy, "GET", path, headers=ROOT)

    assert answer.status_code == 200


@pytest.mark.parametrize("name", ["{blob}", "{short}", "blob", "noted", "refs/tags/blob"])
def test_a_blob_is_no_revision_and_is_not_read_to_find_out(heavy: Heavy, name: str) -> None:
    revision = name.format(blob=heavy.blobs["zeros.bin"], short=heavy.blobs["zeros.bin"][:12])
    for path in (
        f"commits/{revision.replace('/', '%2F')}",
        f"files/line.txt?ref={revision}",
        f"archive?sha={revision}",
    ):
        answer, _ = check(heavy, "GET", f"/repository/{path}")
        assert answer.status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/repository/tree?ref=bomb&recursive=true",
        "/repository/tree?ref=bomb&recursive=true&pagination=keyset",
        "/repository/files/f1?ref=bomb",
        "/ci/lint?content_ref=bomb",
    ],
)
def test_a_folder_that_holds_itself_many_times_is_refused(heavy: Heavy, path: str) -> None:
    answer, _ = check(heavy, "GET", path, headers=ROOT)

    assert answer.status_code in (200, 404, REFUSED)


def test_a_commit_with_a_huge_message_is_refused_at_the_push(heavy: Heavy, tmp_path: Path) -> None:
    fresh = tmp_path / "message.git"
    subprocess.run(["git", "init", "-q", "--bare", str(fresh)], check=True)
    message = [*blob(1, b"x", 10), commit("large", b"m" * (8 * MEGABYTE), [(1, "f")])]
    fast_import(fresh, iter(message))

    said, grown = heavy.server.growth(lambda: push(fresh, heavy.server.address(heavy.project), "large"))

    assert "too large: commit" in said
    assert grown < MOST_GROWTH
    assert heavy.ask("GET", "/repository/branches/large")[0].status_code == 404


def test_an_imported_picture_obeys_the_checks_of_an_uploaded_one(heavy: Heavy, tmp_path: Path) -> None:
    packed = tmp_path / "avatar.tar.gz"
    with tarfile.open(packed, "w:gz", compresslevel=1) as tar:
        for name, content in (("VERSION", b"0.2.4"), ("tree/project.json", b"{}")):
            add(tar, name, io.BytesIO(content), len(content))
        with (tmp_path / "zeros").open("wb+") as zeros:
            zeros.truncate(SIZE)
            add(tar, "avatar/me.png", zeros, SIZE)

    record, grown = heavy.server.growth(lambda: bring(heavy.server, packed, "pictured"))

    assert record["import_status"] == "finished"
    assert [failure["relation_name"] for failure in record["failed_relations"]] == ["avatar"]
    assert "is too big (should be at most 200 KiB)" in record["failed_relations"][0]["exception_message"]
    assert heavy.server.call("GET", f"/projects/{record['id']}")["avatar_url"] is None
    assert grown < MOST_GROWTH


def add(tar: tarfile.TarFile, name: str, content: IO[bytes], size: int) -> None:
    info = tarfile.TarInfo(name)
    info.size = size
    tar.addfile(info, content)
