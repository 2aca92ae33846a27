"""Topics of a project: created on the fly, matched without regard to case."""

from collections.abc import Iterable

from sqlalchemy import Connection, delete, func, insert, select, update

from ingot.features.spaces.projects.tables import project_topics, topics
from ingot.kit.clock import now
from ingot.kit.errors import Invalid
from ingot.kit.upsert import upsert

LONGEST = 255
MOST = 1000


def set_topics(tx: Connection, project_id: int, names: Iterable[str]) -> None:
    """Make these the project's topics."""
    by_lower_name = {name.lower(): name for name in (name.strip() for name in names) if name}
    if any(len(name) > LONGEST for name in by_lower_name.values()):
        raise Invalid({"topics": [f"is too long (maximum is {LONGEST} characters)"]})
    if len(by_lower_name) > MOST:
        raise Invalid({"topics": [f"are too many (maximum is {MOST})"]})
    _create_missing(tx, by_lower_name)
    after = set(_known(tx, by_lower_name).values())
    before = set(
        tx.execute(select(project_topics.c.topic_id).where(project_topics.c.project_id == project_id)).scalars()
    )
    if gone := before - after:
        tx.execute(
            delete(project_topics).where(project_topics.c.project_id == project_id, project_topics.c.topic_id.in_(gone))
        )
    if fresh := after - before:
        tx.execute(insert(project_topics), [{"project_id": project_id, "topic_id": number} for number in fresh])
    recount(tx, before ^ after)


def _create_missing(tx: Connection, by_lower_name: dict[str, str]) -> None:
    moment = now()
    known = _known(tx, by_lower_name)
    rows = [
        {"name": name, "name_lower": lower, "title": name, "created_at": moment, "updated_at": moment}
        for lower, name in by_lower_name.items()
        if lower not in known
    ]
    if rows:
        # Two projects may create the same topic concurrently.
        tx.execute(upsert(tx.dialect.name, topics).on_conflict_do_nothing(index_elements=["name_lower"]), rows)


def recount(tx: Connection, topic_ids: set[int]) -> None:
    """Update the number of projects of topics."""
    if not topic_ids:
        return
    number = select(func.count()).where(project_topics.c.topic_id == topics.c.id).scalar_subquery()
    tx.execute(update(topics).where(topics.c.id.in_(topic_ids)).values(projects_count=number))


def _known(tx: Connection, lower_names: Iterable[str]) -> dict[str, int]:
    rows = tx.execute(select(topics.c.id, topics.c.name_lower).where(topics.c.name_lower.in_(list(lower_names))))
    return {row.name_lower: row.id for row in rows}
