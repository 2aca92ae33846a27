"""Finding runners: those of a person, a project, a group or the instance, with the filters of the lists."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, cast, exists, func, literal, or_, select, true

from ingot.access.call import Call
from ingot.access.levels import MAINTAINER, OWNER
from ingot.access.subjects import Project
from ingot.access.tables import group_authorizations, namespace_ancestors, project_authorizations
from ingot.features.ci.runners.contact import ONLINE, STALE
from ingot.features.ci.runners.params import ListRunners
from ingot.features.ci.runners.rows import RunnerManagerRow, RunnerRow
from ingot.features.ci.runners.tables import runner_groups, runner_managers, runner_projects, runners
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.entity import by_key
from ingot.kit.errors import NotFound

_SCOPES = {"specific": ("group_type", "project_type"), "shared": ("instance_type",)}


def get_runner(conn: Connection, runner_id: int) -> RunnerRow:
    """A runner by id; 404 for an unknown one."""
    row = conn.execute(select(runners).where(runners.c.id == runner_id)).one_or_none()
    if row is None:
        raise NotFound("Runner")
    return row


def is_managed(actor: Actor, project_level: int = MAINTAINER, group_level: int = OWNER) -> ColumnElement[bool]:
    """The actor manages a project or group that the runner serves."""
    of_projects = exists(
        select(literal(1))
        .select_from(runner_projects)
        .join(project_authorizations, project_authorizations.c.project_id == runner_projects.c.project_id)
        .where(
            runner_projects.c.runner_id == runners.c.id,
            project_authorizations.c.user_id == (actor.user_id or 0),
            project_authorizations.c.access_level >= project_level,
        )
    )
    of_groups = exists(
        select(literal(1))
        .select_from(runner_groups)
        .join(group_authorizations, group_authorizations.c.group_id == runner_groups.c.group_id)
        .where(
            runner_groups.c.runner_id == runners.c.id,
            group_authorizations.c.user_id == (actor.user_id or 0),
            group_authorizations.c.access_level >= group_level,
        )
    )
    return or_(of_projects, of_groups)


def is_readable(actor: Actor) -> ColumnElement[bool]:
    """The actor may read the runner alone: instance runners are for everybody, others for those who manage them."""
    if actor.is_admin:
        return true()
    return or_(runners.c.runner_type == "instance_type", is_managed(actor))


def newest_machines(conn: Connection, runner_ids: Sequence[int]) -> dict[int, RunnerManagerRow]:
    """By runner: the machine that was in contact last."""
    place = func.row_number().over(
        partition_by=runner_managers.c.runner_id,
        order_by=(runner_managers.c.contacted_at.desc().nulls_last(), runner_managers.c.id.desc()),
    )
    ordered = select(runner_managers.c.id, place.label("place")).where(runner_managers.c.runner_id.in_(runner_ids))
    ranked = ordered.subquery()
    newest = select(ranked.c.id).where(ranked.c.place == 1)
    return by_key(
        conn.execute(select(runner_managers).where(runner_managers.c.id.in_(newest))), lambda row: row.runner_id
    )


def for_project(project: Project, *, with_groups: bool, with_instance: bool) -> ColumnElement[bool]:
    """Runners that may take jobs of the project."""
    own = exists().where(runner_projects.c.runner_id == runners.c.id, runner_projects.c.project_id == project.id)
    result: list[ColumnElement[bool]] = [own]
    if with_groups:
        result.append(above(project.namespace_id))
    if with_instance:
        result.append(runners.c.runner_type == "instance_type")
    return or_(*result)


def above(namespace_id: int) -> ColumnElement[bool]:
    """Runners of the namespace and the groups above it."""
    return exists(
        select(literal(1))
        .select_from(runner_groups)
        .join(namespace_ancestors, namespace_ancestors.c.ancestor_id == runner_groups.c.group_id)
        .where(runner_groups.c.runner_id == runners.c.id, namespace_ancestors.c.namespace_id == namespace_id)
    )


def listed(call: Call[ListRunners], condition: ColumnElement[bool] | None = None) -> Select[Any]:
    """Runners under a condition with all filters, newest first."""
    query = select(runners).where(*_conditions(call.params)).order_by(runners.c.id.desc())
    has_tag = _has_tag_sqlite if call.services.db.is_sqlite else _has_tag_postgres
    query = query.where(*(has_tag(tag) for tag in call.params.tag_list))
    return query if condition is None else query.where(condition)


def _conditions(options: ListRunners) -> list[ColumnElement[bool]]:
    result: list[ColumnElement[bool]] = []
    if options.scope in _SCOPES:
        result.append(runners.c.runner_type.in_(_SCOPES[options.scope]))
    elif options.scope is not None:
        result.append(_in_state(options.scope))
    if options.type is not None:
        result.append(runners.c.runner_type == options.type)
    if options.status is not None:
        result.append(_in_state(options.status))
    if options.paused is not None:
        result.append(runners.c.active.is_(not options.paused))
    if options.version_prefix:
        result.append(
            exists().where(
                runner_managers.c.runner_id == runners.c.id,
                runner_managers.c.version.startswith(options.version_prefix, autoescape=True),
            )
        )
    return result


def _in_state(state: str) -> ColumnElement[bool]:
    moment = now()
    seen, born = runners.c.contacted_at, runners.c.created_at
    match state:
        case "active":
            return runners.c.active.is_(True)
        case "paused":
            return runners.c.active.is_(False)
        case "online":
            return seen > moment - ONLINE
        case "offline":
            return and_(seen <= moment - ONLINE, seen > moment - STALE)
        case "never_contacted":
            return and_(seen.is_(None), born > moment - STALE)
        case _:
            return func.coalesce(seen, born) <= moment - STALE


def _has_tag_postgres(tag: str) -> ColumnElement[bool]:
    from sqlalchemy.dialects.postgresql import JSONB

    return cast(runners.c.tag_list, JSONB).contains([tag])


def _has_tag_sqlite(tag: str) -> ColumnElement[bool]:
    each = func.json_each(runners.c.tag_list).table_valued("value", name="tag")
    return exists(select(literal(1)).select_from(each).where(each.c.value == tag))
