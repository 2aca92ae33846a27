"""Lists of branches and tags, sorted and searched. One `for-each-ref` each, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

import msgspec
import pygit2

from ingot.gitstore.errors import CommandFailed, OutputTooLarge
from ingot.gitstore.loose_refs import few_branches
from ingot.gitstore.model import Person, moment, text, zone_minutes
from ingot.gitstore.names import BRANCHES, TAGS, is_valid_ref
from ingot.gitstore.process import Limits
from ingot.gitstore.remembered import remembered
from ingot.gitstore.repository import Repository
from ingot.kit.statements.long_texts import count_text
from ingot.kit.wildcards import matches_wildcard, wildcard

BRANCH_SORTS = {"name_asc": "refname", "updated_asc": "committerdate", "updated_desc": "-committerdate"}
TAG_SORTS = {"name": "refname", "updated": "creatordate", "version": "version:refname"}
_TAG_FIELDS = (
    "%(refname)%00%(objectname)%00%(*objectname)%00%(objecttype)%00%(*objecttype)%00"
    "%(taggername)%00%(taggeremail:trim)%00%(taggerdate:raw)%00%00"
)
_LACKING = Limits(output=4 << 20)  # a hundred thousand ids


class Branch(msgspec.Struct, frozen=True):
    name: str
    commit_id: str


class Tag(msgspec.Struct, frozen=True):
    name: str
    target: str
    """The tag object's id when annotated, else the commit's."""
    commit_id: str | None
    """The commit below; None for a tag of a tree or blob."""
    is_annotated: bool
    tagger: Person | None


def list_branches(repo: Repository, *, search: str | None = None, sort: str = "name_asc") -> list[Branch]:
    """Sorted by name, or by head commit date (`updated_asc`, `updated_desc`; equal dates by name)."""
    matches = name_filter(search)
    if sort == "name_asc" and (few := few_branches(repo.path)) is not None:
        named = ((text(name), few[name]) for name in sorted(few))
        return [Branch(name, commit) for name, commit in named if matches(name)]
    key = BRANCH_SORTS[sort]
    order = ["--sort=refname", *([] if key == "refname" else [f"--sort={key}"])]
    output = repo.git("for-each-ref", *order, "--format=%(objectname) %(refname)", "refs/heads/").stdout
    prefix = 41 + len(BRANCHES)
    pairs = ((text(line[prefix:]), line[:40].decode()) for line in output.splitlines())
    return [Branch(name, commit) for name, commit in pairs if matches(name)]


def branch_names(repo: Repository) -> list[str]:
    """Names only, sorted, without starting a process."""
    raw = (name for name in repo.odb.raw_listall_references() if name.startswith(BRANCHES.encode()))
    return sorted(text(name)[len(BRANCHES) :] for name in raw)


def merged_branches(repo: Repository, into: str) -> set[str]:
    """Names of the branches whose head is an ancestor of commit `into`."""
    output = repo.git("for-each-ref", f"--merged={into}", "--format=%(refname)", "refs/heads/").stdout
    return {text(line)[len(BRANCHES) :] for line in output.splitlines()}


def merged_heads(repo: Repository, heads: Collection[str], into: str) -> set[str]:
    """Those of the commits `heads`, each the head of a branch, that are ancestors of commit `into`."""
    ordered = sorted(heads)

    def ask() -> bytes:
        # What is not merged is among the commits that `into` lacks.
        feed = "\n".join([*ordered, f"^{into}"]).encode()
        lacking = set(repo.git("rev-list", "--stdin", stdin=feed, limits=_LACKING).stdout.decode().split())
        return " ".join(head for head in ordered if head not in lacking).encode()

    try:
        return set(remembered(repo, ("merged", into, *ordered), ask).decode().split())
    except (OutputTooLarge, CommandFailed):  # far ahead, or broken
        output = repo.git("for-each-ref", f"--merged={into}", "--format=%(objectname)", "refs/heads/").stdout
        return set(output.decode().split()).intersection(ordered)


def list_tags(
    repo: Repository, *, search: str | None = None, order_by: str = "name", descending: bool = False
) -> list[Tag]:
    key = TAG_SORTS[order_by]
    order = ["--sort=refname", f"--sort={'-' if descending else ''}{key}"]
    matches = name_filter(search)
    return [tag for tag in _tags(repo, order, ["refs/tags/"]) if matches(tag.name)]


def find_tag(repo: Repository, name: str) -> Tag | None:
    if not is_valid_ref(TAGS + name):
        return None
    return next((tag for tag in _tags(repo, [], [TAGS + name]) if tag.name == name), None)


def tag_message(repo: Repository, tag: Tag) -> str | None:
    """The message of an annotated tag. Lists do without: each may have a megabyte."""
    tag_object = repo.find_object(tag.target) if tag.is_annotated else None
    if not isinstance(tag_object, pygit2.Tag):
        return None
    message = text(tag_object.raw_message or b"").rstrip("\n")
    count_text(message)
    return message


def tagger_name(repo: Repository, target: str) -> str:
    """Who made an annotated tag, which is named by its own id; empty for others."""
    tag_object = repo.find_object(target)
    if not isinstance(tag_object, pygit2.Tag) or tag_object.tagger is None:
        return ""
    return text(tag_object.tagger.raw_name)


def containing(repo: Repository, sha: str, kind: str = "all") -> list[tuple[str, str]]:
    """Branches and tags that contain the commit, as (`branch` or `tag`, name). `kind`: branch, tag or all."""
    spaces = {"branch": [BRANCHES], "tag": [TAGS], "all": [BRANCHES, TAGS]}[kind]
    output = repo.git("for-each-ref", f"--contains={sha}", "--format=%(refname)", *spaces).stdout
    names = [text(line) for line in output.splitlines()]
    return [
        ("branch", name[len(BRANCHES) :]) if name.startswith(BRANCHES) else ("tag", name[len(TAGS) :]) for name in names
    ]


def only_here(repo: Repository, branch: str, sha: str, most: int = 100) -> list[str]:
    """The ids of the newest commits that no other branch or tag has: they are lost with the branch."""
    others = ("--not", f"--exclude={branch}", "--branches", "--tags")
    output = repo.git("rev-list", f"--max-count={most}", sha, *others).stdout
    return text(output).split()


def list_refs(repo: Repository, *prefixes: str) -> dict[str, str]:
    """Every ref below the prefixes (all refs when none is given) with the id it holds."""
    output = repo.git("for-each-ref", "--format=%(objectname) %(refname)", *prefixes).stdout
    return {text(line[41:]): line[:40].decode() for line in output.splitlines()}


def name_filter(search: str | None) -> Callable[[str], bool]:
    """Substring, `^prefix`, `suffix$`, or a pattern with `*`; letter case does not count."""
    if not search:
        return lambda _name: True
    start, end = search.startswith("^"), search.endswith("$")
    term = search[1 if start else 0 : -1 if end else None].lower()
    matches = wildcard(("" if start else "*") + term + ("" if end else "*"))
    return lambda name: matches(name.lower())


def matches_pattern(name: str, pattern: str) -> bool:
    """Wildcard match as in protected branches and tags: `*` stands for anything, slashes included."""
    return matches_wildcard(name, pattern)


def _tags(repo: Repository, order: Sequence[str], patterns: Sequence[str]) -> list[Tag]:
    output = repo.git("for-each-ref", *order, f"--format={_TAG_FIELDS}", *patterns).stdout
    return [_tag(record.split(b"\0")) for record in output.split(b"\0\0\n")[:-1]]


def _tag(fields: list[bytes]) -> Tag:
    ref, target, peeled, kind, peeled_kind, name, email, date = fields[:8]
    annotated = kind == b"tag"
    is_commit = (peeled_kind if annotated else kind) == b"commit"
    return Tag(
        name=text(ref)[len(TAGS) :],
        target=target.decode(),
        commit_id=(peeled if annotated else target).decode() if is_commit else None,
        is_annotated=annotated,
        tagger=Person(text(name), text(email), _date(date)) if annotated and date else None,
    )


def _date(raw: bytes) -> datetime:
    seconds, _, zone = raw.decode("ascii", "replace").partition(" ")
    return moment(int(seconds), zone_minutes(zone))
