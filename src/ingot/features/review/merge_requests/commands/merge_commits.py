"""Creating the commits of a merge: merge commit, fast-forward or squash; and their messages."""

import msgspec
from sqlalchemy import Connection, bindparam, select

from ingot.features.code.pushing import Note
from ingot.features.review.merge_requests import closing, messages, queries, states
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.extensions import approvers_of
from ingot.features.review.merge_requests.merge_options import MergeOptions
from ingot.features.review.merge_requests.mergeability import settings_of
from ingot.features.review.merge_requests.present import squashes_on_merge
from ingot.features.review.merge_requests.rows import MergeRequestWithProject, SignerRow
from ingot.features.review.merge_requests.tables import merge_request_reviewers
from ingot.features.spaces.projects import ProjectSettings
from ingot.gitstore import GitError, Person, Repository, objects, refs
from ingot.gitstore.errors import PassingFault
from ingot.gitstore.fast_forward import fast_forward
from ingot.gitstore.merge_commit import merge_commit
from ingot.gitstore.squash import squash
from ingot.identity.tables import users
from ingot.kit.services import Services

MUST_SQUASH = "This project requires squashing commits when merge requests are accepted."
UPDATED = "Branch has been updated since the merge was requested. Please review the changes."
FF_ONLY = "Only fast-forward merge is allowed for your project. Please update your source branch"
CONFLICT = "Merge request is not mergeable"
SQUASH_FAILED = "Squashing failed: Squash the commits locally, resolve any conflicts, then push the branch."


class MergeFailed(Exception):
    """The merge itself failed; the sentence is stored on the request."""


class MergedCommits(msgspec.Struct, frozen=True):
    """The commits of a merge and where the target goes."""

    new_target: str
    old_target: str
    merge_commit: str | None
    squash_commit: str | None
    note: Note | None = None


def make_commits(
    services: Services, repository: Repository, row: MergeRequestWithProject, user_id: int, options: MergeOptions
) -> MergedCommits:
    """Create the commits for the target, by the project's method; no ref points to them yet."""
    settings = settings_of(row)
    target = refs.find_branch(repository, row.target_branch)
    if target is None or row.head_sha is None:
        raise MergeFailed("No source for merge")
    if options.sha is not None and options.sha != row.head_sha:
        raise MergeFailed(UPDATED)
    if settings.squash_option == "always" and not row.squash:
        raise MergeFailed(MUST_SQUASH)
    with services.db.read() as conn:
        if queries.state_of(conn, row.id) not in (states.OPENED, states.LOCKED):
            raise MergeFailed(CONFLICT)  # merged or closed by somebody else in the meantime
        facts, people = _facts(conn, services, row, user_id, options.url)
    squashed = (
        _squash(repository, target, row.head_sha, options, settings, facts, people)
        if squashes_on_merge(row, settings)
        else None
    )
    source = squashed or row.head_sha
    if settings.merge_method == "ff":
        return MergedCommits(_fast_forward(repository, target, source, row.head_sha), target, None, squashed)
    if settings.merge_method == "rebase_merge" and not objects.is_ancestor(repository, target, row.head_sha):
        raise MergeFailed(CONFLICT)
    text = (options.merge_commit_message or "").strip() or messages.merge_message(facts, settings.merge_commit_template)
    created = merge_commit(repository, target, source, text, people[1])
    return MergedCommits(created, target, created, squashed)


def _fast_forward(repository: Repository, target: str, source: str, head: str) -> str:
    try:
        if source != head and not objects.is_ancestor(repository, target, head):
            raise MergeFailed(FF_ONLY)
        return fast_forward(repository, target, source)
    except PassingFault:
        raise
    except GitError:
        raise MergeFailed(FF_ONLY) from None


def _squash(
    repository: Repository,
    target: str,
    head: str,
    options: MergeOptions,
    settings: ProjectSettings,
    facts: messages.MessageFacts,
    people: tuple[Person, Person],
) -> str:
    text = (options.squash_commit_message or "").strip() or messages.squash_message(
        facts, settings.squash_commit_template
    )
    try:
        return squash(repository, target, head, text, people[0], people[1])
    except PassingFault:
        raise
    except GitError:
        raise MergeFailed(SQUASH_FAILED) from None


_PEOPLE = select(users.c.id, users.c.name, users.c.commit_email, users.c.email).where(
    users.c.id.in_(bindparam("ids", expanding=True))
)
_REVIEWERS = (
    select(merge_request_reviewers.c.user_id)
    .where(merge_request_reviewers.c.merge_request_id == bindparam("id"))
    .order_by(merge_request_reviewers.c.created_at, merge_request_reviewers.c.position)
)


def _facts(
    conn: Connection, services: Services, row: MergeRequestWithProject, user_id: int, url: str
) -> tuple[messages.MessageFacts, tuple[Person, Person]]:
    """The values of message templates, with the author and the merging user as git persons."""
    commits = check.commits_of(services, row)
    own_ids = {row.author_id or 0, user_id}
    reviewers = list(conn.execute(_REVIEWERS, {"id": row.id}).scalars())
    approvers = approvers_of(conn, row.id)
    rows = conn.execute(_PEOPLE, {"ids": list({*own_ids, *reviewers, *approvers})})
    named = {user.id: user for user in rows}

    def name(user_id: int | None) -> str:
        user = named.get(user_id)
        return f"{user.name} <{user.commit_email or user.email}>" if user is not None else ""

    def person(user: SignerRow) -> Person:
        return Person.now(user.name, user.commit_email or user.email)

    author, merger = named.get(row.author_id), named[user_id]
    facts = messages.MessageFacts(
        row=row,
        url=url,
        issues=closing.closing_references(conn, row, commits),
        commits=commits,
        author=name(row.author_id),
        merged_by=name(user_id),
        reviewers=[name(user_id) for user_id in reviewers if user_id in named],
        approvers=[name(user_id) for user_id in approvers if user_id in named],
        squash_author_email=(author.commit_email or author.email) if author is not None else "",
    )
    return facts, (person(author or merger), person(merger))
