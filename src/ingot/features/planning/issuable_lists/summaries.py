"""What pages show of issues and merge requests beside their list form, a statement or two for a page."""

from collections import defaultdict
from collections.abc import Collection

import msgspec
from sqlalchemy import Connection, case, func, select

from ingot.access.tables import projects
from ingot.features.planning.issuables import get_kind, kinds
from ingot.features.planning.labels import labels
from ingot.kit.actor import Actor


class Progress(msgspec.Struct):
    """How much of a milestone is done: closed issues and merged or closed requests."""

    done: int = 0
    total: int = 0


def milestone_progress(conn: Connection, actor: Actor, ids: Collection[int]) -> dict[int, Progress]:
    """By milestone, of what the actor may read."""
    result: dict[int, Progress] = defaultdict(Progress)
    for kind in kinds() if ids else ():
        table = kind.table.c
        query = (
            select(table.milestone_id, func.sum(case((table.state == "opened", 0), else_=1)), func.count())
            .join_from(kind.table, projects, projects.c.id == table.project_id)
            .where(table.milestone_id.in_(ids), kind.readable(actor))
            .group_by(table.milestone_id)
        )
        for milestone_id, done, total in conn.execute(query):
            result[milestone_id].done += int(done)
            result[milestone_id].total += total
    return result


def label_colours(conn: Connection, type: str, ids: Collection[int]) -> dict[int, dict[str, str]]:
    """The colours of the labels of some issues or merge requests, by their ids and the labels' names."""
    kind = get_kind(type)
    key = kind.labels.c[kind.key]
    query = select(key, labels.c.name, labels.c.color).join_from(kind.labels, labels).where(key.in_(ids))
    result: dict[int, dict[str, str]] = defaultdict(dict)
    for number, name, colour in conn.execute(query) if ids else ():
        result[number][name] = colour
    return result
