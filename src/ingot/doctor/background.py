"""The examination as a background job: begun by administrators, one at a time, with a result that can be read."""

from functools import partial

import msgspec
from sqlalchemy import Connection

from ingot.doctor.examinations import EXAMINATIONS, Examination
from ingot.doctor.finding import Finding
from ingot.kit.changes import Change, report_change
from ingot.kit.errors import Conflict
from ingot.kit.jobs import JobView, Run, enqueue, find_job, job, list_results

KEY = "examination"
MOST = 200  # findings of one check that are kept
RUNS = "A check is already running."


class Check(msgspec.Struct, frozen=True):
    """What one check found; None as long as it has not ended."""

    name: str
    findings: list[Finding] | None
    beyond: int = 0  # further findings that were not kept


class LastExamination(msgspec.Struct, frozen=True):
    """The newest examination, as far as it has come."""

    job: JobView
    repairs: bool  # known when the first check has ended
    checks: list[Check]


@job("examination", long=True)
def examine_everything(run: Run, repair: bool) -> None:
    """Run the checks one after another; each is a step, whose result is what it found."""
    for number, (name, examination) in enumerate(EXAMINATIONS.items()):
        run.progress(done=number, total=len(EXAMINATIONS), label=name)
        run.step(name, partial(_findings, run, examination, repair))


def _findings(run: Run, examination: Examination, repair: bool) -> dict[str, object]:
    findings: list[Finding] = []
    beyond = 0
    for finding in examination(run.services, repair):
        run.check()
        if len(findings) < MOST:
            findings.append(finding)
        else:
            beyond += 1
    return {"findings": msgspec.to_builtins(findings), "beyond": beyond, "repair": repair}


def begin_examination(tx: Connection, *, repair: bool) -> int:
    """Queue one; returns the number of its job. A repair is written into the audit events."""
    last = find_job(tx, KEY)
    if last is not None and last.ended_at is None:
        raise Conflict(RUNS)
    number = enqueue(tx, "examination", key=KEY, args={"repair": repair})
    if repair:
        report_change(tx, Change("repair", "begin", number))
    return number


def last_examination(conn: Connection) -> LastExamination | None:
    """The newest one that is remembered."""
    last = find_job(conn, KEY)
    if last is None:
        return None
    results = list_results(conn, last.id)
    checks = [
        Check(name, msgspec.convert(result["findings"], list[Finding]), result["beyond"])
        if (result := results.get(name)) is not None
        else Check(name, None)
        for name in EXAMINATIONS
    ]
    return LastExamination(last, any(result["repair"] for result in results.values()), checks)
