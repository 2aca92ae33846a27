"""Merging now. What is about to happen is written first, then the ref moves, then the row follows.

The ref is the truth: a crash in between leaves the request `locked` with the commit it was about to bring in, and
`repair` looks at the target branch and finishes or undoes it.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from ingot.features.code.pushing import Note, note_push, tick_off_merge
from ingot.features.review.merge_requests import closing, messages, queries, states
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.commands.update import record_event
from ingot.features.review.merge_requests.errors import BranchCannotBeMerged
from ingot.features.review.merge_requests.extensions import approvers_of
from ingot.features.review.merge_requests.merge_options import MergeOptions
from ingot.features.review.merge_requests.mergeability import settings_of
from ingot.features.review.merge_requests.present import squashes_on_merge
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject, SignerRow
from ingot.features.review.merge_requests.tables import merge_request_reviewers, merge_requests
from ingot.features.spaces.projects import ProjectSettings
from ingot.gitstore import GitError, Person, Repository, objects, refs
from ingot.gitstore.errors import LockTimeout, PassingFault, RefChanged
from ingot.gitstore.fast_forward import fast_forward
from ingot.gitstore.merge_commit import merge_commit
from ingot.gitstore.names import branch_ref
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.squash import squash
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.services import Services

MUST_SQUASH = "This project requires squashing commits when merge requests are accepted."
UPDATED = "Branch has been updated since the merge was requested. Please review the changes."
FF_ONLY = "Only fast-forward merge is allowed for your project. Please update your source branch"
CONFLICT = "Merge request is not mergeable"
SQUASH_FAILED = "Squashing failed: Squash the commits locally, resolve any conflicts, then push the branch."
TRIES = 5


class MergeFailed(Exception):
    """The merge itself failed; the sentence is stored on the request."""


@dataclass(frozen=True, slots=True)
class MergedCommits:
    """The commits of a merge and where the target goes."""

    new_target: str
    old_target: str
    merge_commit: str | None
    squash_commit: str | None
    note: Note | None = None


def merge(services: Services, row: MergeRequestWithProject, user_id: int, options: MergeOptions) -> MergedCommits:
    """Merge an open, checked request, or store why not and raise 422."""
    repository = check.target_repository(services, row)
    try:
        with repository.lock():
            return _merge_locked(services, repository, row, user_id, options)
    except MergeFailed as failure:
        sentence = str(failure)
    except LockTimeout:
        sentence = "An error occurred while merging"
    except PassingFault:  # nothing is wrong with the request
        raise
    except GitError as error:
        sentence = error.message
    _store_error(services, row.id, sentence)
    raise BranchCannotBeMerged("merge_failed", sentence)


def _merge_locked(
    services: Services, repository: Repository, row: MergeRequestWithProject, user_id: int, options: MergeOptions
) -> MergedCommits:
    is_ours = False  # a request that a crash left locked is for `repair` to judge
    try:
        for _ in range(TRIES):
            created = _make_commits(services, repository, row, user_id, options)
            note = _lock(services, row, user_id, created, again=is_ours)
            is_ours = True
            with suppress(RefChanged):  # somebody pushed meanwhile: look again
                refs.update(
                    repository, [RefUpdate(branch_ref(row.target_branch), created.new_target, created.old_target)]
                )
                with services.db.write() as tx:
                    finish(tx, row, user_id)
                return replace(created, note=note)
        raise MergeFailed(UPDATED)
    except (MergeFailed, GitError):
        if is_ours:
            _unlock(services, row.id)
        raise


_LOCK = (
    update(merge_requests)
    .where(
        merge_requests.c.id == bindparam("request_id"),
        merge_requests.c.state == bindparam("expected"),
        # Approvals were counted for this head and target, and for no other.
        merge_requests.c.head_sha == bindparam("checked_head"),
        merge_requests.c.target_branch == bindparam("checked_target"),
    )
    .values(state=states.LOCKED)
)


def _lock(services: Services, row: MergeRequestRow, user_id: int, created: MergedCommits, *, again: bool) -> Note:
    """Write down what is about to happen; only an open request can be taken."""
    with services.db.write() as tx:
        values = {
            "request_id": row.id,
            "expected": states.LOCKED if again else states.OPENED,
            "checked_head": row.head_sha,
            "checked_target": row.target_branch,
            "locked_at": now(),
            "in_progress_merge_sha": created.new_target,
            "merge_commit_sha": created.merge_commit,
            "squash_commit_sha": created.squash_commit,
            "merged_by_id": user_id,
        }
        taken = tx.execute(_LOCK, values)
        if taken.rowcount == 0:
            raise MergeFailed(CONFLICT)
        if again:
            tick_off_merge(tx, row.id)
        target = branch_ref(row.target_branch)
        before, after = {target: created.old_target}, {target: created.new_target}
        return note_push(tx, row.project_id, user_id, before, after, merge_request_id=row.id)


def _make_commits(
    services: Services, repository: Repository, row: MergeRequestWithProject, user_id: int, options: MergeOptions
) -> MergedCommits:
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
            raise MergeFailed(CONFLICT)  # somebody else merged or closed it before it was our turn
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
    .order_by(merge_request_reviewers.c.created_at)
)


def _facts(
    conn: Connection, services: Services, row: MergeRequestWithProject, user_id: int, url: str
) -> tuple[messages.MessageFacts, tuple[Person, Person]]:
    """What messages are made of, and the author of the request and whoever merges as git persons."""
    commits = check.commits_of(services, row)
    wanted = {row.author_id or 0, user_id}
    reviewers = list(conn.execute(_REVIEWERS, {"id": row.id}).scalars())
    approvers = approvers_of(conn, row.id)
    rows = conn.execute(_PEOPLE, {"ids": list({*wanted, *reviewers, *approvers})})
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


_other = merge_requests.alias()
_EARLIER = select(_other.c.id).where(
    _other.c.project_id == bindparam("in_project"),
    _other.c.author_id == bindparam("by_author"),
    _other.c.state == states.MERGED,
    _other.c.id != bindparam("request_id"),
)
_FINISH = (
    update(merge_requests)
    .where(merge_requests.c.id == bindparam("request_id"))
    .values(
        state=states.MERGED,
        merge_status=states.CAN_BE_MERGED,
        merge_error=None,
        in_progress_merge_sha=None,
        locked_at=None,
        closed_at=None,
        closed_by_id=None,
        first_contribution=~_EARLIER.exists(),
    )
)


def finish(tx: Connection, row: MergeRequestRow, user_id: int | None, *, merge_commit_sha: str | None = None) -> None:
    """The target holds the work: the request is merged."""
    moment = now()
    values: dict[str, Any] = {"request_id": row.id, "in_project": row.project_id, "by_author": row.author_id}
    values |= {"merged_at": moment, "merged_by_id": user_id, "updated_at": moment}
    if merge_commit_sha is not None:
        values["merge_commit_sha"] = merge_commit_sha
    tx.execute(_FINISH, values)
    record_event(tx, row.id, user_id, "merged")


NOT_MERGED: dict[str, Any] = {
    "state": states.OPENED,
    "locked_at": None,
    "in_progress_merge_sha": None,
    "merge_commit_sha": None,
    "squash_commit_sha": None,
    "merged_by_id": None,
}


def _unlock(services: Services, merge_request_id: int) -> None:
    """What was taken is open again."""
    with services.db.write() as tx:
        here = (merge_requests.c.id == merge_request_id) & (merge_requests.c.state == states.LOCKED)
        tx.execute(update(merge_requests).where(here).values(NOT_MERGED))
        tick_off_merge(tx, merge_request_id)


def _store_error(services: Services, merge_request_id: int, sentence: str) -> None:
    """Why it was not merged."""
    with services.db.write() as tx:
        here = (merge_requests.c.id == merge_request_id) & (merge_requests.c.state == states.OPENED)
        tx.execute(update(merge_requests).where(here).values(merge_error=sentence))


def repair(services: Services, conn: Connection, row: MergeRequestWithProject) -> MergeRequestWithProject:
    """A request left `locked` by a crash: merged where the target has the commit, otherwise open again."""
    if row.state != states.LOCKED:
        return row
    repository = check.target_repository(services, row)
    try:
        with repository.lock(seconds=0.05):  # whoever merges right now holds it
            fresh = queries.find_by_id(conn, row.id)
            if fresh is None or fresh.state != states.LOCKED:
                return fresh or row
            target = refs.find_branch(repository, fresh.target_branch)
            wanted = fresh.in_progress_merge_sha
            arrived = (
                target is not None
                and wanted is not None
                and repository.find_object(wanted) is not None
                and objects.is_ancestor(repository, wanted, target)
            )
            with services.db.write() as tx:
                if arrived:
                    finish(tx, fresh, fresh.merged_by_id)
                else:
                    tx.execute(update(merge_requests).where(merge_requests.c.id == row.id).values(NOT_MERGED))
    except LockTimeout:
        return row
    return queries.get_by_id(conn, row.id)
