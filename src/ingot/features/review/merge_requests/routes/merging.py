"""Merging, merge ref, auto-merge and rebase."""

from ingot.access.call import Call
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.review.merge_requests import lookup, policy, queries
from ingot.features.review.merge_requests.commands import auto_merge
from ingot.features.review.merge_requests.commands.accept import accept
from ingot.features.review.merge_requests.commands.merge import repair
from ingot.features.review.merge_requests.commands.merge_ref import update_merge_ref
from ingot.features.review.merge_requests.commands.rebase import require_rebase, start_rebase
from ingot.features.review.merge_requests.entities import MergeRequest
from ingot.features.review.merge_requests.merge_options import MergeOptions
from ingot.features.review.merge_requests.params_single import OneMergeRequest
from ingot.features.review.merge_requests.present import web_url
from ingot.features.review.merge_requests.single import present_single
from ingot.kit.endpoint import Answer, Reply, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import Body, Unauthorized
from ingot.kit.params import Param

routes = Routes("Merge requests", guard=policy.FIND_MERGE_REQUEST, waits=True)


class MergeParams(OneMergeRequest):
    """How to merge."""

    auto_merge: bool = Param("Merge when the checks pass.", default=False)
    merge_when_pipeline_succeeds: bool = Param("Deprecated name of auto_merge.", default=False)
    merge_commit_message: str | None = Param("Message of the merge commit.")
    squash_commit_message: str | None = Param("Message of the squash commit.")
    squash: bool | None = Param("True: squash the commits.")
    sha: str | None = Param("Must equal the head of the source branch.")
    should_remove_source_branch: bool | None = Param("Remove the source branch.")
    skip_merge_train: bool | None = Param("Without effect: there are no merge trains.")


class MergeRef(Entity):
    """The commit at the merge ref."""

    commit_id: str


class Cancelled(Entity):
    """The result of cancelling auto-merge."""

    status: str


class RebaseStarted(Entity):
    """A rebase runs in the background."""

    rebase_in_progress: bool


class RebaseParams(OneMergeRequest):
    """Options of a rebase."""

    skip_ci: bool = Param("Start no pipeline for the new head.", default=False)


@routes.put(
    "/projects/{id}/merge_requests/{merge_request_iid}/merge",
    params=MergeParams,
    returns=MergeRequest,
    errors=(409, 422),
)
def merge_merge_request(call: Call[MergeParams]) -> Answer:
    """Merge now or, with `auto_merge`, when the checks pass."""
    options = call.params
    row = repair(call.services, call.conn, lookup.find_visible(call))
    if not load_protection(call.conn, call.actor, call.project).may_merge(row.target_branch):
        raise Unauthorized
    accept(
        call.services,
        call.conn,
        row,
        call.actor,
        MergeOptions(
            auto_merge=options.auto_merge or options.merge_when_pipeline_succeeds,
            sha=options.sha or None,
            squash=options.squash is True,
            merge_commit_message=options.merge_commit_message,
            squash_commit_message=options.squash_commit_message,
            should_remove_source_branch=options.should_remove_source_branch,
            url=web_url(row, call.base_url),
        ),
    )
    return present_single(call, queries.get_by_id(call.conn, row.id))


@routes.get("/projects/{id}/merge_requests/{merge_request_iid}/merge_ref", params=OneMergeRequest, returns=MergeRef)
def get_merge_ref(call: Call[OneMergeRequest]) -> Answer:
    """Merge source into target at `refs/merge-requests/:iid/merge`, without touching the target branch."""
    return MergeRef(commit_id=update_merge_ref(call.services, call.conn, lookup.find_visible(call)))


@routes.post(
    "/projects/{id}/merge_requests/{merge_request_iid}/cancel_merge_when_pipeline_succeeds",
    params=OneMergeRequest,
    returns=Cancelled,
)
def cancel_auto_merge(call: Call[OneMergeRequest]) -> Answer:
    """Cancel auto-merge (users who may merge, and the author)."""
    row = lookup.find_visible(call)
    may_merge = load_protection(call.conn, call.actor, call.project).may_merge(row.target_branch)
    if call.project.archived or (not may_merge and row.author_id != call.actor.user_id):
        raise Unauthorized
    if not auto_merge.cancel(call.services, row.id):
        raise Body(406, {"message": "Can't cancel the automatic merge", "status": "error", "http_status": 406})
    return Cancelled(status="success")


@routes.put(
    "/projects/{id}/merge_requests/{merge_request_iid}/rebase",
    params=RebaseParams,
    status=202,
    returns=RebaseStarted,
    errors=(409,),
)
def rebase_merge_request(call: Call[RebaseParams]) -> Answer:
    """Rebase the source branch onto the target, in the background."""
    row = lookup.find_visible(call)
    require_rebase(call.services, call.conn, row, call.actor)
    with call.write() as tx:
        start_rebase(tx, row, call.actor.id)
    return Reply(RebaseStarted(rebase_in_progress=True), status=202)
