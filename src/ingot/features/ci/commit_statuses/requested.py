"""From the parameters of a call to the status that it records."""

from ingot.access.call import Call
from ingot.features.ci.commit_statuses.commands import StatusOptions, check_texts
from ingot.features.ci.commit_statuses.params import ListStatuses, SetStatus
from ingot.features.ci.engine import Ref, find_ref, may_change, record_of
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Repository, revisions
from ingot.gitstore.listing import containing
from ingot.gitstore.objects import get_commit
from ingot.kit.errors import NotFound

_OPTIONAL = ("target_url", "description", "coverage")


def requested_status(call: Call[SetStatus]) -> StatusOptions:
    """The status to record; 404 where the commit or its ref is missing, 400 for impossible values."""
    options, repository = call.params, repository_of(call.services, call.project)
    sha = get_commit_id(call, repository)
    ref = _ref(repository, options.ref, sha)
    name = options.name or options.context or "default"
    check_texts(name, options.target_url, options.description)
    protection = load_protection(call.conn, call.actor, call.project)
    return StatusOptions(
        ref=ref,
        commit=record_of(get_commit(repository, sha)),
        state=options.state,
        name=name,
        given_ref=ref.name if options.ref else None,
        pipeline_id=options.pipeline_id,
        is_protected=protection.is_protected_tag(ref.name) if ref.is_tag else protection.is_protected(ref.name),
        may_change=lambda pipeline: may_change(protection, pipeline),
        values={field: getattr(options, field) for field in _OPTIONAL if field in options.sent},
    )


def get_commit_id(call: Call[ListStatuses | SetStatus], repository: Repository) -> str:
    """The full id of the commit that the call names."""
    sha = revisions.find(repository, call.params.sha) if repository.exists() else None
    if sha is None:
        raise NotFound("Commit")
    return sha


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
