"""Test reports of pipelines: the results of their jobs, added up."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, func, select

from ingot.access.subjects import Project
from ingot.features.ci.engine import ci_jobs
from ingot.features.ci.files import TestSuite
from ingot.features.ci.job_outputs import has_artifact_level, job_artifacts, pipeline_test_reports
from ingot.kit.actor import Actor
from ingot.kit.entity import Entity


class TestCaseShown(Entity):
    """One test."""

    __test__ = False
    status: str
    name: str
    classname: str | None
    file: str | None
    execution_time: float
    system_output: str | None
    stack_trace: str | None
    recent_failures: None
    attachment_url: str | None


class TestSuiteShown(Entity):
    """The tests of one job."""

    __test__ = False
    name: str
    total_time: float
    total_count: int
    success_count: int
    failed_count: int
    skipped_count: int
    error_count: int
    suite_error: str | None
    test_cases: list[TestCaseShown]


class TestReport(Entity):
    """All tests of a pipeline."""

    __test__ = False
    total_time: float
    total_count: int
    success_count: int
    failed_count: int
    skipped_count: int
    error_count: int
    test_suites: list[TestSuiteShown]


class Totals(Entity):
    """Totals of a pipeline."""

    time: float
    count: int
    success: int
    failed: int
    skipped: int
    error: int
    suite_error: str | None


class SuiteSummary(Entity):
    """Totals of one job."""

    name: str
    total_time: float
    total_count: int
    success_count: int
    failed_count: int
    skipped_count: int
    error_count: int
    build_ids: list[int]
    suite_error: str | None


class TestReportSummary(Entity):
    """Totals only."""

    __test__ = False
    total: Totals
    test_suites: list[SuiteSummary]


def _suites(conn: Connection, actor: Actor, project: Project, pipeline_id: int) -> list[tuple[int, TestSuite]]:
    """The reports that the actor may download: they quote the output of tests."""
    reports, junit = pipeline_test_reports, job_artifacts
    rows = conn.execute(
        select(ci_jobs.c.id, reports.c.report, func.coalesce(junit.c.accessibility, "private").label("accessibility"))
        .join_from(reports, ci_jobs, ci_jobs.c.id == reports.c.job_id)
        .outerjoin(junit, and_(junit.c.job_id == ci_jobs.c.id, junit.c.file_type == "junit"))
        .where(reports.c.pipeline_id == pipeline_id, ci_jobs.c.is_retried.is_(False))
        .order_by(ci_jobs.c.id)
    )
    readable = [row for row in rows if has_artifact_level(actor, project, row.accessibility)]
    return [(row.id, msgspec.convert(row.report, TestSuite)) for row in readable]


def report_of(conn: Connection, actor: Actor, project: Project, pipeline_id: int) -> TestReport:
    """Every case of every job of the pipeline."""
    suites = [suite for _, suite in _suites(conn, actor, project, pipeline_id)]
    return TestReport(
        **_sums(suites),
        test_suites=[msgspec.convert(msgspec.to_builtins(suite), TestSuiteShown) for suite in suites],
    )


def summary_of(conn: Connection, actor: Actor, project: Project, pipeline_id: int) -> TestReportSummary:
    """The totals of the pipeline and of each job."""
    readable = _suites(conn, actor, project, pipeline_id)
    sums = _sums([suite for _, suite in readable])
    total = Totals(
        time=sums["total_time"],
        count=sums["total_count"],
        success=sums["success_count"],
        failed=sums["failed_count"],
        skipped=sums["skipped_count"],
        error=sums["error_count"],
        suite_error=None,
    )
    suites = [
        SuiteSummary(
            name=suite.name,
            total_time=suite.total_time,
            total_count=suite.total_count,
            success_count=suite.success_count,
            failed_count=suite.failed_count,
            skipped_count=suite.skipped_count,
            error_count=suite.error_count,
            build_ids=[job_id],
            suite_error=suite.suite_error,
        )
        for job_id, suite in readable
    ]
    return TestReportSummary(total=total, test_suites=suites)


def _sums(suites: Sequence[TestSuite]) -> dict[str, Any]:
    names = ("total_time", "total_count", "success_count", "failed_count", "skipped_count", "error_count")
    return {name: sum(getattr(suite, name) for suite in suites) for name in names}
