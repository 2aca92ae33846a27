"""The changes of a merge request: of its versions and commits, with what is said about their lines."""

from collections.abc import Sequence
from typing import Any

import msgspec

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.features.review.merge_requests import is_developer
from ingot.features.spaces.projects import repository_of
from ingot.web.answers import Approvals, DiffVersion, MergeRequest, Note
from ingot.web.call import PageCall, View
from ingot.web.chosen_changes import (
    SHAS,
    Changes,
    chosen_changes,
    commits_of,
    with_all_lines,
    with_context,
    with_lines_of_talk,
)
from ingot.web.file_facts import commits_between
from ingot.web.file_tree import Places, file_tree
from ingot.web.guards import InProject, can_push
from ingot.web.line_talk import LineTalk, ShownDraft, drafted_answers, drafts_of
from ingot.web.merge_steps import REQUEST
from ingot.web.my_review import approved_at, last_reviewed
from ingot.web.pages.merge_requests import load_request, request_view
from ingot.web.registry import Pages
from ingot.web.sending import text
from ingot.web.shown_changes import (
    CHOICES,
    OF_PAGE,
    Look,
    hides_white_space,
    is_in_two_columns,
    look_queries,
    remembering,
    shown_query,
)
from ingot.web.shown_files import Showing, add_pictures, chosen, present_diffs
from ingot.web.suggestions import suggestion_facts
from ingot.web.threads import threads_at_lines
from ingot.web.viewed import add_viewed

pages = Pages("project")
REQUESTS = InProject(READ_MERGE_REQUESTS)


@pages.get("merge_requests/{iid:int}/diffs", guard=REQUESTS)
def show_changes(call: PageCall) -> View:
    """What the request changes, file by file, with what was said about its lines."""
    return changes_view(call)


def changes_view(call: PageCall, problem: str = "", status: int = 200) -> View:
    """The page; a form of it that was refused says why."""
    request = load_request(call, ("head_pipeline",))
    versions, commits = _asked(call, "versions"), commits_of(call)
    wishes = {} if call.actor.is_anonymous else call.ask_or_none("/user/preferences") or {}
    is_by_file = bool(wishes.get("view_diffs_file_by_file"))
    changes = chosen_changes(call, request, versions, commits, is_file_by_file=is_by_file)
    look = Look(hides_white_space(call, wishes), is_in_two_columns(call))
    drafts = drafts_of(call, REQUEST)
    more: dict[str, object] = {"problem": problem, "reply_drafts": drafted_answers(drafts)}
    talk, facts, mine = _line_talk(call, request, changes, look, drafts, more)
    view = request_view(
        call, request, "changes", **_files(call, request, changes, talk, look), **_version_facts(changes, versions),
        rows=changes.rows, versions=versions, commits=commits, commit=changes.commit, columns=look, drafts=drafts,
        can_comment=talk.links, is_alone=bool(text(call, "file")), **_queries(call, look), **facts,
        **_review_facts(call, request, versions, drafts, mine),
    )  # fmt: skip
    return msgspec.structs.replace(remembering(call, view), status=status)


def _asked(call: PageCall, part: str) -> list[Any]:
    """A part of the request; nothing for those who may not see it."""
    return call.ask_or_none(f"{REQUEST}/{part}", merge_request_iid=call.path["iid"]) or []


def _files(call: PageCall, request: MergeRequest, changes: Changes, talk: LineTalk, look: Look) -> dict[str, object]:
    """The files that the page shows, and how many threads stand at lines that it does not show."""
    alone, refs = text(call, "file"), changes.refs
    diffs = chosen(changes.diffs, alone)
    repository = repository_of(call.services, call.project)
    ends = commits_between(repository, refs.get("base_sha"), refs.get("head_sha"))
    if alone:
        diffs = with_context(call, with_all_lines(call, diffs, ends), refs.get("head_sha"))
    diffs = with_lines_of_talk(call, diffs, refs.get("head_sha"), talk.lines())
    how = Showing.of(call, look, repository, ends)
    files, cut = present_diffs(diffs, how, talk, call.services.shared_cache)
    add_pictures(files, diffs, f"/{call.project.full_path}/-/raw", refs.get("base_sha"), refs.get("head_sha"))
    add_viewed(call, files, diffs, request["id"], refs.get("head_sha"))
    for file in files:
        file.open_threads = talk.open_threads(file.path)
    places = Places(shown_query(call, CHOICES), changes.per_page, is_alone=bool(alone))
    is_part = bool(alone) or (changes.rows is not None and changes.rows.next_page is not None)
    return {
        "files": files, "cut": cut, "elsewhere": 0 if is_part else talk.elsewhere, "left_drafts": talk.left_drafts,
        "listed_files": file_tree(files, how.stats, places, text(call, "list")),
        "file_places": _file_places(call, request, changes),
    }  # fmt: skip


