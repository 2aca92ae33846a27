import asyncio
import gzip
import os
import random
import resource
import signal
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from ingot.gitstore import listing, objects, refs, smart_http
from ingot.gitstore.errors import BadPush, GitError, RepositoryNotFound, TimedOut
from ingot.gitstore.pkt_line import FLUSH, pkt
from ingot.gitstore.push import Push, RefCommand, read_push, refusal
from ingot.gitstore.push_report import ReportReader
from ingot.gitstore.repository import Repository
from ingot.gitstore.request_body import RequestBody
from ingot.gitstore.smart_http import PushRules
from tests.gitstore.conftest import Builder
from tests.gitstore.git_server import GitServer, client
from tests.support.processor_time import children


@pytest.fixture
def server(repo: Repository) -> Iterator[GitServer]:
    running = GitServer(repo)
    yield running
    running.stop()


@pytest.fixture
def work(tmp_path: Path, server: GitServer) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    client(folder, "init", "-q", "-b", "main", ".")
    client(folder, "remote", "add", "origin", server.url)
    return folder


def save(folder: Path, name: str, content: str, message: str = "work") -> str:
    (folder / name).write_text(content)
    client(folder, "add", "-A")
    client(folder, "commit", "-q", "-m", message)
    return client(folder, "rev-parse", "HEAD").strip()


def test_push_then_clone(server: GitServer, repo: Repository, work: Path, tmp_path: Path) -> None:
    head = save(work, "a", "1")

    printed = client(work, "push", "-o", "ci.skip", "origin", "main")
    client(tmp_path, "clone", "-q", server.url, "copy")

    assert "remote: To create a merge request, visit:" in printed
    assert refs.find_branch(repo, "main") == head
    assert client(tmp_path / "copy", "rev-parse", "HEAD").strip() == head
    assert server.pushes[-1].options == ("ci.skip",)
    assert [(r.command.branch, r.is_done) for r in server.results] == [("main", True)]


@pytest.mark.parametrize("version", ["0", "1", "2"])
def test_every_protocol_version_clones_and_fetches(
    server: GitServer, build: Builder, tmp_path: Path, version: str
) -> None:
    build.commit("main", {"a": "1"})
    protocol = f"protocol.version={version}"

    client(tmp_path, "-c", protocol, "clone", "-q", server.url, "copy")
    head = build.commit("main", {"a": "2"})
    client(tmp_path / "copy", "-c", protocol, "pull", "-q")

    assert client(tmp_path / "copy", "rev-parse", "HEAD").strip() == head


def test_an_empty_repository_can_be_cloned(server: GitServer, tmp_path: Path) -> None:
    assert "empty repository" in client(tmp_path, "clone", server.url, "copy")


