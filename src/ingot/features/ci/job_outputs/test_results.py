"""Test results, read from the JUnit reports of jobs when they are uploaded."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, delete, insert

from ingot.features.ci.engine import WholeJobRow
from ingot.features.ci.files import JUnitRefused, TestSuite, parse_junit, summarise
from ingot.features.ci.job_outputs.tables import pipeline_test_reports


def read_junit(name: str, contents: Sequence[bytes]) -> TestSuite:
    """The cases of a job's JUnit files; one that cannot be read becomes the suite's error."""
    try:
        return summarise(name, [case for content in contents for case in parse_junit(content)])
    except JUnitRefused as refusal:
        return summarise(name, (), str(refusal))


def record_junit(tx: Connection, job: WholeJobRow, suite: TestSuite) -> None:
    """Keep the cases of the JUnit report that a job uploaded."""
    forget_reports(tx, job.id)
    tx.execute(
        insert(pipeline_test_reports).values(
            job_id=job.id, pipeline_id=job.pipeline_id, report=msgspec.to_builtins(suite)
        )
    )


def forget_reports(tx: Connection, job_id: int) -> None:
    """The job's artifacts are gone, and its results with them."""
    tx.execute(delete(pipeline_test_reports).where(pipeline_test_reports.c.job_id == job_id))
