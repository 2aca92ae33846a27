"""Which names git accepts for references, branches and tags. Nothing here reads a repository."""

from __future__ import annotations

from functools import lru_cache

from ingot.gitstore.errors import InvalidRefName
from ingot.kit.patterns import HEX, consists_of, pattern

BRANCHES = "refs/heads/"
TAGS = "refs/tags/"
MERGE_REQUESTS = "refs/merge-requests/"
KEEP_AROUND = "refs/keep-around/"
ENVIRONMENTS = "refs/environments/"
PIPELINES = "refs/pipelines/"
TIDYING = "refs/tidying/"
INTERNAL = (MERGE_REQUESTS, KEEP_AROUND, ENVIRONMENTS, PIPELINES, TIDYING)

_FORBIDDEN = pattern(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//")
_LONGEST = 1024
_COMPONENT_BYTES = 250  # file systems take 255; git appends ".lock" while writing


# Letters that HFS+ ignores in names.
_UNSEEN = frozenset(map(chr, [*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF]))


def hides_git(name: str) -> bool:
    """Whether some file system takes this name for `.git`, or for the folder above."""
    plain = "".join(letter for letter in name if letter not in _UNSEEN).lower()
    return any(part.partition(":")[0].rstrip(" .") in (".git", "git~1") or part == ".." for part in plain.split("\\"))


def is_sha(value: str) -> bool:
    return len(value) == 40 and consists_of(value, HEX)


def is_sha_prefix(value: str) -> bool:
    return 4 <= len(value) <= 40 and consists_of(value, f"{HEX}ABCDEF")


def is_valid_ref(name: str) -> bool:
    """The rules of `git check-ref-format` for a full name such as `refs/heads/main`."""
    return len(name) <= _LONGEST and _is_valid(name)


@lru_cache(1024)
def _is_valid(name: str) -> bool:
    if not name.startswith("refs/") or name.endswith(("/", ".")) or _FORBIDDEN.search(name):
        return False
    try:
        components = [part.encode() for part in name.split("/")]
    except UnicodeEncodeError:
        return False
    if len(components) < 3:
        return False
    return all(
        part and not part.startswith(b".") and not part.endswith(b".lock") and len(part) <= _COMPONENT_BYTES
        for part in components
    )


def is_valid_branch(name: str) -> bool:
    """Also refuses what git would read as something else: options, HEAD, whole object ids, prefixed names."""
    return (
        not name.startswith(("-", "refs/heads/", "refs/remotes/"))
        and name not in ("HEAD", "@")
        and not is_sha(name.lower())
        and is_valid_ref(BRANCHES + name)
    )


def is_valid_tag(name: str) -> bool:
    return not name.startswith(("-", "refs/tags/")) and name not in ("HEAD", "@") and is_valid_ref(TAGS + name)


def branch_ref(name: str) -> str:
    if not is_valid_branch(name):
        raise InvalidRefName(name)
    return BRANCHES + name


def tag_ref(name: str) -> str:
    if not is_valid_tag(name):
        raise InvalidRefName(name)
    return TAGS + name


def checked_ref(name: str) -> str:
    if not is_valid_ref(name):
        raise InvalidRefName(name)
    return name
