"""The changes that the address of a request's page names: of its newest version, an older one, or one commit."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import msgspec

from ingot.features.spaces.projects import repository_of
from ingot.gitstore.diff import DiffLimits, diff
from ingot.gitstore.errors import GitError
from ingot.gitstore.objects import find_blob
from ingot.gitstore.revisions import find
from ingot.kit.errors import NotFound
from ingot.web.answers import Diff, DiffVersion, MergeRequest, RequestCommit
from ingot.web.call import PageCall, Rows
from ingot.web.diff_context import LONGEST_WIDENED, MOST_WIDENED, widened
from ingot.web.diff_lines import numbered
from ingot.web.merge_steps import REQUEST
from ingot.web.sending import text
from ingot.web.shown_changes import WHOLE, is_context

FILES_A_PAGE = 50
COMMITS_LISTED = 100
MOST_PAGES = 10
ALONE = DiffLimits(max_lines=1_000_000, max_bytes=16_000_000, max_patch_bytes=8_000_000)
SHAS = ("base_sha", "start_sha", "head_sha")


class Changes(msgspec.Struct):
    """Changed files, and the commits between which they changed."""

    diffs: Sequence[Diff]
    refs: Mapping[str, str | None]
    rows: Rows | None = None  # where the files have pages
    version: int | None = None  # an older one
    commit: RequestCommit | None = None
    per_page: int = 0  # files; 0 where all are on one
    since: DiffVersion | None = None  # the older version that the shown one is compared with


def chosen_changes(
    call: PageCall, request: MergeRequest, versions: Sequence[DiffVersion], commits: Rows, *, is_file_by_file: bool
) -> Changes:
    """What the address names, or the newest version."""
    per_page = "1" if is_file_by_file else str(FILES_A_PAGE)
    if sha := text(call, "commit_id"):
        return _of_commit(call, _commit(call, sha, commits), per_page)
    version = _version(call, versions)
    if since := _compared(call, versions):
        return _since(call, since, version or versions[0])
    if version is not None:
        return Changes(version["diffs"], _refs(version), version=version["id"])
    rows = call.ask_rows(f"{REQUEST}/diffs", merge_request_iid=call.path["iid"], per_page=per_page)
    return Changes(rows.items, request.get("diff_refs") or {}, rows, per_page=int(per_page))


def changed_file(call: PageCall, path: str, commit: str | None, head: str) -> Diff | None:
    """The changes of one file in those that end at this commit: of a commit, the newest version or an older one."""
    iid, page = call.path["iid"], 1
    versions = [] if commit else call.ask_or_none(f"{REQUEST}/versions", merge_request_iid=iid) or []
    older = next((row["id"] for row in versions[1:] if row["head_commit_sha"] == head), None)
    if older is not None and versions[0]["head_commit_sha"] != head:
        version = call.ask(f"{REQUEST}/versions/:version_id", merge_request_iid=iid, version_id=older)
        return next((row for row in version["diffs"] if row["new_path"] == path), None)
    while page <= MOST_PAGES:
        about = {"per_page": "100", "page": str(page)}
        if commit:
            rows = call.ask_rows("/projects/:id/repository/commits/:sha/diff", sha=commit, **about)
        else:
            rows = call.ask_rows(f"{REQUEST}/diffs", merge_request_iid=iid, **about)
        result: Diff | None = next((row for row in rows.items if row["new_path"] == path), None)
        if result is not None or rows.next_page is None:
            return result
        page = rows.next_page
    return None


def with_context(call: PageCall, diffs: Sequence[Diff], head: str | None) -> Sequence[Diff]:
    """The only file of a page with more of its unchanged lines (`context`), where it can be read."""
    asked = text(call, "context")
    if (
        not is_context(asked)
        or len(diffs) != 1
        or not head
        or not diffs[0]["diff"].startswith("@@")
        or diffs[0]["deleted_file"]
    ):
        return diffs
    content = _content(call, diffs[0]["new_path"], head)
    if content is None:
        return diffs
    return [{**diffs[0], "diff": widened(diffs[0]["diff"], content, None if asked == WHOLE else int(asked))}]


def with_lines_of_talk(
    call: PageCall, diffs: Sequence[Diff], head: str | None, lines: Mapping[str, AbstractSet[int]]
) -> Sequence[Diff]:
    """The files with the lines that somebody commented on, by their numbers, also where these did not change.

    A page has `MOST_WIDENED` lines for all its files; threads of those beyond stand elsewhere.
    """
    result: list[Diff] = []
    left = MOST_WIDENED
    for row in diffs:
        wanted = lines.get(row["new_path"]) if row["diff"][:2] == "@@" else None
        missing = wanted - _numbers(row["diff"]) if wanted and left else None
        content = _content(call, row["new_path"], head) if missing and head else None
        if missing and content is not None and (count := content.count("\n")) <= left:
            left -= count
            result.append({**row, "diff": widened(row["diff"], content, 0, missing)})
        else:
            result.append(row)
    return result


def _numbers(text: str) -> set[int]:
    """The lines of the new file that a diff shows."""
    return {new for _, sign, _, new in numbered(text.split("\n")) if sign in ("+", " ")}


def _content(call: PageCall, path: str, head: str) -> str | None:
    """A file whose unchanged lines can be shown."""
    repository = repository_of(call.services, call.project)
    try:
        commit = find(repository, head)
        blob = find_blob(repository, commit, path, LONGEST_WIDENED) if commit else None
    except GitError:
        return None
    if blob is None or blob.content.count(b"\n") > MOST_WIDENED:
        return None
    return blob.content.decode("utf-8", "replace")


def with_all_lines(call: PageCall, diffs: Sequence[Diff], ends: tuple[str, str] | None) -> Sequence[Diff]:
    """The only file of a page with its lines, also where they are too many to come with those of other files."""
    if len(diffs) != 1 or ends is None or not (diffs[0].get("too_large") or diffs[0].get("collapsed")):
        return diffs
    paths = tuple({diffs[0]["new_path"], diffs[0]["old_path"]})
    try:
        found = diff(repository_of(call.services, call.project), *ends, paths=paths, limits=ALONE)
    except GitError:
        return diffs
    lines = next((file for file in found.files if file.new_path == diffs[0]["new_path"] and not file.too_large), None)
    if lines is None or lines.diff.count("\n") > MOST_WIDENED:
        return diffs
    return [{**diffs[0], "diff": lines.diff, "too_large": False, "collapsed": False}]


def commits_of(call: PageCall, page: int = 1) -> Rows:
    """Commits of the request, the newest first."""
    return call.ask_rows(
        f"{REQUEST}/commits", merge_request_iid=call.path["iid"], per_page=str(COMMITS_LISTED), page=str(page)
    )


def _of_commit(call: PageCall, commit: RequestCommit, per_page: str) -> Changes:
    sha, parents = commit["id"], commit["parent_ids"]
    rows = call.ask_rows("/projects/:id/repository/commits/:sha/diff", sha=sha, per_page=per_page)
    base = parents[0] if parents else None
    return Changes(
        rows.items, {"base_sha": base, "start_sha": base, "head_sha": sha}, rows, commit=commit, per_page=int(per_page)
    )


def _commit(call: PageCall, sha: str, commits: Rows) -> RequestCommit:
    """A commit of the request; 404 for others."""
    while True:
        for row in commits.items:
            if row["id"] == sha:
                commit: RequestCommit = row
                return commit
        if commits.next_page is None or commits.next_page > MOST_PAGES:
            raise NotFound
        commits = commits_of(call, commits.next_page)


def _version(call: PageCall, versions: Sequence[DiffVersion]) -> DiffVersion | None:
    """The version that the address names; None for the newest."""
    wanted = text(call, "diff_id")
    if not wanted or (versions and str(versions[0]["id"]) == wanted):
        return None
    if wanted not in {str(row["id"]) for row in versions}:
        raise NotFound
    result: DiffVersion = call.ask(
        f"{REQUEST}/versions/:version_id", merge_request_iid=call.path["iid"], version_id=wanted
    )
    return result


def _compared(call: PageCall, versions: Sequence[DiffVersion]) -> DiffVersion | None:
    """The version that the shown one is compared with, by its last commit; None for the target branch."""
    wanted = text(call, "start_sha")
    version = next((row for row in versions if row["head_commit_sha"] == wanted), None) if wanted else None
    if wanted and version is None:
        raise NotFound
    return version


def _since(call: PageCall, since: DiffVersion, version: DiffVersion) -> Changes:
    start, end = since["head_commit_sha"], version["head_commit_sha"]
    ends = {"from": start, "to": end, "straight": True}
    result = call.ask("/projects/:id/repository/compare", "GET", **ends)
    refs = {"base_sha": start, "start_sha": start, "head_sha": end}
    return Changes(result["diffs"], refs, version=version["id"], since=since)


def _refs(version: DiffVersion) -> dict[str, str | None]:
    """The commits of a version, by the names that the position of a comment has for them."""
    return {
        "base_sha": version["base_commit_sha"], "start_sha": version["start_commit_sha"],
        "head_sha": version["head_commit_sha"],
    }  # fmt: skip
