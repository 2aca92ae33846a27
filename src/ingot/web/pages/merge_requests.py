"""Merge requests: the list, and one request with its merge box and its pipelines."""

import msgspec

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.features.planning.notes import reads_internal
from ingot.features.review.merge_requests import is_developer, label_details
from ingot.web.answers import MergeRequest
from ingot.web.call import PageCall, View
from ingot.web.commenting import may_attach, may_talk
from ingot.web.failed_jobs import failed_jobs
from ingot.web.frames import count_lists, project_view
from ingot.web.guards import InProject
from ingot.web.issuable_fields import may_track_time
from ingot.web.line_talk import drafted_answers, drafts_of
from ingot.web.list_facts import pipeline_facts
from ingot.web.list_filters import REQUEST_FILTERS, asked, chosen_filters, filter_facts, with_approver_ids
from ingot.web.markdown import markdown
from ingot.web.merge_box import merge_box
from ingot.web.merge_facts import approval_rules, merge_result, squash_result
from ingot.web.merge_steps import REQUEST
from ingot.web.reactions import reactions_to
from ingot.web.registry import Pages
from ingot.web.request_facts import add_request_facts
from ingot.web.sending import text
from ingot.web.side_facts import side_choices
from ingot.web.suggestions import suggestion_facts
from ingot.web.talk_view import chosen_kind, quote_of, shown_threads
from ingot.web.task_lists import tickable, version_of
from ingot.web.thread_code import thread_code
from ingot.web.threads import MOST_RESOLVED, Thread, discussions
from ingot.web.time_left import time_left

pages = Pages("project")
REQUESTS = InProject(READ_MERGE_REQUESTS)
STATES = ("opened", "merged", "closed", "all")
LIST = "/projects/:id/merge_requests"
KIND = "MergeRequest"


@pages.get("merge_requests", guard=REQUESTS)
def list_merge_requests(call: PageCall) -> View:
    """The project's merge requests with the API's filters."""
    filters = chosen_filters(call, REQUEST_FILTERS)
    state = text(call, "state")
    state = state if state in STATES else "opened"
    wanted = asked(with_approver_ids(call, filters))
    rows = call.ask_rows(LIST, state=state, with_labels_details=True, with_merge_status_recheck=True, **wanted)
    add_request_facts(call, rows.items, rows.rows)
    if state == "opened" and wanted == asked({}):
        call.counted["merge_requests"] = rows.total
    counts = count_lists(call, {name: (LIST, {"state": name, **wanted}) for name in STATES if name != state})
    return project_view(
        call, "merge_requests", "merge_requests", rows=rows, counts={**counts, state: rows.total},
        can_create=call.may("POST", LIST), **filter_facts(state, filters, REQUEST_FILTERS),
    )  # fmt: skip


@pages.get("merge_requests/{iid:int}", guard=REQUESTS)
def show_merge_request(call: PageCall) -> View:
    """The overview: text, merge box and threads."""
    return overview(call)


def overview(call: PageCall, problem: str = "", status: int = 200, since: str = "") -> View:
    """The page; a form of the merge box that was refused says why, and leads to what changed since a commit."""
    iid = call.path["iid"]
    request = load_request(call)
    talk = discussions(call, REQUEST, request["author"]["id"], (KIND, request["id"]), merge_request_iid=iid)
    threads = talk.threads if talk is not None else None
    kind = chosen_kind(call)
    html, can_edit = markdown(call, request["description"]), call.may("PUT", REQUEST, merge_request_iid=iid)
    commits, drafts = _commit_count(call, request["iid"]), drafts_of(call, REQUEST)
    view = request_view(
        call, request, "overview", commits, problem=problem, since=since, **_side_facts(call, request),
        seen=version_of(request["description"]), threads=threads, talk=talk,
        html=tickable(html, request["description"]) if can_edit and call.session else html,
        most_resolved=MOST_RESOLVED, can_open_issue=call.may("POST", "/projects/:id/issues"),
        kind=kind, shown_threads=shown_threads(threads or [], kind), can_quote=True,
        quote=quote_of(call, threads or []), **box_of(call, request, threads, commits),
        can_track=may_track_time(call, KIND), can_attach=may_attach(call),
        reads_internal=reads_internal(call.actor, call.project), drafts=drafts,
        reply_drafts=drafted_answers(drafts),
        reactions=talk.reactions if talk else reactions_to(call, KIND, [request["id"]]).get(request["id"]),
        **suggestion_facts(call, request, threads or []), code=thread_code(call, request, threads or []),
        can_comment=call.may("POST", f"{REQUEST}/notes", merge_request_iid=iid)
                    and may_talk(call, KIND, request), can_edit=can_edit,
    )  # fmt: skip
    return msgspec.structs.replace(view, status=status)


def _side_facts(call: PageCall, request: MergeRequest) -> dict[str, object]:
    """What reviewers found, and the requests that this one waits for."""
    rows = call.ask_or_none(f"{REQUEST}/reviewers", merge_request_iid=request["iid"]) if request["reviewers"] else []
    blocks = None
    if call.services.settings.has_tier("premium"):
        blocks = call.ask_or_none(f"{REQUEST}/blocks", merge_request_iid=request["iid"])
    return {
        "reviewer_states": {row["user"]["id"]: row["state"] for row in rows or []}, "blocks": blocks,
        **side_choices(call, can_plan=is_developer(call.actor, call.project)),
    }  # fmt: skip


