"""Opening a merge request."""

from datetime import datetime

import msgspec
from sqlalchemy import Connection, insert, select

from ingot.access.subjects import Project
from ingot.features.people.event_log import record_event
from ingot.features.planning.issuable_changes import snapshot
from ingot.features.planning.issuables import Target, count_tasks, is_draft, text_problems
from ingot.features.planning.todos import follow
from ingot.features.review.merge_requests.commands import people
from ingot.features.review.merge_requests.tables import (
    merge_request_assignees,
    merge_request_reviewers,
    merge_requests,
)
from ingot.features.spaces.projects import project_settings
from ingot.gitstore.names import is_valid_branch
from ingot.kit.actor import Actor
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.counters import next_value
from ingot.kit.errors import Invalid, Texts


class NewMergeRequest(msgspec.Struct):
    """What the author asked for."""

    title: str
    source_branch: str
    target_branch: str
    description: str | None = None
    squash: bool | None = None
    remove_source_branch: bool | None = None
    allow_collaboration: bool = False
    merge_after: datetime | None = None
    assignee_ids: list[int] = msgspec.field(default_factory=list)
    reviewer_ids: list[int] = msgspec.field(default_factory=list)
    labels: list[str] | None = None
    add_labels: list[str] = msgspec.field(default_factory=list)
    remove_labels: list[str] = msgspec.field(default_factory=list)
    milestone_id: int | None = None
    approvals_before_merge: int | None = None
    manages: bool = False  # the caller may set people, labels and milestone
    creates_labels: bool = False
    is_paid: bool = False  # many assignees, and scoped labels


def branch_problems(name: str, key: str, *, exists: bool) -> dict[str, list[str]]:
    """What is wrong with a branch."""
    if not name:
        return {key: ["can't be blank", "is invalid"]}
    if not is_valid_branch(name):
        return {key: ["is invalid"]}
    return {} if exists else {key: ["does not exist"]}


def refuse_duplicate(tx: Connection, source_id: int | None, source: str, target_id: int, target: str) -> None:
    """Only one open request may exist for the same branches."""
    duplicate = tx.execute(
        select(merge_requests.c.iid).where(
            merge_requests.c.source_project_id == source_id,
            merge_requests.c.source_branch == source,
            merge_requests.c.project_id == target_id,
            merge_requests.c.target_branch == target,
            merge_requests.c.state == "opened",
        )
    ).first()
    if duplicate is not None:
        raise Texts(409, [f"Another open merge request already exists for this source branch: !{duplicate.iid}"])


def create_merge_request(
    tx: Connection, actor: Actor, source: Project, target: Project, options: NewMergeRequest
) -> int:
    """Store the request; git is looked at right after, by `check`. Returns its id."""
    if problems := text_problems(options.title, options.description):
        raise Invalid(problems)
    # Take the number first: concurrent requests wait for it, and then see this one as a duplicate.
    iid = next_value(tx, f"project:{target.id}", "merge_requests")
    refuse_duplicate(tx, source.id, options.source_branch, target.id, options.target_branch)
    moment = now()
    tasks, done = count_tasks(options.description)
    option = project_settings(target).squash_option
    squash = options.squash if options.squash is not None else option in ("always", "default_on")
    created = tx.execute(
        insert(merge_requests)
        .values(
            iid=iid,
            project_id=target.id,
            source_project_id=source.id,
            source_branch=options.source_branch,
            target_branch=options.target_branch,
            author_id=actor.id,
            title=options.title.strip(),
            description=options.description,
            is_draft=is_draft(options.title.strip()),
            squash=squash,
            force_remove_source_branch=options.remove_source_branch,
            allow_collaboration=options.allow_collaboration,
            merge_after=options.merge_after,
            approvals_before_merge=options.approvals_before_merge,
            merge_status="unchecked",
            task_count=tasks,
            task_completed_count=done,
            created_at=moment,
            updated_at=moment,
        )
        .returning(merge_requests.c.id)
    ).scalar_one()
    if options.manages:
        _add_people(tx, target, created, options)
    record_event(tx, "created", target.id, actor.user_id, ("MergeRequest", created), moment)
    place = Target("MergeRequest", created, target.id)
    opened = snapshot(tx, place)
    follow(tx, place, actor.user_id, None, opened)
    details = {"created": opened}
    change = Change("merge_request", "create", created, project_id=target.id, user_id=actor.user_id, details=details)
    report_change(tx, change)
    return int(created)


def _add_people(tx: Connection, target: Project, merge_request_id: int, options: NewMergeRequest) -> None:
    most = None if options.is_paid else 1
    chosen = people.acceptable(tx, target, options.assignee_ids[:most])
    people.set_people(tx, merge_request_assignees, merge_request_id, chosen)
    reviewers = people.acceptable(tx, target, options.reviewer_ids[:most])
    people.set_people(tx, merge_request_reviewers, merge_request_id, reviewers)
    people.set_labels(
        tx,
        target,
        merge_request_id,
        labels_given=options.labels or [],
        add=options.add_labels,
        remove=options.remove_labels,
        may_create=options.creates_labels,
        scoped=options.is_paid,
    )
    if options.milestone_id and (milestone := people.find_milestone(tx, target, options.milestone_id)) is not None:
        tx.execute(
            merge_requests.update().where(merge_requests.c.id == merge_request_id).values(milestone_id=milestone)
        )
