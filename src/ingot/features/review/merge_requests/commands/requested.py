"""Converts sent parameters to the options of opening or changing a merge request, with the caller's rights."""

from datetime import datetime

from ingot.access.call import Call
from ingot.access.rows import ProjectRow
from ingot.access.subjects import Project, find_project
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.code.repository import are_related
from ingot.features.planning.labels import ADMIN_LABELS
from ingot.features.review.merge_requests import policy
from ingot.features.review.merge_requests.commands.create import NewMergeRequest, branch_problems
from ingot.features.review.merge_requests.commands.update import Change
from ingot.features.review.merge_requests.params_single import CreateMergeRequest
from ingot.features.review.merge_requests.rows import MergeRequestRow
from ingot.features.spaces.projects import CREATE_MERGE_REQUEST_IN, repository_of
from ingot.gitstore import refs
from ingot.gitstore.names import is_valid_branch
from ingot.kit import coercion
from ingot.kit.actor import Actor
from ingot.kit.errors import Forbidden, Invalid, RecordNotFound, Texts


def require_target(call: Call[CreateMergeRequest]) -> Project:
    """The target project, if the caller may open a request from this one."""
    target_id, source = call.params.target_project_id, call.project
    target = source if target_id is None or target_id == source.id else find_project(call.conn, call.actor, target_id)
    if target is None:
        raise RecordNotFound
    if not may_open_request(call.actor, source, target):
        raise Forbidden
    return target


def may_open_request(actor: Actor, source: Project, target: Project | None = None) -> bool:
    """The actor may open a request from this project, into another or into itself."""
    return CREATE_MERGE_REQUEST_IN.allows(actor, target or source) and policy.may_push_to_source(actor, source)


def require_branches(call: Call[CreateMergeRequest], target: Project) -> None:
    """Require two different, existing branches in related projects."""
    options, source = call.params, call.project
    if source.id == target.id and options.source_branch == options.target_branch and options.source_branch:
        raise Texts(422, ["You can't use same project/branch for source and target"])
    if source.id != target.id and not are_related(call.conn, source, target):
        raise Texts(422, ["Source project is not a fork of the target project"])
    problems: dict[str, list[str]] = {}
    for key, project, branch in (
        ("source_branch", source, options.source_branch),
        ("target_branch", target, options.target_branch),
    ):
        problems |= branch_problems(branch, key, exists=has_branch(call, project, branch))
    if problems:
        raise Invalid(problems)


def requested_request(call: Call[CreateMergeRequest], target: Project, description: str | None) -> NewMergeRequest:
    """The request that the caller wants to open."""
    options, source = call.params, call.project
    is_paid = call.services.settings.has_tier("premium")
    return NewMergeRequest(
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
        manages=policy.is_developer(call.actor, target),
        creates_labels=ADMIN_LABELS.allows(call.actor, target),
        is_paid=is_paid,
    )


def requested_change(call: Call, row: MergeRequestRow, given: dict[str, object]) -> Change:
    """What the caller wants to change."""
    source = find_project(call.conn, call.actor, row.source_project_id) if row.source_project_id else None
    pushes_to_source = policy.may_push_to_source(call.actor, source)
    branch = given.get("target_branch")
    return Change(
        given=_with_moments(given),
        manages=policy.is_developer(call.actor, call.project),
        creates_labels=ADMIN_LABELS.allows(call.actor, call.project),
        pushes_to_source=pushes_to_source,
        may_collaborate=_may_collaborate(call, source, call.project, row.source_branch) and pushes_to_source,
        is_paid=call.services.settings.has_tier("premium"),
        target_exists=branch is None or has_branch(call, call.project, str(branch)),
    )


def _with_moments(given: dict[str, object]) -> dict[str, object]:
    """Parse `merge_after`: an empty value removes it, an unreadable one changes nothing."""
    if "merge_after" not in given:
        return given
    rest = {name: value for name, value in given.items() if name != "merge_after"}
    moment = _moment(given["merge_after"])
    return rest if given["merge_after"] and moment is None else {**rest, "merge_after": moment}


def _moment(text: object) -> datetime | None:
    """A time; an unreadable one counts as not sent."""
    try:
        return coercion.to_datetime(text)
    except coercion.Unfit:
        return None


def has_branch(call: Call, project: ProjectRow, branch: str) -> bool:
    """The project has this branch."""
    repository = repository_of(call.services, project)
    return is_valid_branch(branch) and repository.exists() and refs.find_branch(repository, branch) is not None


def _may_collaborate(call: Call, source: Project | None, target: Project, branch: str) -> bool:
    """Only for forks between projects that are not private, from a branch that is not protected."""
    if source is None or source.id == target.id or source.is_private or target.is_private:
        return False
    return not load_protection(call.conn, call.actor, source).is_protected(branch)
