"""Where jobs are in the line for a resource, for people who look at a job or at all groups of a project."""

from collections import Counter
from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, func, select

from ingot.features.ci.engine import HOLDING, JobRow, ci_jobs, order_in_line, resource_groups

WAITING = "waiting_for_resource"
MOST = 100  # waiting jobs that are looked at


class Holder(msgspec.Struct, frozen=True):
    """The job that has a resource."""

    id: int
    name: str


class ResourcePlace(msgspec.Struct, frozen=True):
    """A job in its resource group."""

    key: str
    holder: Holder | None  # another job, where this one does not have the resource
    has_it: bool
    before: int | None  # how many get it sooner; None for a job that is not in the line

    @property
    def words(self) -> str:
        """Why the job waits; empty where it does not wait for the resource."""
        if self.before is None:
            return ""
        others = "" if not self.before else f" {_jobs(self.before)} ahead of it."
        return f"Only one job of the resource group {self.key} runs at a time.{others or ' This job is next.'}"


class Line(msgspec.Struct, frozen=True):
    """Who has the resource of a group, and how many wait for it."""

    holder: Holder | None
    waiting: int


def resource_place(conn: Connection, job: JobRow) -> ResourcePlace | None:
    """Where a job is in its group; None for jobs without one."""
    if job.resource_group_id is None:
        return None
    group = conn.execute(
        select(resource_groups.c.key, resource_groups.c.process_mode).where(
            resource_groups.c.id == job.resource_group_id
        )
    ).one()
    if job.status in HOLDING:
        return ResourcePlace(group.key, None, has_it=True, before=None)
    holder = _holders(conn, [job.resource_group_id]).get(job.resource_group_id)
    return ResourcePlace(group.key, holder, has_it=False, before=_before(conn, job, group.process_mode))


def _before(conn: Connection, job: JobRow, mode: str) -> int | None:
    if job.status != WAITING:
        return None
    waiting = (ci_jobs.c.resource_group_id == job.resource_group_id) & (ci_jobs.c.status == WAITING)
    query = select(ci_jobs.c.id).where(waiting).order_by(*order_in_line(mode)).limit(MOST)
    ids = list(conn.execute(query).scalars())
    return ids.index(job.id) if job.id in ids else len(ids)


def resource_lines(conn: Connection, group_ids: Sequence[int]) -> dict[int, Line]:
    """The lines of several groups."""
    if not group_ids:
        return {}
    holders, table = _holders(conn, group_ids), ci_jobs.c
    query = (
        select(table.resource_group_id, func.count())
        .where(table.resource_group_id.in_(group_ids), table.status == WAITING)
        .group_by(table.resource_group_id)
    )
    waiting = Counter({row[0]: row[1] for row in conn.execute(query)})
    return {number: Line(holders.get(number), waiting[number]) for number in group_ids}


def _holders(conn: Connection, group_ids: Sequence[int]) -> dict[int, Holder]:
    table = ci_jobs.c
    query = select(table.resource_group_id, table.id, table.name).where(
        table.resource_group_id.in_(group_ids), table.status.in_(HOLDING)
    )
    return {row[0]: Holder(*row[1:]) for row in conn.execute(query)}


def _jobs(number: int) -> str:
    if number == 1:
        return "One job is"
    return f"{number} jobs are" if number < MOST else f"{MOST} jobs or more are"
