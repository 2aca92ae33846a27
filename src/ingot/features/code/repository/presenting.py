"""Commits and branches with what they need from git and the database, loaded once per page."""

from collections.abc import Sequence

from ingot.access.call import Call
from ingot.access.levels import DEVELOPER
from ingot.access.subjects import Project
from ingot.features.code.protected_branches import Protection
from ingot.features.code.pushing import PushRights, load_rights
from ingot.features.code.repository.entities import (
    Branch,
    CommitBasic,
    CommitDetail,
    LastPipeline,
    branch_url,
    commit_basic,
    commit_fields,
    stats_of,
)
from ingot.features.code.repository.pipeline_sources import last_pipelines, last_pipelines_in
from ingot.gitstore import Commit, Repository, listing, log, objects, refs
from ingot.gitstore.listing import Branch as GitBranch
from ingot.gitstore.log import CommitStats


def present_commits(call: Call, commits: Sequence[Commit], repository: Repository | None = None) -> list[CommitBasic]:
    """Commits of a list; with a repository each has its line counts, at the cost of one process for the page."""
    counted = {} if repository is None else log.stats(repository, [commit.id for commit in commits])
    return [commit_basic(commit, call.base_url, call.project, counted.get(commit.id)) for commit in commits]


def commit_detail(call: Call, repository: Repository, commit: Commit, *, stats: bool = True) -> CommitDetail:
    """The single form."""
    counted = log.stats(repository, [commit.id])[commit.id] if stats else None
    last = last_pipelines(call, [commit.id]).get(commit.id) if call.shows("last_pipeline") else None
    return _detail(call, call.project, commit, last, counted)


def present_details(call: Call, commits: Sequence[tuple[Project, Commit]]) -> list[CommitDetail]:
    """A page in the single form, without line counts; of one project or several."""
    last = last_pipelines_in(call, [(project, commit.id) for project, commit in commits])
    return [_detail(call, project, commit, last.get((project.id, commit.id)), None) for project, commit in commits]


def _detail(
    call: Call, project: Project, commit: Commit, last: LastPipeline | None, counted: CommitStats | None
) -> CommitDetail:
    return CommitDetail(
        **commit_fields(commit, call.base_url, project),
        stats=stats_of(counted),
        status=None if last is None else last.status,
        project_id=project.id,
        last_pipeline=last,
    )


def present_branches(call: Call, repository: Repository, rows: Sequence[GitBranch]) -> list[Branch]:
    """Branches with heads, protection and the caller's right to push."""
    rights = load_rights(call.conn, call.actor, call.project)
    merged = _merged(call, repository, rows)
    return [_branch(call, rights, merged, branch, objects.head_commit(repository, branch.commit_id)) for branch in rows]


def _branch(call: Call, rights: PushRights, merged: set[str], result: GitBranch, head: Commit) -> Branch:
    protection = rights.protection
    return Branch(
        name=result.name,
        commit=commit_basic(head, call.base_url, call.project),
        merged=result.name in merged,
        protected=protection.is_protected(result.name),
        developers_can_push=_developers_can(protection, result.name, "push"),
        developers_can_merge=_developers_can(protection, result.name, "merge"),
        can_push=rights.may_push(result.name),
        default=result.name == call.project.default_branch,
        web_url=branch_url(call.base_url, call.project, result.name),
    )


def _developers_can(protection: Protection, branch: str, kind: str) -> bool:
    grants = [grant for rule in protection.rules_for(branch) for grant in rule.grants[kind]]
    return any(grant.access_level == DEVELOPER for grant in grants)


def _merged(call: Call, repository: Repository, rows: Sequence[GitBranch]) -> set[str]:
    """Names of the merged branches; one at the head of the default branch itself does not count."""
    name = call.project.default_branch
    head = refs.find_branch(repository, name) if name else None
    others = {branch.commit_id for branch in rows if branch.commit_id != head}
    if head is None or not others:
        return set()
    if len(others) == 1:
        only = next(iter(others))
        merged = others if objects.is_ancestor(repository, only, head) else set()
    else:
        merged = listing.merged_heads(repository, others, head)
    return {branch.name for branch in rows if branch.commit_id in merged}
