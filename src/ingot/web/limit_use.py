"""How much of the plan's limits is used, as far as it is counted: by the instance, or by the project with the most."""

from sqlalchemy import Column, ColumnElement, func, select

from ingot.features.ci.engine import ci_jobs
from ingot.features.ci.pipeline_schedules import pipeline_schedules
from ingot.web.call import PageCall

OPEN = ("created", "waiting_for_resource", "preparing", "pending", "running", "manual", "scheduled")


def limit_use(call: PageCall) -> list[tuple[str, int, int, str]]:
    """Names of limits with their values, what is used of each, and by whom."""
    limits = call.ask("/application/plan_limits", plan_name="default")
    variables = call.ask_rows("/admin/ci/variables", page="1", per_page="1").total or 0
    active = ci_jobs.c.status.in_(OPEN)
    return [
        ("ci_instance_level_variables", limits["ci_instance_level_variables"], variables, "by the instance"),
        ("ci_pipeline_schedules", limits["ci_pipeline_schedules"], _most(call, pipeline_schedules.c.project_id),
         "by the project with the most"),
        ("ci_active_jobs", limits["ci_active_jobs"], _most(call, ci_jobs.c.project_id, active),
         "by the project with the most"),
    ]  # fmt: skip


def _most(call: PageCall, project: Column[int], *conditions: ColumnElement[bool]) -> int:
    query = select(func.count()).where(*conditions).group_by(project).order_by(func.count().desc()).limit(1)
    return int(call.conn.execute(query.select_from(project.table)).scalar_one_or_none() or 0)
