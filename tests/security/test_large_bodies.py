"""Bodies and files as large as they may be: nobody else waits, and the process stays small."""

import base64
import hashlib
import io
import random
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support import plain_http, waiting
from tests.support.databases import Databases
from tests.support.probing import typical_delay
from tests.support.process import ServerProcess
from tests.support.server import ROOT_TOKEN

pytestmark = pytest.mark.costly  # about bodies on their way, before the database

MEGABYTE = 1 << 20
LARGE = 31 * MEGABYTE
MOST_GROWTH = 64 * MEGABYTE
LONGEST_WAIT = 0.1
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


# Large values are made when a test needs them: every process of the suite reads this file.
@cache
def noise() -> bytes:
    return random.Random(7).randbytes(LARGE // 4 * 3 - 3000)


class Place:
    """A project, and files that are committed to it."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        options = {"name": "large", "initialize_with_readme": True, "visibility": "public"}
        project = server.call("POST", "/projects", json=options)
        self.address = server.address(project)
        self.base = f"{server.url}/api/v4/projects/{project['id']}"
        self.number = 0

    def post(self, path: str, body: bytes, kind: str = JSON) -> httpx.Response:
        headers = {"PRIVATE-TOKEN": ROOT_TOKEN, "Content-Type": kind}
        return plain_http.post(self.base + path, content=body, headers=headers)

    def save(self, content: bytes, encoding: bytes, branch: bytes = b"main", folder: bytes = b"") -> httpx.Response:
        """Commit a new file, `file-N`."""
        self.number += 1
        place = b'"branch":"%b","commit_message":"m"' % branch
        head = b'{%b,"actions":[{"action":"create","file_path":"%bfile-%d",' % (place, folder, self.number)
        return self.post("/repository/commits", head + b'"encoding":"%b","content":"%b"}]}' % (encoding, content))

    def digest(self) -> str:
        """Of the last file, as it is served."""
        answer = plain_http.get(f"{self.base}/repository/files/file-{self.number}/raw")
        return hashlib.sha256(answer.content).hexdigest()


@pytest.fixture(scope="module")
def place(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("large")
    with ServerProcess(databases.fresh(folder), folder / "data") as server:
        yield Place(server)


@cache
def files() -> dict[str, tuple[bytes, bytes, bytes]]:
    """How a file is sent, how that is encoded, and what it holds."""
    text = b"a line of text\\n" * (LARGE // 16)
    wide_text = "a wide line: \u00e9 \\u00e9 \U0001f600\\n".encode() * (LARGE // 32)
    return {
        "base64": (base64.b64encode(noise()), b"base64", noise()),
        "text": (text, b"text", text.replace(b"\\n", b"\n")),
        "wide text": (wide_text, b"text", wide_text.replace(b"\\n", b"\n").replace(b"\\u00e9", "\u00e9".encode())),
    }


@pytest.mark.parametrize("name", ["base64", "text", "wide text"])
def test_a_large_file_arrives_as_it_was_sent(place: Place, name: str) -> None:
    sent, encoding, content = files()[name]
    place.save(b"warm", b"text")

    answer, grown = place.server.growth(lambda: place.save(sent, encoding))

    assert answer.status_code == 201, answer.text
    sys.stdout.write(f"{name}: grew by {grown / MEGABYTE:.0f} MB\n")
    assert grown < MOST_GROWTH
    assert place.digest() == hashlib.sha256(content).hexdigest()


def test_large_contents_are_checked(place: Place) -> None:
    """As short ones are: base64 is base64, a text has no NUL, and a file that is there is not made again."""
    broken = b"a" * (2 * MEGABYTE + 1)
    for end, encoding in ((b"", b"base64"), (b"\\u0000", b"text")):
        short, long = place.save(b"a" + end, encoding), place.save(broken + end, encoding)
        assert (long.status_code, long.text) == (400, short.text)

    body = b'{"branch":"main","commit_message":"m","encoding":"text","content":"%b"}'
    assert place.post("/repository/files/twice", body % broken).status_code == 201
    again = place.post("/repository/files/twice", body % broken)
    assert (again.status_code, again.json()) == (400, {"message": "A file with this name already exists"})


@pytest.mark.parametrize("kind", [JSON, FORM, "text/plain"])
def test_a_body_without_end_is_refused(place: Place, kind: str) -> None:
    """Also where a file could be as large as it likes, and without an announced length."""
    address = f"{place.server.url}/api/v4/projects/import"

    def send() -> int:
        chunks = (b" " * MEGABYTE for _ in range(200))
        headers = {"PRIVATE-TOKEN": ROOT_TOKEN, "Content-Type": kind}
        try:
            return plain_http.post(address, content=chunks, headers=headers).status_code
        except httpx.TransportError:
            return 413  # the server hung up before all was sent

    status, grown = place.server.growth(send)

    assert status == 413
    assert grown < MOST_GROWTH


def test_a_file_of_ten_megabytes_is_shown(place: Place) -> None:
    content = noise()[: 10 * MEGABYTE]
    assert place.save(base64.b64encode(content), b"base64").status_code == 201

    shown = plain_http.get(f"{place.base}/repository/files/file-{place.number}?ref=main").json()

    assert shown["content_sha256"] == hashlib.sha256(content).hexdigest()
    assert base64.b64decode(shown["content"]) == content


def archive_of(*issues: bytes) -> bytes:
    """A project archive with these records."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz", compresslevel=1) as archive:
        members = {"VERSION": b"0.2.4", "tree/project.json": b"{}", "tree/project/issues.ndjson": b"\n".join(issues)}
        for name, content in members.items():
            head = tarfile.TarInfo(f"./{name}")
            head.size = len(content)
            archive.addfile(head, io.BytesIO(content))
    return file.getvalue()


