"""A repository that is tiny on the wire and huge in memory: long runs of one byte, folders in folders in folders."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

MEGABYTE = 1024 * 1024
SIZE = 72 * MEGABYTE
CHUNK = MEGABYTE
# All contents of each kind are one blob, however many names it has.
ZEROS = ("zeros.bin", "LICENSE")
LINE = ("line.txt",)
LINES = ("lines.py",)


def push_heavy(folder: Path, address: str) -> None:
    """Push it to `main`, with a first commit on `old` and tags `blob` and `noted` that name a blob."""
    subprocess.run(["git", "init", "-q", "--bare", str(folder)], check=True)
    fast_import(folder, heavy())
    subprocess.run(["git", "-C", str(folder), "tag", "blob", f"main:{ZEROS[0]}"], check=True)
    push(folder, address, "old", "main", "bomb", "blob", "noted")


def push(folder: Path, address: str, *refs: str) -> str:
    """Push and return what was said."""
    done = subprocess.run(
        ["git", "-C", str(folder), "push", "-q", address, *refs], capture_output=True, text=True, check=False
    )
    return done.stderr


def fast_import(folder: Path, stream: Iterator[bytes]) -> None:
    """Feed a stream to `git fast-import`."""
    options = ["-c", "core.compression=1", "-c", "fastimport.unpackLimit=0", "-c", "core.bigFileThreshold=1m"]
    command = ["git", "-C", str(folder), *options, "fast-import", "--quiet"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        for chunk in stream:
            process.stdin.write(chunk)
        process.stdin.close()
        assert process.wait() == 0


def heavy() -> Iterator[bytes]:
    """The stream: three blobs, two commits, an annotated tag of a blob, folders that hold themselves many times."""
    for mark, unit in ((1, b"\0"), (2, b"a"), (3, b"\n")):
        yield from blob(mark, unit, SIZE)
    yield from blob(4, b"x", 10)
    yield commit("old", b"first", [(4, "zeros.bin"), (4, "line.txt"), (4, "small.txt")])
    files = [(mark, name) for mark, names in ((1, ZEROS), (2, LINE), (3, LINES)) for name in names]
    yield commit("main", b"second", [*files, (1, "run")], parent="old")
    yield b"tag noted\nfrom :1\ntagger A <a@example.com> 1700000000 +0000\ndata 4\nblob\n"
    yield from bomb()


def blob(mark: int, unit: bytes, size: int) -> Iterator[bytes]:
    """A blob of one byte repeated."""
    yield b"blob\nmark :%d\ndata %d\n" % (mark, size)
    while size > 0:
        yield unit * min(CHUNK, size)
        size -= CHUNK
    yield b"\n"


def commit(branch: str, message: bytes, files: list[tuple[int, str]], parent: str | None = None) -> bytes:
    """A commit of marked blobs."""
    lines = [
        b"commit refs/heads/%s\ncommitter A <a@example.com> 1700000000 +0000\n" % branch.encode(),
        b"data %d\n%s\n" % (len(message), message),
        b"" if parent is None else b"from refs/heads/%s\n" % parent.encode(),
        *(b"M %s :%d %s\n" % (b"100755" if name == "run" else b"100644", mark, name.encode()) for mark, name in files),
        b"\n",
    ]
    return b"".join(lines)


def bomb(width: int = 10, depth: int = 8) -> Iterator[bytes]:
    """A branch `bomb` of `width ** depth` files, all the same one."""
    yield b"commit refs/heads/bomb\ncommitter A <a@example.com> 1700000000 +0000\ndata 4\nbomb\n"
    yield b"M 100644 :4 %s\n\n" % b"/".join([b"d0"] * depth + [b"f0"])
    for level in range(depth, -1, -1):
        inner = b"/".join([b"d0"] * level)
        source = b"/".join([b"d0"] * (level + 1)) if level < depth else inner + b"/f0"
        name = b"d" if level < depth else b"f"
        yield b"commit refs/heads/bomb\ncommitter A <a@example.com> 1700000000 +0000\ndata 4\nbomb\n"
        for number in range(1, width):
            target = (inner + b"/" if inner else b"") + name + b"%d" % number
            yield b"C %s %s\n" % (source, target)
        yield b"\n"
