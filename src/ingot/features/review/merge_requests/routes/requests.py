"""Opening, reading, changing and deleting merge requests."""

from html import escape
from typing import Any

from sqlalchemy import delete

from ingot.access.call import Call
from ingot.access.policy import READ_PROJECT
from ingot.access.subjects import find_project
from ingot.events import MergeRequestChanged
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.code.repository import are_related
from ingot.features.planning.labels import ADMIN_LABELS
from ingot.features.planning.notes import forget
from ingot.features.planning.quick_actions import Command, split
from ingot.features.review.merge_requests import lookup, policy, queries, quick
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.commands.create import (
    NewMergeRequest,
    branch_problems,
    create_merge_request,
)
from ingot.features.review.merge_requests.commands.merge import repair
from ingot.features.review.merge_requests.commands.update import Change, update_merge_request
from ingot.features.review.merge_requests.entities import MergeRequest
from ingot.features.review.merge_requests.extensions import run_update_hooks
from ingot.features.review.merge_requests.params_single import (
    CreateMergeRequest,
    GetMergeRequest,
    OneMergeRequest,
    UpdateMergeRequest,
)
from ingot.features.review.merge_requests.single import is_first_contribution, present_single
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.features.spaces.projects import CREATE_MERGE_REQUEST_IN, repository_of, to_html
from ingot.gitstore import objects, refs
from ingot.gitstore.names import is_valid_branch
from ingot.kit import coercion
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden, Invalid, RecordNotFound, Texts
from ingot.kit.events import announce

routes = Routes("Merge requests")


def _moment(text: str | None) -> Any:
    """A moment; what cannot be read counts as not sent."""
    try:
        return coercion.to_datetime(text)
    except coercion.Unfit:
        return None


@routes.get(
    "/projects/{id}/merge_requests/{merge_request_iid}",
    guard=policy.FIND_MERGE_REQUEST,
    params=GetMergeRequest,
    returns=MergeRequest,
    waits=True,
    job_token=True,
)
def get_merge_request(call: Call[GetMergeRequest]) -> Answer:
    """One merge request; its mergeability is checked on the way, so it is never left `checking`."""
    row = repair(call.services, call.conn, lookup.find_then_authorize(call))
    row = check.check(call.services, call.conn, row)
    more: dict[str, Any] = {"first_contribution": is_first_contribution(call, row)}
    if call.params.render_html:
        more |= {"title_html": escape(row.title, quote=False), "description_html": to_html(row.description)}
    if call.params.include_rebase_in_progress:
        more["rebase_in_progress"] = row.rebase_in_progress
    if call.params.include_diverged_commits_count:
        more["diverged_commits_count"] = _diverged(call, row)
    return present_single(call, row, **more)


def _diverged(call: Call, row: Any) -> int:
    if not row.source_branch_exists or row.checked_target_sha is None or row.head_sha is None:
        return 0
    repository = check.target_repository(call.services, row)
    return objects.ahead_behind(repository, row.checked_target_sha, row.head_sha)[0]


@routes.post(
    "/projects/{id}/merge_requests",
    guard=READ_PROJECT,
    params=CreateMergeRequest,
    returns=MergeRequest,
    errors=(409, 422),
)
def open_merge_request(call: Call[CreateMergeRequest]) -> Answer:
    """Open a merge request from a branch of this project, into this project or the one it was forked from."""
    options, source = call.params, call.project
    target = source
    if options.target_project_id is not None and options.target_project_id != source.id:
        project = find_project(call.conn, call.actor, options.target_project_id)
        if project is None:
            raise RecordNotFound
        target = project
    if not CREATE_MERGE_REQUEST_IN.held(call.actor, target):
        raise Forbidden
    if not policy.may_push_to_source(call.actor, source):
        raise Forbidden
    _check_branches(call, source, target)
    manages = policy.is_developer(call.actor, target)
    is_paid = call.services.settings.has_tier("premium")
    description, actions = (
        split(options.description, "MergeRequest") if options.description else (options.description, [])
    )
    new = NewMergeRequest(
        title=options.title,
        source_branch=options.source_branch,
        target_branch=options.target_branch,
        description=description,
        squash=options.squash,
        remove_source_branch=options.remove_source_branch,
        allow_collaboration=_may_collaborate(call, source, target, options.source_branch)
        and options.allow_collaboration is not False
        and options.allow_maintainer_to_push is not False,
        merge_after=_moment(options.merge_after),
        assignee_ids=options.assignee_ids or ([options.assignee_id] if options.assignee_id else []),
        reviewer_ids=options.reviewer_ids,
        labels=options.labels,
        add_labels=options.add_labels,
        remove_labels=options.remove_labels,
        milestone_id=options.milestone_id,
        approvals_before_merge=options.approvals_before_merge if is_paid else None,
        manages=manages,
        creates_labels=ADMIN_LABELS.held(call.actor, target),
        is_paid=is_paid,
    )
    with call.write() as tx:
        created = create_merge_request(tx, call.actor, source, target, new)
    row = check.check(call.services, call.conn, queries.find_by_id(call.conn, created))
    announce(call.services, MergeRequestChanged(created, target.id, "opened", call.actor.user_id))
    call.project = target
    if actions:
        quick.run(call, queries.find_by_id(call.conn, created), actions)
    return present_single(call, queries.find_by_id(call.conn, row.id))