def test_shallow_and_partial_clones(server: GitServer, build: Builder, tmp_path: Path) -> None:
    for number in range(5):
        head = build.commit("main", {"a": str(number)})

    client(tmp_path, "clone", "-q", "--depth", "1", server.url, "shallow")
    client(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", server.url, "partial")
    client(tmp_path / "shallow", "fetch", "-q", "--deepen=2")

    assert client(tmp_path / "shallow", "rev-list", "--count", "HEAD").strip() == "3"
    assert client(tmp_path / "partial", "rev-parse", "HEAD").strip() == head


def test_merge_request_refs_can_be_fetched_and_not_pushed(
    server: GitServer, repo: Repository, build: Builder, work: Path
) -> None:
    head = build.commit("main", {"a": "1"})
    refs.update(repo, [refs.RefUpdate("refs/merge-requests/1/head", head)])
    refs.update(repo, [refs.RefUpdate(f"refs/keep-around/{head}", head)])

    listed = client(work, "ls-remote", "origin")
    client(work, "fetch", "-q", "origin", "refs/merge-requests/1/head")
    client(work, "fetch", "-q", "origin", head)
    save(work, "b", "1")
    for hidden in ("refs/merge-requests/1/head", "refs/keep-around/x", "refs/replace/" + head, "refs/pipelines/1"):
        assert "hidden ref" in client(work, "push", "-f", "origin", f"HEAD:{hidden}", code=1)

    assert "refs/merge-requests/1/head" in listed
    assert "keep-around" not in listed
    refs.update(repo, [refs.RefUpdate("refs/pipelines/7", head)])
    client(work, "fetch", "-q", "--depth=1", "origin", "+refs/pipelines/7:refs/pipelines/7")
    assert refs.find_ref(repo, "refs/merge-requests/1/head") == head


def test_a_refused_push_is_explained_in_the_terminal(server: GitServer, repo: Repository, work: Path) -> None:
    server.decide = lambda push: ["GitLab: You are not allowed to push code to this project."]
    save(work, "a", "x" * 200_000)

    printed = client(work, "push", "origin", "main", code=1)

    assert "remote: GitLab: You are not allowed to push code to this project." in printed
    assert "! [remote rejected] main -> main (pre-receive hook declined)" in printed
    assert repo.is_empty()


def test_a_protected_branch_keeps_its_history(server: GitServer, repo: Repository, work: Path) -> None:
    first = save(work, "a", "1")
    client(work, "push", "origin", "main", "main:free")
    server.rules = PushRules(keep_history=frozenset({"refs/heads/main"}))
    save(work, "a", "2")
    client(work, "push", "origin", "main")
    client(work, "reset", "-q", "--hard", first)
    other = save(work, "b", "3")

    printed = client(work, "push", "-f", "origin", "main", code=1)
    client(work, "push", "-f", "origin", "main:free", "main:new")

    assert "remote: GitLab: You are not allowed to force push code to a protected branch on this project." in printed
    assert "(pre-receive hook declined)" in printed
    assert refs.find_branch(repo, "main") != other
    assert refs.find_branch(repo, "free") == other
    assert [r.error for r in server.results] == [None, None]


def test_force_pushes_deletions_and_tags(server: GitServer, repo: Repository, work: Path) -> None:
    save(work, "a", "1")
    client(work, "tag", "-a", "v1", "-m", "one")
    client(work, "push", "-q", "origin", "main", "main:gone", "v1")
    client(work, "commit", "-q", "--amend", "-m", "other")

    client(work, "push", "-q", "-f", "origin", "main", ":gone")

    assert listing.branch_names(repo) == ["main"]
    assert [tag.name for tag in listing.list_tags(repo)] == ["v1"]
    assert [(c.branch, c.is_deletion) for c in server.pushes[-1].commands] == [("gone", True), ("main", False)]


def test_large_requests_arrive_gzipped_or_chunked(
    server: GitServer, repo: Repository, build: Builder, tmp_path: Path
) -> None:
    build.commit("main", {"a": "0"})
    client(tmp_path, "clone", "-q", server.url, "copy")
    copy = tmp_path / "copy"
    for number in range(120):
        client(copy, "commit", "-q", "--allow-empty", "-m", str(number))
    build.commit("main", {"a": "1"})

    client(copy, "fetch", "-q")
    noise = random.Random(1).randbytes(3_000_000)
    (copy / "noise").write_bytes(noise)
    client(copy, "add", "-A")
    client(copy, "commit", "-q", "-m", "big")
    client(copy, "push", "-q", "origin", "HEAD:big")

    assert "gzip" in server.encodings
    head = refs.find_branch(repo, "big")
    assert head is not None
    blob = objects.find_blob(repo, head, "noise")
    assert blob is not None
    assert blob.content == noise


def test_a_pack_larger_than_allowed_is_refused(server: GitServer, repo: Repository, work: Path) -> None:
    server.rules = PushRules(max_bytes=10_000)
    (work / "noise").write_bytes(os.urandom(100_000))
    client(work, "add", "-A")
    client(work, "commit", "-q", "-m", "big")

    printed = client(work, "push", "origin", "main", code=1)

    assert "exceeds maximum allowed size" in printed
    assert repo.is_empty()


def test_broken_objects_are_not_let_in(server: GitServer, repo: Repository, work: Path) -> None:
    save(work, "a", "1")
    tree = client(work, "rev-parse", "HEAD^{tree}").strip()
    raw = f"tree {tree}\nauthor <a@x> 1 +0000\ncommitter C <a@x> 1 +0000\n\nbad\n".encode()
    bad = client(work, "hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=raw).strip()

    client(work, "push", "origin", f"{bad}:refs/heads/main", code=1)

    assert repo.is_empty()


def test_eight_clients_push_to_eight_branches_and_to_one(
    server: GitServer, repo: Repository, build: Builder, tmp_path: Path
) -> None:
    build.commit("main", {"a": "0"})
    folders = []
    for number in range(8):
        client(tmp_path, "clone", "-q", server.url, f"c{number}")
        folders.append(tmp_path / f"c{number}")
        save(folders[-1], f"f{number}", "x", f"c{number}")

    def push(number: int, target: str) -> str:
        import subprocess

        done = subprocess.run(
            ["git", "push", "origin", f"HEAD:{target}"],
            cwd=folders[number],
            capture_output=True,
            text=True,
            check=False,
        )
        return "" if done.returncode == 0 else done.stderr

    with ThreadPoolExecutor(8) as pool:
        own = list(pool.map(lambda n: push(n, f"own{n}"), range(8)))
        same = list(pool.map(lambda n: push(n, "main"), range(8)))

    assert own == [""] * 8
    assert same.count("") == 1
    assert all("rejected" in text for text in same if text)
    assert repo.git("fsck", "--strict").code == 0


def test_a_client_that_goes_away_leaves_a_sound_repository(server: GitServer, repo: Repository, work: Path) -> None:
    """Half of a push request, then silence: git is told that the input ended."""
    import socket

    save(work, "a", "1")
    line = f"{'0' * 40} {'1' * 40} refs/heads/main\0 report-status side-band-64k".encode()
    body = pkt(line) + FLUSH + b"PACK\0\0\0\2\0\0\0\1garbage"
    host, port = server.socket.getsockname()
    with socket.create_connection((host, port)) as raw:
        raw.sendall(b"POST /repo.git/git-receive-pack HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + body)

    assert server.ended.wait(120)
    assert [r.is_done for r in server.results] == [False]
    client(work, "push", "-q", "origin", "main")
    assert not list((repo.path / "objects").glob("tmp_objdir*"))


@pytest.mark.parametrize(("megabytes", "growth"), [(16, 12_000), pytest.param(200, 100_000, marks=pytest.mark.scale)])
def test_memory_stays_flat_while_a_large_pack_passes(
    server: GitServer, work: Path, tmp_path: Path, megabytes: int, growth: int
) -> None:
    with (work / "noise").open("wb") as file:
        for _ in range(megabytes):
            file.write(os.urandom(1 << 20))
    client(work, "config", "core.compression", "0")
    client(work, "add", "-A")
    client(work, "commit", "-q", "-m", "big")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    client(work, "push", "-q", "origin", "main")
    client(tmp_path, "clone", "-q", "--no-checkout", server.url, "copy")

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < growth


@pytest.mark.scale
def test_a_repository_of_fifty_thousand_objects_is_cloned_and_fetched(
    server: GitServer, repo: Repository, build: Builder, tmp_path: Path
) -> None:
    files = "".join(f"M 100644 inline d{n % 300}/f{n}\ndata {len(str(n))}\n{n}\n" for n in range(49_700))
    script = f"commit refs/heads/main\ncommitter B <b@x> 1700000000 +0000\ndata 1\nx\n{files}"
    repo.git("fast-import", "--quiet", stdin=script.encode())

    client(tmp_path, "clone", "-q", "--bare", server.url, "copy.git")
    head = build.commit("main", {"new": "1"})
    client(tmp_path / "copy.git", "fetch", "-q", "origin", "main:main")

    counted = client(tmp_path / "copy.git", "rev-list", "--objects", "--all", "--count").strip()
    assert int(counted) > 50_000
    assert client(tmp_path / "copy.git", "rev-parse", "main").strip() == head


async def chunked(data: bytes, size: int = 7) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


def read(data: bytes, encoding: str | None = None) -> tuple[Push, bytes]:
    async def go() -> tuple[Push, bytes]:
        body = RequestBody(chunked(data), encoding=encoding)
        push = await read_push(body)
        return push, b"".join([chunk async for chunk in body])

    return asyncio.run(go())


OLD, NEW = "1" * 40, "2" * 40


@pytest.mark.parametrize("encoding", [None, "gzip"])
def test_commands_are_read_and_the_pack_is_left(encoding: str | None) -> None:
    head = pkt(f"shallow {OLD}".encode()) + pkt(
        f"{OLD} {NEW} refs/heads/grün x\0 report-status push-options side-band-64k agent=git/2".encode()
    )
    sent = head + pkt(f"{NEW} {'0' * 40} refs/tags/v1\n".encode()) + FLUSH + pkt(b"ci.skip") + FLUSH
    data = sent + b"PACK..."

    push, rest = read(gzip.compress(data) if encoding else data, encoding)

    assert push.commands == (RefCommand("refs/heads/grün x", OLD, NEW), RefCommand("refs/tags/v1", NEW, "0" * 40))
    assert push.options == ("ci.skip",)
    assert (push.has_side_band, push.wants_report) == (True, True)
    assert rest == b"PACK..."
    assert b"refs/tags/v1" in push.prefix


def test_the_flush_that_probes_for_authentication_is_an_empty_push() -> None:
    push, rest = read(FLUSH)

    assert (push.commands, push.prefix, rest) == ((), FLUSH, b"")


@pytest.mark.parametrize(
    "data", [b"", b"00", b"zzzz", b"0003", b"0010abc", pkt(b"nonsense") + FLUSH, pkt(f"{OLD} {NEW} ".encode()) + FLUSH]
)
def test_a_malformed_push_is_told_apart(data: bytes) -> None:
    with pytest.raises(BadPush):
        read(data)
    with pytest.raises(BadPush):
        read(data, "gzip")


def test_a_refusal_without_side_band_is_a_plain_report() -> None:
    command = RefCommand("refs/heads/main", OLD, NEW)
    plain = Push((command,), frozenset({"report-status"}), (), b"")
    mute = Push((command,), frozenset(), (), b"")

    assert (
        refusal(plain, ["x"], {"refs/heads/main": "no"})
        == pkt(b"unpack ok\n") + pkt(b"ng refs/heads/main no\n") + FLUSH
    )
    assert refusal(mute, ["x"]) == b""


def test_advertisements_and_unknown_services(repo: Repository, build: Builder, tmp_path: Path) -> None:
    build.commit("main", {"a": "1"})

    old = smart_http.advertise(repo, "git-upload-pack")
    new = smart_http.advertise(repo, "git-upload-pack", "version=2")
    push = smart_http.advertise(repo, "git-receive-pack", "version=2; rm -rf")

    assert old.startswith(b"001e# service=git-upload-pack\n0000")
    assert b"version 2" in new[:20]
    assert b"refs/heads/main" not in new
    assert push.startswith(b"001f# service=git-receive-pack\n0000")
    with pytest.raises(GitError):
        smart_http.advertise(repo, "git-shell")
    with pytest.raises(RepositoryNotFound):
        smart_http.advertise(Repository(tmp_path / "no.git"), "git-upload-pack")


def test_a_service_that_waits_for_ever_is_ended(repo: Repository, build: Builder) -> None:
    async def silence() -> AsyncIterator[bytes]:
        await asyncio.sleep(60)
        yield b""

    async def go() -> None:
        async for _ in smart_http.upload_pack(repo, RequestBody(silence()), seconds=0.2):
            pass

    build.commit("main", {"a": "1"})
    before = threading.active_count()
    with pytest.raises(TimedOut):
        asyncio.run(go())
    assert threading.active_count() <= before + 1


def kill_children(word: bytes) -> None:
    for pid in children(os.getpid()):
        with suppress(OSError):  # another one that has just ended
            if word in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)


def test_a_push_whose_git_is_killed_ends_with_an_error(server: GitServer, repo: Repository, work: Path) -> None:
    async def kill(_: Path, __: list[str]) -> None:
        await asyncio.to_thread(kill_children, b"receive-pack")

    server.rules = PushRules(refuse_changes=kill)
    save(work, "a", "1")

    # The lines about the push have been sent by then: a client that took them for all would wait for the report.
    printed = client(work, "push", "origin", "main", code=1)

    assert "To create a merge request" in printed
    assert refs.find_branch(repo, "main") is None
    assert [result.error for result in server.results] == ["failed"]


def test_an_answer_without_its_end_is_known() -> None:
    banded, plain = (
        ReportReader(Push((), frozenset({"report-status", *more}), (), b"")) for more in (["side-band-64k"], [])
    )
    report = pkt(b"unpack ok\n")
    told = [pkt(b"\1"), pkt(b"\1" + report + FLUSH), FLUSH]

    for reader, packets in ((banded, told), (plain, [report, pkt(b"ok refs/heads/main\n"), FLUSH])):
        assert not reader.is_cut_off
        for packet in packets[:-1]:
            reader.feed(packet)
            assert reader.is_cut_off
        reader.feed(packets[-1])
        assert not reader.is_cut_off


def test_a_small_push_to_a_protected_branch_needs_no_look_through_history(
    server: GitServer, repo: Repository, work: Path
) -> None:
    save(work, "a", "1")
    client(work, "push", "-q", "origin", "main")
    server.rules = PushRules(keep_history=frozenset({"refs/heads/main"}))
    client(work, "checkout", "-q", "-b", "side")
    save(work, "b", "1")
    client(work, "checkout", "-q", "main")
    save(work, "a", "2")
    client(work, "merge", "-q", "--no-edit", "side")
    merged = client(work, "rev-parse", "HEAD").strip()
    client(work, "push", "-q", "origin", "main")
    save(work, "c", "1")
    client(work, "push", "-q", "origin", "main:topic")

    # All objects are there already: only git can tell that the branch keeps its history.
    client(work, "push", "-q", "origin", "main")
    printed = client(work, "push", "-f", "origin", f"{merged}:main", code=1)

    assert "not allowed to force push" in printed
    assert refs.find_branch(repo, "main") == client(work, "rev-parse", "main").strip()


@pytest.mark.parametrize("files", [1, 150])
def test_large_files_are_asked_for_however_many_objects_arrive(
    server: GitServer, repo: Repository, work: Path, files: int
) -> None:
    asked: list[list[str]] = []

    async def has_objects(names: list[str]) -> bool:
        asked.append(names)
        return len(asked) > 1

    server.rules = PushRules(has_objects=has_objects)
    pointer = "version https://git-lfs.github.com/spec/v1\n{}oid sha256:{}\nsize 5\n"
    for number in range(files):
        (work / f"{number}.txt").write_text(f"{number}\n")
    (work / "pointer").write_text(pointer.format("", "b" * 64))
    (work / "extended").write_text(pointer.format(f"ext-0-x sha256:{'d' * 64}\n", "a" * 64))
    (work / "no-pointer").write_text("x" + pointer.format("", "c" * 64))
    save(work, "short", pointer.format("", "c" * 63))

    printed = client(work, "push", "origin", "main", code=1)
    client(work, "push", "-q", "origin", "main")

    assert 'try a manual "git lfs push --all"' in printed
    assert asked == [["a" * 64, "b" * 64]] * 2


def test_commits_and_folders_of_a_small_push_have_a_largest_size(
    server: GitServer, repo: Repository, work: Path
) -> None:
    (work / "message").write_text("x" * 1_000_000)
    save(work, "a", "1")
    client(work, "commit", "-q", "--amend", "-F", "message")

    printed = client(work, "push", "origin", "main", code=1)

    assert "GitLab: A commit, tag or folder is too large: commit 1000" in printed
    assert repo.is_empty()


def test_a_small_push_brings_files_whatever_their_bytes(server: GitServer, repo: Repository, work: Path) -> None:
    source = random.Random(1)
    # Many bytes, some far more often than others: the compressed form begins with a long table.
    content = bytes(source.choices(range(256), weights=[source.random() ** 6 for _ in range(256)], k=20_000))
    (work / "picture.bin").write_bytes(content)
    save(work, "a", "1")

    client(work, "push", "-q", "origin", "main")

    assert repo.git("cat-file", "blob", "main:picture.bin").stdout == content
