"""The newest commit of each entry of a folder: one bounded walk over the folder's history."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime

import msgspec

from ingot.gitstore.model import text
from ingot.gitstore.names import is_sha
from ingot.gitstore.process import Limits
from ingot.gitstore.remembered import remembered
from ingot.gitstore.repository import Repository

WALKED = 1000
_LIMITS = Limits(output=16 << 20)
_FORMAT = "%x01%H%x00%ct%x00%s"


class LastCommit(msgspec.Struct, frozen=True):
    """The last commit of an entry."""

    sha: str
    subject: str
    when: datetime


def last_commits(repo: Repository, sha: str, folder: str, names: Collection[str]) -> dict[str, LastCommit]:
    """By name; entries that none of the newest commits changed are left out."""
    prefix = f"{folder}/" if folder else ""
    question = (
        "log", "-z", f"--max-count={WALKED}", "--no-merges", "--no-renames", "--name-only", "--encoding=UTF-8",
        "--no-show-signature", f"--format={_FORMAT}", sha, "--", *([f":(literal){prefix}"] if prefix else []),
    )  # fmt: skip
    output = remembered(repo, question, lambda: repo.git(*question, limits=_LIMITS).stdout)
    missing = set(names)
    result: dict[str, LastCommit] = {}
    for record in output.split(b"\x01"):
        head, *rest = record.split(b"\0")
        if not is_sha(head.decode("latin-1")) or len(rest) < 2:
            continue
        commit = LastCommit(head.decode(), text(rest[1]), datetime.fromtimestamp(int(rest[0]), UTC))
        for path in rest[2:]:
            name = text(path).lstrip("\n").removeprefix(prefix).partition("/")[0]
            if name in missing:
                missing.remove(name)
                result[name] = commit
        if not missing:
            break
    return result