def _check_branches(call: Call, source: Any, target: Any) -> None:
    options = call.params
    if source.id == target.id and options.source_branch == options.target_branch and options.source_branch:
        raise Texts(422, ["You can't use same project/branch for source and target"])
    if source.id != target.id and not are_related(call.conn, source, target):
        raise Texts(422, ["Source project is not a fork of the target project"])
    problems: dict[str, list[str]] = {}
    for key, project, branch in (
        ("source_branch", source, options.source_branch),
        ("target_branch", target, options.target_branch),
    ):
        problems |= branch_problems(branch, key, exists=_has_branch(call, project, branch))
    if problems:
        raise Invalid(problems)


def _has_branch(call: Call, project: Any, branch: str) -> bool:
    repository = repository_of(call.services, project)
    return is_valid_branch(branch) and repository.exists() and refs.find_branch(repository, branch) is not None


def _may_collaborate(call: Call, source: Any, target: Any, branch: str) -> bool:
    """Only for forks between projects that are not private, from a branch that is not protected."""
    if source is None or source.id == target.id or source.is_private or target.is_private:
        return False
    return not load_protection(call.conn, call.actor, source).is_protected(branch)


@routes.put(
    "/projects/{id}/merge_requests/{merge_request_iid}",
    guard=policy.FIND_MERGE_REQUEST,
    params=UpdateMergeRequest,
    returns=MergeRequest,
    errors=(409, 422),
)
def update_one_merge_request(call: Call[UpdateMergeRequest]) -> Answer:
    """Change a merge request: texts, people, labels, target, or close and reopen it."""
    row, given = lookup.find_for_update(call), call.params.given()
    actions: list[Command] = []
    if given.get("description"):
        given["description"], actions = split(given["description"], "MergeRequest")
    source = find_project(call.conn, call.actor, row.source_project_id) if row.source_project_id else None
    if given.get("merge_after"):
        moment = _moment(given.pop("merge_after"))
        if moment is not None:  # what cannot be read changes nothing
            given["merge_after"] = moment
    elif "merge_after" in given:
        given["merge_after"] = None
    branch = given.get("target_branch")
    change = Change(
        given=given,
        manages=policy.is_developer(call.actor, call.project),
        creates_labels=ADMIN_LABELS.held(call.actor, call.project),
        pushes_to_source=policy.may_push_to_source(call.actor, source),
        may_collaborate=_may_collaborate(call, source, call.project, row.source_branch)
        and policy.may_push_to_source(call.actor, source),
        is_paid=call.services.settings.has_tier("premium"),
        target_exists=branch is None or _has_branch(call, call.project, branch),
    )
    with call.write() as tx:
        moved = update_merge_request(tx, call.actor, row, call.project, change)
        run_update_hooks(call, tx, row, given)
    fresh = check.check(call.services, call.conn, queries.find_by_id(call.conn, row.id))
    retargeted = fresh.target_branch != row.target_branch
    if moved is not None or fresh.updated_at != row.updated_at:
        announce(
            call.services,
            MergeRequestChanged(
                row.id, row.project_id, moved or ("retargeted" if retargeted else "updated"), call.actor.user_id
            ),
        )
    if actions:
        quick.run(call, fresh, actions)
    return present_single(call, queries.find_by_id(call.conn, row.id))


@routes.delete(
    "/projects/{id}/merge_requests/{merge_request_iid}", guard=policy.FIND_MERGE_REQUEST, params=OneMergeRequest
)
def delete_one_merge_request(call: Call[OneMergeRequest]) -> None:
    """Delete a merge request (owners of the project and administrators)."""
    row = lookup.find_visible(call)
    if not policy.may_delete(call.actor, call.project):
        raise Forbidden
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        forget(tx, "MergeRequest", [row.id])
        if tx.execute(delete(merge_requests).where(merge_requests.c.id == row.id)).rowcount == 0:
            raise RecordNotFound  # somebody else was faster
