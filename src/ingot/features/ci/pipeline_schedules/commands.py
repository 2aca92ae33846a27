"""Creating, changing and running schedules."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select, update

from ingot.features.ci.engine import PipelineOptions, PipelineRefused, create_pipeline, find_ref, pipelines, project_as
from ingot.features.ci.pipeline_schedules.rows import PipelineScheduleRow, ScheduleVariableRow
from ingot.features.ci.pipeline_schedules.tables import pipeline_schedule_variables, pipeline_schedules
from ingot.features.ci.variables import read_given
from ingot.features.instance.plan_limits import limit_of
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import GitError
from ingot.kit.clock import now
from ingot.kit.cron import BadCron, find_zone, parse_cron
from ingot.kit.errors import Invalid, NotFound
from ingot.kit.patterns import ALPHANUMERIC, consists_of
from ingot.kit.sealing import seal
from ingot.kit.services import Services


def get_schedule(conn: Connection, project_id: int, schedule_id: int) -> PipelineScheduleRow:
    """A schedule of the project."""
    table = pipeline_schedules
    row = conn.execute(select(table).where(table.c.project_id == project_id, table.c.id == schedule_id)).one_or_none()
    if row is None:
        raise NotFound("Pipeline Schedule")
    return row


def next_run(cron: str, zone_name: str, after: datetime) -> datetime | None:
    """When the schedule runs next."""
    zone = find_zone(zone_name)
    return None if zone is None else parse_cron(cron).next_after(after, zone)


def check(texts: Mapping[str, str]) -> None:
    """The texts of a schedule; all problems at once."""
    problems: dict[str, list[str]] = {}
    for name in ("description", "ref", "cron", "cron_timezone"):
        if name in texts and not (texts[name] or "").strip():
            problems[name] = ["can't be blank"]
    if len(texts.get("description") or "") > 255:
        problems["description"] = ["is too long (maximum is 255 characters)"]
    if "cron" in texts and "cron" not in problems:
        try:
            parse_cron(texts["cron"][:256])
        except BadCron:
            problems["cron"] = ["is invalid syntax"]
        if len(texts["cron"]) > 255:
            problems["cron"] = ["is invalid syntax"]
    if "cron_timezone" in texts and "cron_timezone" not in problems and find_zone(texts["cron_timezone"]) is None:
        problems["cron_timezone"] = ["is invalid syntax"]
    if problems:
        raise Invalid(problems)


def create(tx: Connection, project_id: int, owner_id: int, values: Mapping[str, object]) -> int:
    """A new schedule, within the limit of the plan."""
    limit = limit_of(tx, "ci_pipeline_schedules")
    counted = select(func.count()).where(pipeline_schedules.c.project_id == project_id)
    if 0 < limit <= int(tx.execute(counted).scalar_one()):
        raise Invalid({"base": [f"Maximum number of ci pipeline schedules ({limit}) exceeded"]})
    moment = now()
    created = tx.execute(
        insert(pipeline_schedules)
        .values(
            project_id=project_id,
            owner_id=owner_id,
            next_run_at=next_run(str(values["cron"]), str(values["cron_timezone"]), moment),
            created_at=moment,
            updated_at=moment,
            **values,
        )
        .returning(pipeline_schedules.c.id)
    ).scalar_one()
    return int(created)


def change(tx: Connection, row: PipelineScheduleRow, values: Mapping[str, object]) -> None:
    """Change what was sent; the next run is computed anew after a change of expression, zone or activation."""
    if values.keys() & {"cron", "cron_timezone", "active"}:
        cron, zone = str(values.get("cron", row.cron)), str(values.get("cron_timezone", row.cron_timezone))
        values = {**values, "next_run_at": next_run(cron, zone, now())}
    values = {**values, "updated_at": now()}
    tx.execute(update(pipeline_schedules).where(pipeline_schedules.c.id == row.id).values(**values))


def remove(tx: Connection, schedule_id: int) -> None:
    """Delete a schedule; its pipelines stay."""
    tx.execute(delete(pipeline_schedules).where(pipeline_schedules.c.id == schedule_id))


def get_variable(conn: Connection, schedule_id: int, key: str) -> ScheduleVariableRow:
    """A variable of a schedule."""
    table = pipeline_schedule_variables
    row = conn.execute(select(table).where(table.c.schedule_id == schedule_id, table.c.key == key)).one_or_none()
    if row is None:
        raise NotFound("Pipeline Schedule Variable")
    return row


def add_variable(tx: Connection, services: Services, schedule_id: int, key: str, value: str, kind: str) -> int:
    """A new variable of a schedule."""
    table = pipeline_schedule_variables
    if not consists_of(key, f"{ALPHANUMERIC}_") or len(key) > 255:
        raise Invalid({"key": ["can contain only letters, digits and '_'."]})
    if tx.execute(select(table.c.id).where(table.c.schedule_id == schedule_id, table.c.key == key)).first():
        raise Invalid({"key": ["has already been taken"]})
    created = tx.execute(
        insert(table)
        .values(schedule_id=schedule_id, key=key, sealed_value=seal(services, value), variable_type=kind)
        .returning(table.c.id)
    ).scalar_one()
    return int(created)


def run(services: Services, schedule_id: int, user_id: int | None) -> int | None:
    """Start the pipeline of a schedule for this person; None when there is nothing to start."""
    with services.db.read() as conn:
        row = conn.execute(select(pipeline_schedules).where(pipeline_schedules.c.id == schedule_id)).one_or_none()
        if row is None:
            return None
        actor, project = project_as(conn, user_id, row.project_id)
        table = pipeline_schedule_variables
        given = [
            read_given(services, one)
            for one in conn.execute(select(table).where(table.c.schedule_id == schedule_id).order_by(table.c.id))
        ]
    if project is None:
        return None
    ref = find_ref(repository_of(services, project), row.ref)
    if ref is None:
        return None
    options = PipelineOptions(
        source="schedule",
        ref=ref,
        variables=given,
        inputs={one["name"]: one["value"] for one in row.inputs},
        schedule_id=row.id,
        schedule_description=row.description,
        saves_failures=True,
    )
    try:
        created = create_pipeline(services, actor, project, options)
    except (PipelineRefused, GitError):
        return None
    with services.db.write() as tx:
        tx.execute(
            update(pipeline_schedules).where(pipeline_schedules.c.id == schedule_id).values(last_pipeline_id=created)
        )
    return created


def has_run_since(services: Services, schedule_id: int, moment: datetime) -> bool:
    """A pipeline of the schedule was made at or after this time."""
    query = select(pipelines.c.id).where(pipelines.c.schedule_id == schedule_id, pipelines.c.created_at >= moment)
    with services.db.read() as conn:
        return conn.execute(query.limit(1)).first() is not None


def claim_due(tx: Connection, moment: datetime) -> list[tuple[int, int | None]]:
    """The schedules that are due, each moved to its next run so that nobody runs it twice."""
    rows = tx.execute(
        select(pipeline_schedules)
        .where(pipeline_schedules.c.active.is_(True), pipeline_schedules.c.next_run_at <= moment)
        .order_by(pipeline_schedules.c.next_run_at)
        .limit(100)
        .with_for_update(key_share=True)
    ).all()
    for row in rows:
        later = next_run(row.cron, row.cron_timezone, max(moment, row.next_run_at + timedelta(seconds=1)))
        tx.execute(update(pipeline_schedules).where(pipeline_schedules.c.id == row.id).values(next_run_at=later))
    return [(row.id, row.owner_id) for row in rows]