@pages.get("merge_requests/{iid:int}/pipelines", guard=REQUESTS)
def list_request_pipelines(call: PageCall) -> View:
    """The pipelines of a request."""
    return pipelines_view(call)


def pipelines_view(call: PageCall, problem: str = "", status: int = 200) -> View:
    """The page; says why none was run."""
    rows = call.ask_rows_or_none(f"{REQUEST}/pipelines", merge_request_iid=call.path["iid"])
    facts = pipeline_facts(call, rows.items) if rows is not None else {}
    can_run = call.may("POST", f"{REQUEST}/pipelines", merge_request_iid=call.path["iid"])
    view = request_view(call, load_request(call), "pipelines", rows=rows, facts=facts, can_run=can_run, problem=problem)
    return msgspec.structs.replace(view, status=status)


def box_of(
    call: PageCall, request: MergeRequest, threads: list[Thread] | None = None, commits: int | None = None
) -> dict[str, object]:
    """What the merge box shows; the page may have loaded the threads and counted the commits."""
    iid = request["iid"]
    if threads is None:
        talk = discussions(call, REQUEST, request["author"]["id"], (KIND, request["id"]), merge_request_iid=iid)
        threads = talk.threads if talk is not None else None
    approvals = call.ask_or_none(f"{REQUEST}/approvals", merge_request_iid=iid)
    still_open = _mark_first_open(threads or [])
    box = merge_box(call, request, approvals, still_open)
    shows_form = call.session is not None and (box.can_merge or box.can_set_auto_merge)
    pipeline = request.get("head_pipeline")
    is_told = request["detailed_merge_status"] == "ci_still_running"
    return {
        "time_left": time_left(call, pipeline) if pipeline and request["state"] == "opened" and not is_told else "",
        "approvals": approvals, "box": box, "still_open": still_open,
        "can_edit_rules": request["state"] == "opened" and call.session is not None
                          and call.may("POST", f"{REQUEST}/approval_rules", merge_request_iid=iid),
        "rules": approval_rules(call, request), "failed_jobs": failed_jobs(call, request),
        "merge_result": merge_result(call, request) if shows_form else "",
        "squash_result": squash_result(call, lambda: commits or _commit_count(call, iid)) if shows_form else "",
        "closes": _closed_issues(call, request),
    }  # fmt: skip


def _closed_issues(call: PageCall, request: MergeRequest) -> list[dict[str, object]]:
    """The issues that merging an open request closes."""
    if request["state"] != "opened":
        return []
    rows = call.ask_columns(f"{REQUEST}/closes_issues", ("iid", "project_path"), merge_request_iid=request["iid"])
    return [{"iid": row["iid"], "web_url": f"/{row['project_path']}/-/issues/{row['iid']}"} for row in rows]


def _mark_first_open(threads: list[Thread]) -> int:
    """Mark the first thread that is not resolved; returns how many there are."""
    still_open = [thread for thread in threads if thread["resolvable"] and not thread["resolved"]]
    if still_open:
        still_open[0]["is_first_open"] = True
    return len(still_open)


def _commit_count(call: PageCall, iid: int) -> int | None:
    commits = call.ask_rows_or_none(f"{REQUEST}/commits", merge_request_iid=iid, page="1", per_page="1")
    return commits.total if commits else None


def load_request(call: PageCall, left_out: tuple[str, ...] = ()) -> MergeRequest:
    """The request of the address, without parts that the page does not show."""
    request: MergeRequest = call.ask_without(
        left_out, REQUEST, merge_request_iid=call.path["iid"], include_rebase_in_progress=True
    )
    request["labels"] = msgspec.to_builtins(label_details(call.conn, request["id"]))
    return request


def request_view(
    call: PageCall, request: MergeRequest, part: str, commits: int | None = None, /, **data: object
) -> View:
    """One of the request's four parts below its heading; the page may have counted the commits."""
    iid = request["iid"]
    data.setdefault("can_edit", call.may("PUT", REQUEST, merge_request_iid=iid))
    root = f"/{call.project.full_path}/-/merge_requests/{iid}"
    counted = count_lists(call, {"pipelines": (f"{REQUEST}/pipelines", {"merge_request_iid": iid})})
    parts = [
        {"name": "Overview", "href": root, "key": "overview", "count": request.get("user_notes_count")},
        {"name": "Commits", "href": f"{root}/commits", "key": "commits", "count": commits or _commit_count(call, iid)},
        {"name": "Pipelines", "href": f"{root}/pipelines", "key": "pipelines", "count": counted["pipelines"]},
        {"name": "Changes", "href": f"{root}/diffs", "key": "changes", "count": request.get("changes_count")},
    ]  # fmt: skip
    return project_view(
        call, f"merge_request_{part}", "merge_requests", request=request, part=part, request_parts=parts, here=root,
        **data,
    )  # fmt: skip
