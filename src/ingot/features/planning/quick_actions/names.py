"""Parsing the arguments of quick actions: labels, users, milestones, dates and emoji."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.features.planning.award_emoji import known_name
from ingot.features.planning.labels import labels
from ingot.features.planning.labels import usable_in_project as usable_labels
from ingot.features.planning.milestones import milestones
from ingot.features.planning.milestones import usable_in_project as usable_milestones
from ingot.identity.tables import users
from ingot.kit.clock import today
from ingot.kit.ids import parse_id
from ingot.kit.patterns import pattern

_LABEL = pattern(r'~"([^"]+)"|~([^\s,"~]+)|"([^"]+)"|([^\s,"~]+)')
_USER = pattern(r"@?([A-Za-z0-9_.-]+)")
_AHEAD = pattern(r"in (\d{1,4}|a|an|one) (day|week|month)s?")
_DAY = pattern(r"\d{4}-\d\d-\d\d")


def labels_in(conn: Connection, project: ProjectRow, text: str) -> list[str]:
    """Names of existing labels that a text lists (`~bug ~"two words" ~12`)."""
    mentioned = ["".join(parts) for parts in _LABEL.findall(text)]
    if not mentioned:
        return []
    numbers = [number for number in map(parse_id, mentioned) if number is not None]
    rows = conn.execute(
        select(labels.c.id, labels.c.name).where(
            usable_labels(project), labels.c.name.in_(mentioned) | labels.c.id.in_(numbers)
        )
    ).all()
    by_key = {str(row.id): row.name for row in rows} | {row.name: row.name for row in rows}
    return list(dict.fromkeys(by_key[name] for name in mentioned if name in by_key))


def users_in(conn: Connection, text: str, user_id: int) -> dict[str, int]:
    """People that a text lists (`@ann @bob`, `me`), in its order."""
    mentioned = list(dict.fromkeys(name.lower().rstrip(".") for name in _USER.findall(text)))
    rows = conn.execute(
        select(users.c.id, users.c.username, users.c.username_lower).where(
            users.c.username_lower.in_(mentioned) | (users.c.id == (user_id if "me" in mentioned else 0))
        )
    ).all()
    by_name = {row.username_lower: row for row in rows}
    if "me" not in by_name:
        own_row = next((row for row in rows if row.id == user_id), None)
        by_name |= {} if own_row is None else {"me": own_row}
    return {by_name[name].username: by_name[name].id for name in mentioned if name in by_name}


def usernames_of(conn: Connection, ids: Sequence[int]) -> dict[str, int]:
    """The user names of people, in the order of their ids."""
    query = select(users.c.id, users.c.username).where(users.c.id.in_(ids)).order_by(users.c.id)
    return {row.username: row.id for row in conn.execute(query)}


def milestone_in(conn: Connection, project: ProjectRow, text: str) -> Any:
    """The open milestone that a text names (`%v1`, `%"Version 1"`)."""
    title = text.strip().removeprefix("%").strip('"')
    query = select(milestones.c.id, milestones.c.title).where(
        usable_milestones(project), milestones.c.title == title, milestones.c.state == "active"
    )
    return conn.execute(query.order_by(milestones.c.project_id.is_(None), milestones.c.id).limit(1)).one_or_none()


def day_in(text: str) -> date | None:
    """`2026-03-01`, `today`, `tomorrow`, `in 2 days`, `in a week`."""
    word = text.strip().lower()
    if word in ("today", "tomorrow"):
        return today() + timedelta(days=word == "tomorrow")
    ahead = _AHEAD.fullmatch(word)
    if ahead is not None:
        count = int(ahead[1]) if ahead[1].isdigit() else 1
        return today() + timedelta(days=count * {"day": 1, "week": 7, "month": 30}[ahead[2]])
    try:
        return date.fromisoformat(word) if _DAY.fullmatch(word) else None
    except ValueError:
        return None


def spent_in(text: str) -> tuple[str, date | None]:
    """`1h 30m 2026-03-01`: the duration, and the day it was spent on."""
    words = text.split()
    day = day_in(words[-1]) if words and _DAY.fullmatch(words[-1]) else None
    return (" ".join(words[:-1]), day) if day is not None else (text, None)


def emoji_in(text: str) -> str | None:
    """`:tada:`."""
    return known_name(text)