def _file_places(call: PageCall, request: MergeRequest, changes: Changes) -> dict[str, str | None]:
    """The commits that files are shown at whole, and the branch on which they may be edited."""
    is_newest = changes.refs.get("head_sha") == request["sha"] and changes.commit is None
    is_own = request["source_project_id"] == request["target_project_id"] and request["state"] == "opened"
    return {
        "base": changes.refs.get("base_sha"), "head": changes.refs.get("head_sha"),
        "branch": request["source_branch"] if is_own and is_newest and can_push(call) else None,
    }  # fmt: skip


def _version_facts(changes: Changes, versions: list[DiffVersion]) -> dict[str, object]:
    """Which version is shown, and its number."""
    numbers = [row["id"] for row in versions]
    shown = changes.version or (numbers[0] if numbers else None)
    number = len(numbers) - numbers.index(shown) if shown in numbers else 1
    since = len(numbers) - numbers.index(changes.since["id"]) if changes.since else None
    return {"shown_version": shown, "version_number": number, "since": changes.since, "since_number": since}


def _queries(call: PageCall, look: Look) -> dict[str, object]:
    """Addresses of the same changes, shown otherwise."""
    return {
        "query": shown_query(call, CHOICES), "page_query": shown_query(call, OF_PAGE),
        "all_query": shown_query(call), "since_query": shown_query(call, ("diff_id",)),
        **look_queries(call, look),
    }  # fmt: skip


def _line_talk(
    call: PageCall,
    request: MergeRequest,
    changes: Changes,
    look: Look,
    drafts: list[ShownDraft],
    more: dict[str, object],
) -> tuple[LineTalk, dict[str, object], Sequence[Note]]:
    """The threads of the request by line, what can be done about their suggestions, and what the visitor wrote."""
    iid, refs = call.path["iid"], changes.refs
    can_comment = call.may("POST", f"{REQUEST}/discussions", merge_request_iid=iid) and all(refs.get(n) for n in SHAS)
    threads, mine = threads_at_lines(call, REQUEST, request["author"]["id"], merge_request_iid=iid)
    facts = suggestion_facts(call, request, threads)
    talk = LineTalk(
        call, f"/{call.project.full_path}/-/merge_requests/{iid}", refs, can_comment=can_comment,
        commit=changes.commit["id"] if changes.commit else None, is_split=look.is_split,
        more={**facts, **more},
    )  # fmt: skip
    talk.add(repository_of(call.services, call.project), threads, drafts)
    return talk, facts, mine


def _review_facts(
    call: PageCall, request: MergeRequest, versions: list[DiffVersion], drafts: list[ShownDraft], mine: Sequence[Note]
) -> dict[str, object]:
    """What the visitor may find of the request, and the version that they found something of already."""
    state = _review_state(call, request)
    is_asked = drafts or state or (len(versions) > 1 and not call.actor.is_anonymous)
    approvals: Approvals | None = (
        call.ask_or_none(f"{REQUEST}/approvals", merge_request_iid=request["iid"]) if is_asked else None
    )
    reviewed = last_reviewed(versions, mine, approved_at(approvals, call.actor.user_id))
    return {
        "review_state": state, "can_join": bool(drafts) and state is None and may_join(call, request),
        "can_approve": bool(approvals and approvals.get("user_can_approve")),
        "reviewed": reviewed if reviewed and reviewed != versions[0] else None,
    }  # fmt: skip


def _review_state(call: PageCall, request: MergeRequest) -> str | None:
    """What the visitor found as a reviewer of an open request; None for others, who have no verdict but approvals."""
    mine = call.actor.user_id
    if request["state"] != "opened" or mine not in {person["id"] for person in request["reviewers"]}:
        return None
    return next((row["state"] for row in _asked(call, "reviewers") if row["user"]["id"] == mine), None)


def may_join(call: PageCall, request: MergeRequest) -> bool:
    """The visitor may become a reviewer of the open request of somebody else, beside those who are."""
    has_place = not request["reviewers"] or call.services.settings.has_tier("premium")
    is_own = request["author"]["id"] == call.actor.user_id
    return request["state"] == "opened" and has_place and not is_own and is_developer(call.actor, call.project)