def import_archive(place: Place, archive: bytes, path: str) -> Any:
    """Import it to the end; returns the final state."""
    answer = place.server.call("POST", "/projects/import", files={"file": ("a.tar.gz", archive)}, data={"path": path})

    def ended() -> Any:
        state = place.server.call("GET", f"/projects/{answer['id']}/import")
        return state if state["import_status"] in ("finished", "failed") else None

    return waiting.until(ended)


def import_often(place: Place, archive: bytes) -> None:
    place.number += 1
    import_archive(place, archive, f"imported-{place.number}")


@cache
def long_lines() -> dict[str, bytes]:
    return {
        "one text": b'{"iid":1,"title":"t","description":"%b"}' % (b"a line of text\\n" * (45 * MEGABYTE // 16)),
        "many values": b'{"iid":1,"title":"t","x":[%b]}' % b",".join([b'"%b"' % (b"v" * 140)] * 290_000),
    }


def test_long_records_of_archives_are_cut(place: Place) -> None:
    states = {
        name: import_archive(place, archive_of(line), name.replace(" ", "-")) for name, line in long_lines().items()
    }

    text, values = (place.server.call("GET", f"/projects/{state['id']}/issues/1") for state in states.values())
    assert text["description"] == ("a line of text\n" * 80_000)[: 1 << 20]
    assert values["title"] == "t"
    assert states["one text"]["failed_relations"] == []
    assert [failure["exception_message"] for failure in states["many values"]["failed_relations"]] == [
        "Attributes without a place here are larger than 8 MB and were left out"
    ]


# A character of these texts takes four bytes of memory, or ten times its length while it is taken apart.
@cache
def amplified() -> dict[str, tuple[bytes, str]]:
    return {
        "one wide character": (b'{"title":"t","description":"%b%b"}' % (b"x" * LARGE, "\U0001f600".encode()), JSON),
        "percent signs": (b"title=t&description=" + b"%41" * (LARGE // 3), FORM),
        "allowed percent signs": (b"title=t&description=" + b"%41" * (2 * MEGABYTE), FORM),
    }


@pytest.mark.parametrize("name", ["one wide character", "percent signs", "allowed percent signs"])
def test_texts_that_grow_in_memory_are_refused(place: Place, name: str) -> None:
    place.post("/issues", b'{"title":"warm"}')

    answer, grown = place.server.growth(lambda: place.post("/issues", *amplified()[name]))

    assert answer.status_code in (400, 413), answer.text
    sys.stdout.write(f"{name}: {answer.status_code}, grew by {grown / MEGABYTE:.0f} MB\n")
    assert grown < MOST_GROWTH


def push_crowd(place: Place, folder: Path) -> None:
    """Push a branch whose folder is nearly as large as a folder may be."""

    def git(*words: str, given: str = "") -> str:
        command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.test", *words]
        return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout.strip()

    git("init", "-q", "--bare")
    blob = git("hash-object", "-w", "--stdin", given="x")
    names = ["7", *(f"file-with-a-long-name-{number:020}" for number in range(70_000))]
    crowd = git("mktree", given="".join(f"100644 blob {blob}\t{name}\n" for name in names))
    root = git("mktree", given=f"040000 tree {crowd}\tcrowd\n")
    git("push", "-q", place.address, f"{git('commit-tree', root, '-m', 'm')}:refs/heads/crowd")


@pytest.mark.scale
def test_nobody_waits_for_large_bodies_and_files(place: Place, tmp_path: Path) -> None:
    strings = b",".join([b'"%b"' % (b"\\u00e9" * 110)] * 45_000)
    short_strings = b",".join([b'"%b"' % (b"\\u00e9" * 7)] * 45_000)
    percent_signs = {"content": b"login=" + b"%41" * (MEGABYTE // 2), "headers": {"Content-Type": FORM}}
    attacks = {
        "escapes": lambda: place.post("/issues", b'{"title":"t","description":"%b"}' % (b"\\n" * (LARGE // 2))),
        "escaped quotes": lambda: place.post("/issues", b'{"title":"%b"}' % (b'\\",' * (LARGE // 3))),
        "many strings": lambda: place.post("/issues", b'{"title":"t","x":[%b]}' % strings),
        "short strings": lambda: place.post("/issues", b'{"title":"t","x":[%b]}' % short_strings),
        "numbers": lambda: place.post("/issues", b'{"title":"t","x":[%b]}' % b",".join([b"1" * 40] * 49_000)),
        "percent signs": lambda: place.post("/issues", *amplified()["allowed percent signs"]),
        "a form of a page": lambda: plain_http.post(f"{place.server.url}/users/sign_in", **percent_signs),
        "large text": lambda: place.save(*files()["text"][:2]),
        "large wide text": lambda: place.save(*files()["wide text"][:2]),
        "large base64": lambda: place.save(*files()["base64"][:2]),
        **{f"import of {name}": partial(import_often, place, archive_of(line)) for name, line in long_lines().items()},
        "a file in JSON": lambda: plain_http.get(f"{place.base}/repository/files/ten?ref=main"),
        "a list of long texts": lambda: plain_http.get(f"{place.base}/issues?per_page=100"),
        "a commit into a large folder": lambda: place.save(b"x", b"text", branch=b"crowd", folder=b"crowd/"),
        "a large folder": lambda: plain_http.get(f"{place.base}/repository/tree?ref=crowd&path=crowd"),
        "a file of a large folder": lambda: plain_http.get(f"{place.base}/repository/files/crowd%2F7?ref=crowd"),
    }
    push_crowd(place, tmp_path)
    ten = b'"encoding":"base64","content":"%b"}' % base64.b64encode(noise()[: 10 * MEGABYTE])
    assert place.post("/repository/files/ten", b'{"branch":"main","commit_message":"m",' + ten).status_code == 201
    for _ in range(100):
        assert place.post("/issues", b'{"title":"t","description":"%b"}' % (b"x" * MEGABYTE)).status_code == 201
    delays = {}
    for name, attack in attacks.items():
        delays[name], figures = typical_delay(place.server.url, attack)
        sys.stdout.write(f"{name}: {figures}\n")

    assert {name: delay for name, delay in delays.items() if delay > LONGEST_WAIT} == {}
