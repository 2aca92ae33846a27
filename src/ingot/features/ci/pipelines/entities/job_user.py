"""The person who started a job, with the public profile."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import Connection, bindparam, select

from ingot.features.people.users import BASIC_COLUMNS, UserBasic, basic_fields
from ingot.identity.rows import BasicUserRow
from ingot.identity.tables import users
from ingot.kit.entity import UNSET, UnsetType, wire
from ingot.kit.statements import lasting


class JobUser(UserBasic, kw_only=True):
    """A person's public profile."""

    created_at: datetime | UnsetType = UNSET
    bio: str
    location: str | None
    linkedin: str
    twitter: str
    discord: str
    website_url: str
    organization: str | None
    job_title: str | None
    pronouns: str | None
    bot: bool
    work_information: str | None
    local_time: None = None


class _JobUserRow(BasicUserRow, Protocol):
    """The columns that are shown."""

    kind: str
    private_profile: bool
    created_at: datetime
    profile: Any


_COLUMNS = (*BASIC_COLUMNS, users.c.kind, users.c.private_profile, users.c.created_at, users.c.profile)
_BY_IDS = lasting(select(*_COLUMNS).where(users.c.id.in_(bindparam("ids", expanding=True))))


def job_users(conn: Connection, ids: Iterable[int | None], base_url: str) -> dict[int, JobUser]:
    """The people of a page of jobs, in one query."""
    user_ids = {user_id for user_id in ids if user_id is not None}
    if not user_ids:
        return {}
    rows = conn.execute(_BY_IDS, {"ids": user_ids})
    return {row.id: _job_user(row, base_url) for row in rows}


def _job_user(row: _JobUserRow, base_url: str) -> JobUser:
    texts = row.profile
    job, company = texts.get("job_title") or None, texts.get("organization") or None
    return JobUser(
        **basic_fields(row, base_url),
        created_at=UNSET if row.private_profile else wire(row.created_at),
        bio=texts.get("bio") or "",
        location=texts.get("location"),
        linkedin=texts.get("linkedin") or "",
        twitter=texts.get("twitter") or "",
        discord=texts.get("discord") or "",
        website_url=texts.get("website_url") or "",
        organization=company,
        job_title=job,
        pronouns=texts.get("pronouns"),
        bot=row.kind not in {"human", "ghost"},
        work_information=f"{job} at {company}" if job and company else job or company,
    )
