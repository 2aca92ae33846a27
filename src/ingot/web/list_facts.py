"""What lists of pipelines, commits, branches and runners show beside the API's fields, in a few statements a page."""

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any

import msgspec

from ingot.access.policy import READ_CODE, READ_MERGE_REQUESTS
from ingot.features.ci.engine import UPDATE_PIPELINE, may_cancel, may_change
from ingot.features.ci.pipelines import PipelineSummary, pipeline_summaries
from ingot.features.ci.runners import runner_summaries
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.code.repository import LastPipeline, last_pipelines, signature_statuses
from ingot.features.review.merge_requests import newest_of_branches
from ingot.features.spaces.projects import repository_of
from ingot.gitstore.errors import GitError
from ingot.gitstore.objects import ahead_behind, head_commit
from ingot.gitstore.remembered import remembered
from ingot.gitstore.repository import Repository
from ingot.web.answers import BranchRow, Commit, PipelineRow
from ingot.web.call import PageCall
from ingot.web.pipeline_jobs import AGAIN, CANCEL, CANCELABLE, RETRY, Act

# Beyond this a list is shown without the numbers that are left; they are remembered, so the next visit has more.
COUNTING_SECONDS = 0.15


class PipelineFacts(msgspec.Struct, frozen=True):
    """A pipeline of a list."""

    summary: PipelineSummary | None
    title: str  # of its commit; empty where that is hidden or gone
    act: Act | None = None  # what the visitor may do with it in its state


class BranchFacts(msgspec.Struct, frozen=True):
    """A branch of a list."""

    ahead: int | None
    behind: int | None
    request_iid: int | None
    request_state: str


def pipeline_facts(call: PageCall, rows: Sequence[PipelineRow]) -> dict[int, PipelineFacts]:
    """By id: who started each pipeline, how long it ran, its stages, the title of its commit, what may be done."""
    summaries = pipeline_summaries(call.conn, [row["id"] for row in rows])
    reads_code = READ_CODE.allows(call.actor, call.project)
    repository = repository_of(call.services, call.project)
    acts = _acts(call, rows, summaries) if call.session is not None else {}
    return {
        row["id"]: PipelineFacts(
            summaries.get(row["id"]),
            _title(repository, row["sha"]) if reads_code and row["project_id"] == call.project.id else "",
            acts.get(row["id"]),
        )
        for row in rows
    }


def _acts(call: PageCall, rows: Sequence[PipelineRow], summaries: Mapping[int, PipelineSummary]) -> dict[int, Act]:
    """Cancelling what goes on, and another attempt at what failed, for those whom the endpoints would admit."""
    if not UPDATE_PIPELINE.allows(call.actor, call.project):
        return {}
    protection, can_cancel = load_protection(call.conn, call.actor, call.project), may_cancel(call.actor, call.project)
    result = {}
    for row in rows:
        summary = summaries.get(row["id"])
        if summary is None or row["project_id"] != call.project.id or not may_change(protection, summary):
            continue
        if row["status"] in CANCELABLE and can_cancel:
            result[row["id"]] = CANCEL
        elif row["status"] in AGAIN and summary.has_failed_jobs:
            result[row["id"]] = RETRY
    return result


def commit_pipelines(call: PageCall, commits: Sequence[Commit]) -> dict[str, LastPipeline]:
    """By commit: the newest pipeline that the visitor may see."""
    return last_pipelines(call, [commit["id"] for commit in commits])


def commit_signatures(call: PageCall, commits: Sequence[Commit]) -> dict[str, str]:
    """By commit: whether its signature is the committer's; commits without one are left out."""
    return signature_statuses(call, {commit["id"]: commit["committer_email"] for commit in commits})


def branch_facts(call: PageCall, branches: Sequence[BranchRow]) -> dict[str, BranchFacts]:
    """By name: how far each branch is from the default one, and its newest request."""
    requests: dict[str, tuple[int, str]] = {}
    if branches and READ_MERGE_REQUESTS.allows(call.actor, call.project):
        requests = newest_of_branches(call.conn, call.project.id, [branch["name"] for branch in branches])
    repository = repository_of(call.services, call.project)
    base = next((branch["commit"]["id"] for branch in branches if branch["default"]), None)
    base = base or _head(call, call.project.default_branch)
    end = monotonic() + COUNTING_SECONDS
    result = {}
    for branch in branches:
        is_counted = base is not None and not branch["default"] and monotonic() < end
        distance = _distance(repository, branch["commit"]["id"], base) if base and is_counted else (None, None)
        result[branch["name"]] = BranchFacts(*distance, *requests.get(branch["name"], (None, "")))
    return result


# Any: records of the API.
def with_runner_facts(call: PageCall, rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Runners with tags, last contact and version; those that the visitor may not read alone have no page either."""
    summaries = runner_summaries(call.conn, call.actor, [row["id"] for row in rows])
    return [
        {**row, **msgspec.to_builtins(summaries[row["id"]])} if row["id"] in summaries else {**row, "has_page": False}
        for row in rows
    ]


def _head(call: PageCall, name: str | None) -> str | None:
    if not name:
        return None
    branch = call.ask_or_none("/projects/:id/repository/branches/:branch", branch=name)
    return None if branch is None else str(branch["commit"]["id"])


def _distance(repository: Repository, head: str, base: str) -> tuple[int, int]:
    def ask() -> bytes:
        return b"%d %d" % ahead_behind(repository, head, base)

    ahead, behind = remembered(repository, ("ahead_behind", head, base), ask).split()
    return int(ahead), int(behind)


def _title(repository: Repository, sha: str) -> str:
    try:
        return head_commit(repository, sha).title
    except GitError:
        return ""
