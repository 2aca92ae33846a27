"""Commits and comparisons."""

from collections.abc import Sequence
from itertools import groupby
from urllib.parse import quote, urlencode

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_CODE
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import revisions
from ingot.gitstore.objects import find_entry
from ingot.kit.errors import NotFound
from ingot.web.answers import Diff
from ingot.web.call import PageCall, Rows, View
from ingot.web.commit_search import A_PAGE, found_commits, last_page
from ingot.web.commit_talk import CommitTalk
from ingot.web.diffs import anchor_of
from ingot.web.folders import crumbs_of, ref_choices
from ingot.web.frames import project_view
from ingot.web.guards import InHistory, InProject, can_push
from ingot.web.linked_text import linked_text
from ingot.web.list_facts import commit_pipelines, commit_signatures, pipeline_facts
from ingot.web.markdown import markdown
from ingot.web.pages.patches import commit_text, is_text_for_git
from ingot.web.plain_changes import plain_changes
from ingot.web.registry import Pages
from ingot.web.revisions import branch_behind_tag, is_branch, is_revision, split
from ingot.web.sending import done, text, texts
from ingot.web.shown_changes import query_back, remembering
from ingot.web.shown_files import PICTURES
from ingot.web.waiting import if_ready

pages = Pages("project")
CODE = InProject(READ_CODE)
COMMIT_FILTERS = ("search", "author", "since", "until")
COMMITS = "/projects/:id/repository/commits"
COMPARED = 100  # commits on the page of a comparison


@pages.get("commits", guard=CODE)
def redirect_to_commits(call: PageCall) -> Response:
    """The history of the default branch."""
    if not call.project.default_branch:
        raise NotFound
    return RedirectResponse(f"/{call.project.full_path}/-/commits/{call.project.default_branch}", 302)


@pages.get("commits/{rest*}", guard=InHistory())
def list_commits(call: PageCall) -> View | Response:
    """History of a revision, or of one path in it, by day."""
    ref, path = split(call, call.path["rest"])
    filters = texts(call, COMMIT_FILTERS)
    chosen = {name: value for name, value in filters.items() if value and name != "search"}
    given: dict[str, object] = {"ref_name": ref, **({"path": path} if path else {}), **chosen}
    words = filters["search"].strip()
    query = {name: value for name, value in filters.items() if value}
    wants_last = call.values.get("page") == "last"
    last = if_ready(call, lambda: last_page(call, words, given)) if wants_last else None
    if last is not None:
        address = f"{quote(call.request.scope['path'])}?{urlencode({**query, 'page': last})}"
        return RedirectResponse(address, 302)
    rows = if_ready(call, lambda: _commits(call, words, given)) if not wants_last else None
    return project_view(
        call, "commits", "code", ref=ref, file_path=path, filters=filters, crumbs=crumbs_of(path), **ref_choices(call),
        query=urlencode(query), twin=branch_behind_tag(call, ref), kind=_kind(call, ref, path) if path else "",
        **_by_day(call, rows),
    )  # fmt: skip


def _commits(call: PageCall, words: str, given: dict[str, object]) -> Rows:
    return found_commits(call, words, given) if words else call.ask_rows(COMMITS, per_page=str(A_PAGE), **given)


def _by_day(call: PageCall, rows: Rows | None) -> dict[str, object]:
    """What the list shows of commits, where git has found them already."""
    items = rows.items if rows else []
    days = [(day, list(commits)) for day, commits in groupby(items, key=lambda row: row["committed_date"][:10])]
    pipelines, signatures = commit_pipelines(call, items), commit_signatures(call, items)
    return {"rows": rows, "days": days, "pipelines": pipelines, "signatures": signatures}


def _kind(call: PageCall, ref: str, path: str) -> str:
    """The kind of page that shows the path; none where it was removed."""
    repository = repository_of(call.services, call.project)
    sha = revisions.find(repository, ref)
    entry = find_entry(repository, sha, path) if sha else None
    return entry.type if entry and entry.type in ("blob", "tree") else ""


@pages.get("commit/{sha}", guard=CODE)
def show_commit(call: PageCall) -> View | Response:
    """One commit with its changes and comments; its texts for git are at the same address with an ending."""
    sha = call.path["sha"]
    if is_text_for_git(sha):
        return commit_text(call, sha)
    commit = call.ask("/projects/:id/repository/commits/:sha", sha=sha)
    rows = call.ask_rows("/projects/:id/repository/commits/:sha/diff", sha=sha, per_page="100")
    talk = _talk(call, sha)
    _, _, body = commit["message"].partition("\n")
    base = commit["parent_ids"][0] if commit["parent_ids"] else None
    view = project_view(
        call, "commit", "code", commit=commit, body=linked_text(call, body.strip()), rows=rows,
        **plain_changes(call, rows.items, base, commit["id"], talk),
        signature=call.ask_or_none("/projects/:id/repository/commits/:sha/signature", sha=sha),
        refs=call.ask_rows_or_none("/projects/:id/repository/commits/:sha/refs", sha=sha, page="1"),
        requests=call.ask_or_none("/projects/:id/repository/commits/:sha/merge_requests", sha=sha) or [],
        comments=talk.all_left(), commented=talk.has_any, can_comment=talk.links, can_pick=can_push(call),
    )  # fmt: skip
    return remembering(call, view)


