"""Commits: list, read, create."""

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.features.code.repository.commit_lists import list_in_parts
from ingot.features.code.repository.committing import commit
from ingot.features.code.repository.entities import CommitBasic, CommitDetail
from ingot.features.code.repository.opening import default_branch, get_commit, open_repository
from ingot.features.code.repository.params.commits import CreateCommit, ListCommits, OneCommit
from ingot.features.code.repository.policy import CHANGE_CODE, require_push_to
from ingot.features.code.repository.presenting import commit_detail, present_commits
from ingot.features.code.repository.requested_commit import requested_commit
from ingot.gitstore import Repository, objects, revisions
from ingot.gitstore.log import LogQuery
from ingot.kit.coercion import Unfit, to_integer
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import ParamError
from ingot.kit.pagination import Page, offset_headers, page_of, per_page_of

COLLECTION = "/projects/{id}/repository/commits"
MEMBER = COLLECTION + "/{sha}"


class ReadCommits(ProjectAbility):
    """Reading code; pages and sizes below one are refused by the guard, before other parameters."""

    __slots__ = ()

    def admit(self, call: Call) -> None:
        """Project, right, then the page numbers."""
        ProjectAbility.admit(self, call)
        for name in ("page", "per_page"):
            _require_positive(call, name)


def _require_positive(call: Call, name: str) -> None:
    try:
        number = to_integer(call.values.get(name))
    except Unfit:
        return  # reported together with the other parameters
    if number is not None and number < 1:
        raise ParamError(f"{name} does not have a valid value")


READ_COMMITS = ReadCommits(
    ability="read_code",
    level=READ_CODE.level,
    feature=READ_CODE.feature,
    outsiders=True,
    feature_off=READ_CODE.feature_off,
    permission=READ_CODE.permission,
)
routes = Routes("Commits", guard_first=True, waits=True)


@routes.get(COLLECTION, guard=READ_COMMITS, params=ListCommits, returns=list[CommitBasic], cached=True)
def list_commits(call: Call[ListCommits]) -> Answer:
    """Commits, newest first. There are no totals: counting history is not cheap."""
    repository = open_repository(call)
    query = _query(call, repository)
    page, per_page = page_of(call), per_page_of(call)
    counted = repository if call.params.with_stats else None
    items, number = list_in_parts(
        call, repository, query, per_page, lambda call, part: present_commits(call, part, counted)
    )
    return Page(items, offset_headers(call, page, per_page, None, has_more=number > per_page, empty=not number))


def _query(call: Call[ListCommits], repository: Repository) -> LogQuery | None:
    """What to ask git; None when the revision does not exist."""
    options = call.params
    include: list[str] = []
    exclude: list[str] = []
    if not options.all:
        range_row = revisions.find_range(repository, options.ref_name or default_branch(call, repository))
        if range_row is None:
            return None
        include, exclude = range_row
    skip = (page_of(call) - 1) * per_page_of(call)
    if skip > 2**31:
        return None
    return LogQuery(
        include=include,
        exclude=exclude,
        all=bool(options.all),
        since=options.since,
        until=options.until,
        path=options.path,
        author=options.author,
        first_parent=bool(options.first_parent),
        topological=options.order == "topo",
        follow=bool(options.follow),
        skip=skip,
        limit=per_page_of(call) + 1,
    )


@routes.get(MEMBER, guard=READ_CODE, params=OneCommit, returns=CommitDetail)
def get_repository_commit(call: Call[OneCommit]) -> Answer:
    """One commit, by its id or by the name of a branch or tag."""
    repository = open_repository(call)
    return commit_detail(call, repository, get_commit(repository, call.path["sha"]), stats=call.params.stats)


@routes.post(COLLECTION, guard=CHANGE_CODE, params=CreateCommit, returns=CommitDetail)
def create_repository_commit(call: Call[CreateCommit]) -> Answer:
    """Commit several changes of files at once, on a branch or on a new one."""
    options = requested_commit(call)
    require_push_to(call, options.branch)
    repository = open_repository(call)
    created = commit(call, repository, options)
    return commit_detail(call, repository, objects.get_commit(repository, created.sha), stats=call.params.stats)
