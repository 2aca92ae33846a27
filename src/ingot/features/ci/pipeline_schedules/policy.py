"""Who may change pipeline schedules."""

from ingot.access.levels import DEVELOPER, MAINTAINER
from ingot.access.subjects import Project
from ingot.features.ci.pipeline_schedules.rows import PipelineScheduleRow
from ingot.kit.actor import Actor


def may_change(actor: Actor, project: Project, schedule: PipelineScheduleRow) -> bool:
    """Maintainers all schedules, developers their own."""
    is_own = schedule.owner_id == actor.user_id and project.level >= DEVELOPER
    return is_own or actor.is_admin or project.level >= MAINTAINER


def may_take_ownership(actor: Actor, project: Project, schedule: PipelineScheduleRow) -> bool:
    """Maintainers, and the current owner."""
    return schedule.owner_id == actor.user_id or actor.is_admin or project.level >= MAINTAINER
