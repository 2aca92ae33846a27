"""Endpoints of commit statuses."""

from typing import Any

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import DEVELOPER, REPORTER
from ingot.features.ci.commit_statuses import commands, queries
from ingot.features.ci.commit_statuses.entities import CommitStatus, present
from ingot.features.ci.commit_statuses.params import ListStatuses, SetStatus
from ingot.features.ci.engine import READ_PIPELINES, Ref, find_ref, may_change, record_of
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Repository, revisions
from ingot.gitstore.listing import containing
from ingot.gitstore.objects import get_commit
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound

READ_STATUSES = ProjectAbility(ability="read_commit_status", level=REPORTER, feature="builds", outsiders=True)
CREATE_STATUS = ProjectAbility(
    ability="create_commit_status", level=DEVELOPER, feature="builds", writes=True, needs_user=True
)

routes = Routes("Commit statuses")


def _commit_id(call: Call[ListStatuses | SetStatus], repository: Repository) -> str:
    sha = revisions.find(repository, call.params.sha) if repository.exists() else None
    if sha is None:
        raise NotFound("Commit")
    return sha


@routes.get(
    "/projects/{id}/repository/commits/{sha}/statuses",
    guard=READ_STATUSES,
    params=ListStatuses,
    returns=list[CommitStatus],
    waits=True,
)
def list_commit_statuses(call: Call[ListStatuses]) -> Answer:
    """Statuses of a commit, from the project's own jobs and from other CI systems."""
    READ_PIPELINES.require(call.actor, call.project)
    sha = _commit_id(call, repository_of(call.services, call.project))
    return call.page(queries.statuses_of(call.project.id, sha, call.params), present)


@routes.post(
    "/projects/{id}/statuses/{sha}",
    guard=CREATE_STATUS,
    params=SetStatus,
    returns=CommitStatus,
    errors=(409, 422),
)
def set_commit_status(call: Call[SetStatus]) -> Answer:
    """Report the status of a commit; a pipeline is created for it where there is none."""
    options = call.params
    values: dict[str, Any] = {
        name: getattr(options, name) for name in ("target_url", "description", "coverage") if name in options.sent
    }
    repository = repository_of(call.services, call.project)
    sha = _commit_id(call, repository)
    ref = _ref(repository, options.ref, sha)
    name = options.name or options.context or "default"
    commands.check_texts(name, options.target_url, options.description)
    protection = load_protection(call.conn, call.actor, call.project)
    protected = protection.is_protected_tag(ref.name) if ref.is_tag else protection.is_protected(ref.name)
    ready = commands.StatusOptions(
        ref=ref,
        commit=record_of(get_commit(repository, sha)),
        state=options.state,
        name=name,
        given_ref=ref.name if options.ref else None,
        pipeline_id=options.pipeline_id,
        is_protected=protected,
        may_change=lambda pipeline: may_change(protection, pipeline),
        values=values,
    )
    with call.write() as tx:
        created = commands.set_status(tx, call.services, call.actor, call.project, ready)
    return present(call, [queries.get_status(call.conn, created)])[0]


def _ref(repository: Repository, given: str | None, sha: str) -> Ref:
    if given:
        if len(given) > 1024:
            raise NotFound("References for commit")
        known = find_ref(repository, given)
        name = given.removeprefix("refs/heads/").removeprefix("refs/tags/")
        return Ref(name, sha, known.is_tag if known is not None else False)
    result = containing(repository, sha, "branch")
    if not result:
        raise NotFound("References for commit")
    return Ref(result[0][1], sha)
