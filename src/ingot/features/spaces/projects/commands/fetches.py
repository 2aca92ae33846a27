"""Counting clones and fetches per day."""

from collections.abc import Mapping
from datetime import date
from functools import cache

from sqlalchemy import Date, Executable, Integer, bindparam, select

from ingot.access.tables import projects
from ingot.features.spaces.projects.tables import project_fetches
from ingot.kit.db import Database
from ingot.kit.upsert import upsert

_KEY = [project_fetches.c.project_id, project_fetches.c.day]


def record_fetches(db: Database, counts: Mapping[tuple[int, date], int]) -> None:
    """Add so many clones and fetches of each project and day; projects that were deleted meanwhile are left out."""
    # In the order of the projects: several processes write at once.
    rows = [{"of": project_id, "on": day, "more": count} for (project_id, day), count in sorted(counts.items())]
    with db.write() as tx:
        tx.execute(_adding(tx.dialect.name), rows)


@cache
def _adding(dialect: str) -> Executable:
    # The lock keeps the project from being deleted before its count is written.
    of_project = (
        select(projects.c.id, bindparam("on", type_=Date), bindparam("more", type_=Integer))
        .where(projects.c.id == bindparam("of"))
        .with_for_update(read=True, key_share=True)
    )
    insertion = upsert(dialect, project_fetches).from_select([*_KEY, project_fetches.c.count], of_project)
    return insertion.on_conflict_do_update(
        index_elements=_KEY, set_={"count": project_fetches.c.count + insertion.excluded.count}
    )
