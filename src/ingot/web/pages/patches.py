"""Commits and merge requests as texts for git: `.diff` and `.patch`."""

from collections.abc import Iterator
from email.header import Header
from email.utils import format_datetime

from starlette.responses import Response, StreamingResponse

from ingot.access.policy import READ_CODE, READ_MERGE_REQUESTS
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Commit, objects
from ingot.gitstore.diff import raw_diff
from ingot.gitstore.model import EMPTY_TREE_ID
from ingot.kit.errors import NotFound, Unprocessable
from ingot.web.call import PageCall
from ingot.web.downloads import Download
from ingot.web.guards import InProject
from ingot.web.merge_steps import REQUEST
from ingot.web.registry import Pages

pages = Pages("project")
HEADERS = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox; default-src 'none'"}
PER_PAGE, MOST_PAGES = 100, 10  # of the commits of a request
TOO_MANY = "This merge request has too many commits for one patch. Fetch its branch instead."


def is_text_for_git(name: str) -> bool:
    """The address names a patch or a diff instead of a page."""
    return name.endswith((".diff", ".patch"))


def commit_text(call: PageCall, name: str) -> Response:
    """One commit as a diff, or as a mail that `git am` reads."""
    sha, _, kind = name.rpartition(".")
    commit = objects.get_commit(repository_of(call.services, call.project), _full_sha(call, sha))
    if kind == "diff":
        return _sent(_diff(call, commit))
    return _sent(_mail(call, commit, ""))


@pages.get("merge_requests/{name}", guard=InProject(READ_MERGE_REQUESTS))
def show_request_as_text(call: PageCall) -> Response | Download:
    """All changes of a request as one diff, or its commits as mails."""
    iid, _, kind = call.path["name"].rpartition(".")
    if not iid.isdecimal() or kind not in ("diff", "patch"):
        raise NotFound
    READ_CODE.require(call.actor, call.project)
    if kind == "diff":
        return call.download(f"{REQUEST}/raw_diffs", merge_request_iid=iid)
    return _sent(_mails(call, _shas(call, iid)))


def _shas(call: PageCall, iid: str) -> list[str]:
    """The commits of a request, the oldest first. Merges are left out, as git does: they would be applied twice."""
    shas: list[str] = []
    for page in range(1, MOST_PAGES + 1):
        rows = call.ask(f"{REQUEST}/commits", merge_request_iid=iid, per_page=str(PER_PAGE), page=str(page))
        shas += [row["id"] for row in rows if len(row["parent_ids"]) <= 1]
        if len(rows) < PER_PAGE:
            return shas[::-1]
    raise Unprocessable(TOO_MANY)


def _mails(call: PageCall, shas: list[str]) -> Iterator[bytes]:
    repository = repository_of(call.services, call.project)
    for number, sha in enumerate(shas, 1):
        place = f" {number}/{len(shas)}" if len(shas) > 1 else ""
        yield from _mail(call, objects.get_commit(repository, sha), place)


def _mail(call: PageCall, commit: Commit, place: str) -> Iterator[bytes]:
    author = commit.author
    head = (
        f"From {commit.id} Mon Sep 17 00:00:00 2001\nFrom: {_word(author.name)} <{author.email}>\n"
        f"Date: {format_datetime(author.when)}\nSubject: {_word(f'[PATCH{place}] {commit.title}')}\n\n"
    )
    yield f"{head}{commit.body}\n---\n\n".encode()
    yield from _diff(call, commit)
    yield b"-- \nIngot\n\n"


def _diff(call: PageCall, commit: Commit) -> Iterator[bytes]:
    parent = commit.parent_ids[0] if commit.parent_ids else EMPTY_TREE_ID
    return raw_diff(repository_of(call.services, call.project), parent, commit.id)


def _full_sha(call: PageCall, name: str) -> str:
    return str(call.ask("/projects/:id/repository/commits/:sha", sha=name, stats=False)["id"])


def _word(text: str) -> str:
    """A text in the head of a mail."""
    return text if text.isascii() else Header(text, "utf-8", maxlinelen=10_000).encode()


def _sent(pieces: Iterator[bytes]) -> Response:
    return StreamingResponse(pieces, headers=HEADERS, media_type="text/plain; charset=utf-8")
