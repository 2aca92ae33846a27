"""Pipelines with their stages and jobs, and schedules. Nothing imported starts automatically."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select

from ingot.features.ci.engine import CommitRecord, pipelines, record_of
from ingot.features.ci.pipeline_schedules import pipeline_schedules
from ingot.features.review.merge_requests import merge_requests
from ingot.features.transfer.project_imports.builders.ci_jobs import build_job, ended
from ingot.features.transfer.project_imports.builders.notes import SOURCE, build_commit_note
from ingot.features.transfer.project_imports.builders.numbers import mark_unnumbered, take_number
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import (
    flag,
    iid,
    moment,
    moment_or,
    number,
    one,
    records,
    sha,
    text,
)
from ingot.gitstore import GitError, objects

ZERO = "0" * 40
MODELLED = frozenset(
    [
        "iid",
        "ref",
        "sha",
        "before_sha",
        "tag",
        "status",
        "source",
        "failure_reason",
        "yaml_errors",
        "committed_at",
        "started_at",
        "finished_at",
        "duration",
        "user_id",
        "protected",
        "project_id",
        "created_at",
        "updated_at",
        "stages",
        "merge_request",
        "pipeline_metadata",
        "statuses",
        "notes",
    ]
)
LISTS = {"statuses": "build", "builds": "build", "generic_commit_statuses": "external", "bridges": "bridge"}


def build(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `ci_pipelines`."""
    archived_iid = iid(record)
    if context.skips_existing and archived_iid is not None and archived_iid in context.existing_iids:
        return
    given = take_number(context, tx, pipelines, "pipelines", archived_iid)
    created = moment_or(record, "created_at", context.started)
    commit = sha(record, "sha") or ZERO
    stages = sorted(records(record, "stages"), key=lambda stage: number(stage, "position") or 0)
    created_row = tx.execute(
        insert(pipelines)
        .values(
            iid=given,
            project_id=context.project.id,
            user_id=context.people.of(record.get("user_id")),
            name=(one(record, "pipeline_metadata") or {}).get("name"),
            ref=text(record, "ref", longest=1024) or "",
            is_tag=flag(record, "tag"),
            is_protected=flag(record, "protected"),
            sha=commit,
            before_sha=sha(record, "before_sha") or ZERO,
            source=record.get("source") if isinstance(record.get("source"), str) else "unknown",
            status=ended(record),
            failure_reason=record.get("failure_reason") if isinstance(record.get("failure_reason"), str) else None,
            yaml_errors=text(record, "yaml_errors"),
            merge_request_id=_merge_request(context, tx, record),
            is_locked=False,
            variables=[],
            stages=[str(stage.get("name") or "test") for stage in stages],
            commit=_commit(context, commit, record),
            duration=number(record, "duration"),
            committed_at=moment(record, "committed_at"),
            started_at=moment(record, "started_at"),
            finished_at=moment(record, "finished_at"),
            created_at=created,
            updated_at=moment_or(record, "updated_at", created),
        )
        .returning(pipelines.c.id)
    ).scalar_one()
    for order, stage in enumerate(stages):
        position = number(stage, "position")
        index = position if position is not None and 0 <= position < 2**15 else order
        for key, kind in LISTS.items():
            for job in records(stage, key):
                build_job(context, tx, created_row, record, stage, index, kind, job)
    for note in records(record, "notes"):  # old archives hold the notes on commits here
        with context.sparing(tx, SOURCE):
            build_commit_note(context, tx, note)
    bare = [stage for stage in stages if not any(records(stage, key) for key in LISTS)]
    children = context.rest_of("stages", [stage for stage in stages if stage not in bare])
    context.keep_rest(tx, "ci_pipelines", created_row, {**record, "bare_stages": bare}, MODELLED, children)
    if archived_iid is None:
        mark_unnumbered(context, tx, "pipelines", created_row)


def _merge_request(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> int | None:
    child = one(record, "merge_request")
    if child is None:
        return None
    query = select(merge_requests.c.id).where(
        merge_requests.c.project_id == context.project.id, merge_requests.c.iid == iid(child)
    )
    return tx.execute(query).scalar_one_or_none()


def _commit(context: ImportContext, commit: str, record: Mapping[str, object]) -> dict[str, Any]:
    """The commit record: from git, else an empty one."""
    try:
        if context.repository.find_object(commit) is not None:
            result: dict[str, Any] = msgspec.to_builtins(record_of(objects.get_commit(context.repository, commit)))
            return result
    except GitError:
        pass
    when = moment_or(record, "created_at", context.started)
    blank = CommitRecord(
        id=commit,
        parent_ids=[],
        title="",
        message="",
        author_name="",
        author_email="",
        authored_date=when,
        committer_name="",
        committer_email="",
        committed_date=when,
        trailers={},
        extended_trailers={},
    )
    return dict(msgspec.to_builtins(blank))


SCHEDULE = frozenset(
    [
        "description",
        "ref",
        "cron",
        "cron_timezone",
        "next_run_at",
        "active",
        "inputs",
        "owner_id",
        "project_id",
        "created_at",
        "updated_at",
    ]
)


def build_schedule(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `pipeline_schedules`; it belongs to the importer and is inactive."""
    created = moment_or(record, "created_at", context.started)
    created_row = tx.execute(
        insert(pipeline_schedules)
        .values(
            project_id=context.project.id,
            owner_id=context.people.importer_id,
            description=text(record, "description", required=True),
            ref=text(record, "ref", required=True),
            cron=text(record, "cron", required=True),
            cron_timezone=text(record, "cron_timezone") or "UTC",
            active=False,
            inputs=[one for one in records(record, "inputs") if isinstance(one.get("name"), str)],
            next_run_at=moment(record, "next_run_at"),
            created_at=created,
            updated_at=moment_or(record, "updated_at", created),
        )
        .returning(pipeline_schedules.c.id)
    ).scalar_one()
    context.keep_rest(tx, "pipeline_schedules", created_row, record, SCHEDULE)
