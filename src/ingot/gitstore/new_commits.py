"""The commits and files that a push, or a commit that was just written, would add: what no branch or tag leads to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from ingot.gitstore.errors import OutputTooLarge
from ingot.gitstore.names import INTERNAL
from ingot.gitstore.repository import Repository
from ingot.gitstore.streams import stream

_AT_ONCE = 500
LARGEST_COMMIT = 4 << 20  # bytes
_SUBMODULE = "160000"
# Refs of our own hold commits that nobody pushed here, as those of merge requests from forks.
_KNOWN = ("--not", *(f"--exclude={prefix}*" for prefix in INTERNAL), "--all")


class Source(msgspec.Struct, frozen=True):
    """Where the new commits end, and the folder of their objects while they wait in quarantine."""

    tips: Sequence[str]
    quarantine: Path | None = None


class NewCommit(msgspec.Struct, frozen=True):
    author_email: str
    committer_name: str
    committer_email: str
    message: str
    is_signed: bool


class NewFile(msgspec.Struct, frozen=True):
    path: str
    blob_id: str
    is_added: bool


def quarantined(repo: Repository, quarantine: Path | None) -> Mapping[str, str]:
    """What git has to know to read objects that wait in quarantine."""
    if quarantine is None:
        return {}
    return {
        "GIT_OBJECT_DIRECTORY": str(quarantine),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": _quoted(repo.path / "objects"),
    }


def new_commits(repo: Repository, source: Source) -> Iterator[NewCommit]:
    """Every commit that leads to one of the tips and is in no ref of the users yet."""
    args = ["rev-list", "--header", *source.tips, *_KNOWN]
    yield from (_commit(record) for record in _records(repo, args, source) if record)


def new_files(repo: Repository, source: Source) -> Iterator[list[NewFile]]:
    """Files that those commits add or change, in parts. A renamed file is added under its new name."""
    args = ["log", "--format=", "--raw", "-z", "-c", "--no-renames", "--no-abbrev", *source.tips, *_KNOWN]
    files: list[NewFile] = []
    entry: list[str] = []
    for record in _records(repo, args, source):
        text = record.lstrip(b"\n").decode("utf-8", "replace")
        if not entry:
            entry = text.split(" ")
            continue
        file, entry = _file(entry, text), []
        if file is not None:
            files.append(file)
        if len(files) >= _AT_ONCE:
            yield files
            files = []
    if files:
        yield files


def sizes_of(repo: Repository, source: Source, blob_ids: Sequence[str]) -> dict[str, int]:
    """The bytes of each blob."""
    asked = "\n".join(dict.fromkeys(blob_ids)).encode()
    check = "--batch-check=%(objectname) %(objectsize)"
    result = repo.git("cat-file", check, stdin=asked + b"\n", env=quarantined(repo, source.quarantine))
    pairs = (line.split(" ") for line in result.stdout.decode().splitlines())
    return {name: int(size) for name, size in pairs if size.isdecimal()}


def _records(repo: Repository, args: Sequence[str], source: Source) -> Iterator[bytes]:
    """The output, cut at zero bytes. A message of hundreds of megabytes is pushed as a few kilobytes."""
    rest = b""
    for chunk in stream(repo.path, args, env=quarantined(repo, source.quarantine)):
        *records, rest = (rest + chunk).split(b"\0")
        if len(rest) > LARGEST_COMMIT:
            raise OutputTooLarge
        yield from records
    if rest:
        yield rest


def _commit(record: bytes) -> NewCommit:
    """A record of `rev-list --header`: the name, the headers, an empty line, the message with each line indented."""
    head, _, body = record.decode("utf-8", "replace").partition("\n\n")
    headers = dict(line.partition(" ")[::2] for line in reversed(head.split("\n")[1:]) if not line.startswith(" "))
    committer, committer_email = _person(headers.get("committer", ""))
    return NewCommit(
        author_email=_person(headers.get("author", ""))[1],
        committer_name=committer,
        committer_email=committer_email,
        message="\n".join(line.removeprefix("    ") for line in body.split("\n")),
        is_signed="gpgsig" in headers or "gpgsig-sha256" in headers,
    )


def _person(line: str) -> tuple[str, str]:
    """Name and address of `Name <address> 1700000000 +0100`."""
    name, _, rest = line.partition("<")
    return name.strip(), rest.partition(">")[0]


def _file(entry: Sequence[str], path: str) -> NewFile | None:
    """From `:old-mode new-mode old-id new-id status`; of a merge there is one of each more for every further parent."""
    parents = len(entry[0]) - len(entry[0].lstrip(":"))
    mode, blob_id, status = entry[parents], entry[-2], entry[-1]
    if "D" in status or mode == _SUBMODULE:
        return None
    return NewFile(path, blob_id, is_added=set(status) == {"A"})


def _quoted(path: Path) -> str:
    """Git splits the list of object folders at colons, except in quotes."""
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
