"""Branches."""

from contextlib import suppress

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.events import ZERO_SHA, RefChange
from ingot.features.code.pushing import PushRights, load_rights
from ingot.features.code.repository.committing import announce_change, noted, refusing
from ingot.features.code.repository.entities import Branch
from ingot.features.code.repository.keyset import page_of_names
from ingot.features.code.repository.opening import open_repository
from ingot.features.code.repository.params.branches import CreateBranch, ListBranches
from ingot.features.code.repository.policy import CHANGE_CODE, require_push
from ingot.features.code.repository.presenting import present_branches
from ingot.features.spaces.projects import initialize_with_readme
from ingot.gitstore import Repository, listing, names, objects, refs, revisions
from ingot.gitstore.errors import InvalidRefName, RefChanged, RefExists, RefNotFound, RevisionNotFound
from ingot.gitstore.listing import Branch as GitBranch
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import ACCEPTED, MessageOnly
from ingot.kit.errors import Failure, NotFound
from ingot.kit.regexps import compile_regexp, limited_work

routes = Routes("Branches", guard_first=True, waits=True)

COLLECTION = "/projects/{id}/repository/branches"
MEMBER = COLLECTION + "/{branch}"
REGEXP_SECONDS = 1.0


@routes.get(COLLECTION, guard=READ_CODE, params=ListBranches, returns=list[Branch], cached=True)
def list_branches(call: Call[ListBranches]) -> Answer:
    """Branches of a project, by name unless sorted otherwise."""
    options = call.params
    repository = open_repository(call)
    result = listing.list_branches(repository, search=options.search, sort=options.sort)
    if options.regex:
        with limited_work(REGEXP_SECONDS):
            pattern = compile_regexp(options.regex)
            result = [branch for branch in result if pattern.search(branch.name)]
    return page_of_names(call, result, lambda call, part: present_branches(call, repository, part))


@routes.get(MEMBER, guard=READ_CODE, returns=Branch, cached=True)
def get_branch(call: Call) -> Answer:
    """One branch."""
    repository = open_repository(call)
    return present_branches(call, repository, [find_branch(repository, call.path["branch"])])[0]


@routes.head(MEMBER, guard=READ_CODE, status=204)
def check_branch(call: Call) -> Answer:
    """Whether a branch exists: 204 or 404."""
    find_branch(open_repository(call), call.path["branch"])


@routes.post(COLLECTION, guard=CHANGE_CODE, params=CreateBranch, returns=Branch)
def create_branch(call: Call[CreateBranch]) -> Answer:
    """Create a branch from another one or from a commit. An empty repository gets its default branch first."""
    options = call.params
    rights = require_push(call)
    repository = open_repository(call)
    if not names.is_valid_branch(options.branch):
        raise Failure(400, "Branch name is invalid")
    if repository.is_empty() and _names_default_branch(call, options.ref):
        _make_default_branch(call, rights)
        if options.branch == call.project.default_branch:
            return present_branches(call, repository, [find_branch(repository, options.branch)])[0]
    if refs.find_branch(repository, options.branch) is not None:
        raise Failure(400, "Branch already exists")
    if (why := rights.refuse_branch(options.branch, creates=True)) is not None:
        raise Failure(400, why)
    start = revisions.find(repository, options.ref)
    with noted(call, repository, {names.BRANCHES + options.branch: start}) as note:
        head = refusing(lambda: _create(repository, options.branch, start or options.ref))
    announce_change(call, note, RefChange(names.BRANCHES + options.branch, ZERO_SHA, head))
    return present_branches(call, repository, [GitBranch(options.branch, head)])[0]


@routes.delete(MEMBER, guard=CHANGE_CODE)
def delete_branch(call: Call) -> Answer:
    """Delete a branch."""
    rights = require_push(call)
    repository = open_repository(call)
    branch = find_branch(repository, call.path["branch"])
    call.require_unmodified(objects.get_commit(repository, branch.commit_id).author.when)
    if (why := rights.refuse_branch_deletion(branch.name)) is not None:
        raise Failure(400, why)
    with noted(call, repository, {names.BRANCHES + branch.name: ZERO_SHA}) as note:
        try:
            refs.delete_branch(repository, branch.name, branch.commit_id)
        except (RefChanged, RefNotFound):
            raise Failure(400, "Failed to remove branch") from None
    announce_change(call, note, RefChange(names.BRANCHES + branch.name, branch.commit_id, ZERO_SHA))


@routes.delete("/projects/{id}/repository/merged_branches", guard=CHANGE_CODE, status=202, returns=MessageOnly)
def delete_merged_branches(call: Call) -> Answer:
    """Delete every branch that is merged into the default branch; protected branches stay."""
    require_push(call)
    call.require_unmodified(call.project.last_activity_at)
    repository = open_repository(call)
    rights = load_rights(call.conn, call.actor, call.project)
    head = refs.find_branch(repository, call.project.default_branch or "")
    merged = listing.merged_branches(repository, head) if head is not None else set()
    doomed = [
        branch
        for branch in listing.list_branches(repository)
        if branch.name in merged and branch.commit_id != head and not rights.protection.is_protected(branch.name)
    ]
    gone = []
    with noted(call, repository, {names.BRANCHES + branch.name: ZERO_SHA for branch in doomed}) as note:
        for branch in doomed:
            with suppress(RefChanged, RefNotFound):  # somebody pushed to it or deleted it meanwhile
                refs.delete_branch(repository, branch.name, branch.commit_id)
                gone.append(RefChange(names.BRANCHES + branch.name, branch.commit_id, ZERO_SHA))
    announce_change(call, note, *gone)
    return ACCEPTED


def _names_default_branch(call: Call[CreateBranch], ref: str) -> bool:
    name = call.project.default_branch
    return name is not None and ref in (name, names.BRANCHES + name, "HEAD")


def _make_default_branch(call: Call[CreateBranch], rights: PushRights) -> None:
    """Give an empty repository its default branch, with a README."""
    if (why := rights.refuse_branch(call.project.default_branch or "", creates=True)) is not None:
        raise Failure(400, why)
    refusing(lambda: initialize_with_readme(call.services, call.project, call.actor))


def _create(repository: Repository, name: str, revision: str) -> str:
    try:
        return refs.create_branch(repository, name, revision)
    except RefExists:
        raise Failure(400, "Branch already exists") from None
    except InvalidRefName:
        raise Failure(400, "Branch name is invalid") from None
    except RevisionNotFound:
        raise Failure(400, f"Failed to create branch '{name}': invalid reference name '{revision}'") from None


def find_branch(repository: Repository, name: str) -> GitBranch:
    """The branch of a path; 404 where there is none."""
    if not names.is_valid_ref(names.BRANCHES + name):
        raise Failure(400, "The branch refname is invalid")
    head = refs.find_branch(repository, name)
    if head is None:
        raise NotFound("Branch")
    return GitBranch(name, head)