def _talk(call: PageCall, sha: str) -> CommitTalk:
    """The comments of a commit."""
    comments = call.ask_or_none("/projects/:id/repository/commits/:sha/comments", sha=sha) or []
    for comment in comments:
        comment["html"] = markdown(call, comment["note"])
    may = call.may("POST", "/projects/:id/repository/commits/:sha/comments", sha=sha)
    return CommitTalk(call, sha, comments, can_comment=may)


@pages.get("commit/{sha}/pipelines", guard=CODE)
def list_commit_pipelines(call: PageCall) -> View:
    """The pipelines of a commit."""
    commit = call.ask("/projects/:id/repository/commits/:sha", sha=call.path["sha"], stats=False)
    rows = call.ask_rows_or_none("/projects/:id/pipelines", sha=commit["id"])
    facts = pipeline_facts(call, rows.items) if rows is not None else {}
    return project_view(call, "commit_pipelines", "code", commit=commit, rows=rows, facts=facts)


@pages.post("commit/{sha}/comment", guard=CODE)
def comment_on_commit(call: PageCall) -> Response:
    """Comment on the commit or on one of its lines."""
    sha, at = call.path["sha"], {name: text(call, name) for name in ("path", "line", "line_type") if text(call, name)}
    call.ask("/projects/:id/repository/commits/:sha/comments", "POST", sha=sha, note=call.values.get("note", ""), **at)
    fragment = anchor_of(at["path"]) if "path" in at else "comments"
    return done(call, f"/{call.project.full_path}/-/commit/{sha}{query_back(call)}#{fragment}", "Comment added.")


@pages.get("compare", guard=CODE)
def choose_comparison(call: PageCall) -> View | Response:
    """The two ends to compare."""
    first, second = str(call.values.get("from", "")), str(call.values.get("to", ""))
    if first and second:
        dots = ".." if call.values.get("straight") else "..."
        return RedirectResponse(f"/{call.project.full_path}/-/compare/{quote(first)}{dots}{quote(second)}", 302)
    first = first or str(call.project.default_branch or "")
    return project_view(call, "compare_form", "code", first=first, second=second, problem="", **_names(call))


@pages.get("compare/{ends*}", guard=InHistory())
def compare(call: PageCall) -> View:
    """The difference of two revisions."""
    first, second, is_straight = _parted(call.path["ends"])
    missing = [name for name in (first, second) if not is_revision(call, name)]
    if missing:
        return _form_again(call, first, second, missing)
    result = call.ask(
        "/projects/:id/repository/compare", "GET", **{"from": first, "to": second, "straight": is_straight}
    )
    base = _beginning(call, first, second, result["diffs"], is_straight=is_straight)
    newest = result["commits"][::-1][:COMPARED]
    are_branches = is_branch(call, first) and is_branch(call, second)
    view = project_view(
        call, "compare", "code", first=first, second=second, result=result, is_straight=is_straight, newest=newest,
        can_open=are_branches and call.may("POST", "/projects/:id/merge_requests"),
        pipelines=commit_pipelines(call, newest), signatures=commit_signatures(call, newest), **_names(call),
        **plain_changes(call, result["diffs"], base, second, from_merge_base=not is_straight),
    )  # fmt: skip
    return remembering(call, view)


def _parted(ends: str) -> tuple[str, str, bool]:
    """The two revisions of `first...second`, and whether two dots ask for their plain difference."""
    is_straight = "..." not in ends
    first, dots, second = ends.partition(".." if is_straight else "...")
    if not dots or not first or not second:
        raise NotFound
    return first, second, is_straight


def _form_again(call: PageCall, first: str, second: str, missing: Sequence[str]) -> View:
    """The form with what was asked for, which is not there."""
    problem = f"There is no branch, tag or commit named {' or '.join(missing)} in this repository."
    return project_view(call, "compare_form", "code", 404, first=first, second=second, problem=problem, **_names(call))


def _beginning(call: PageCall, first: str, second: str, diffs: Sequence[Diff], *, is_straight: bool) -> str | None:
    """The revision that pictures are shown of as they were; found only where there are some."""
    if is_straight or not any(row["new_path"].lower().endswith(PICTURES) for row in diffs):
        return first
    base = call.ask_or_none("/projects/:id/repository/merge_base", refs=[first, second])
    return base["id"] if base else None


def _names(call: PageCall) -> dict[str, object]:
    """Branches and tags to choose from, the newest first; others can be typed."""
    kinds = (("branches", "updated_desc"), ("tags", "desc"))
    rows = {
        kind: call.ask_rows_or_none(f"/projects/:id/repository/{kind}", page="1", per_page="100", sort=order)
        for kind, order in kinds
    }
    return {kind: [row["name"] for row in part.items] if part is not None else [] for kind, part in rows.items()}
