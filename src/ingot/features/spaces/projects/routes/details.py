"""What else can be read about a project: people, stars, forks, languages, storage, fetches."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Select, and_, bindparam, or_, select

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR, READ_PROJECT, READ_STATISTICS
from ingot.access.subjects import get_project
from ingot.access.tables import projects
from ingot.features.people.users import UserBasic, present_basic, user_basic
from ingot.features.spaces.projects.entities import ProjectFull
from ingot.features.spaces.projects.params.listing import ListProjects
from ingot.features.spaces.projects.policy import READ_PAGES
from ingot.features.spaces.projects.queries.filters import base_set
from ingot.features.spaces.projects.queries.listing import Base
from ingot.features.spaces.projects.queries.paging import page_of_projects
from ingot.features.spaces.projects.queries.people import people_of
from ingot.features.spaces.projects.tables import project_fetches, project_languages, project_stars
from ingot.gitstore import Storages
from ingot.identity.rows import BasicUserRow
from ingot.identity.tables import users
from ingot.kit.actor import Actor
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity, wire
from ingot.kit.params import Paging, Param

routes = Routes("Projects")


class ListProjectUsers(Paging):
    """Filters of the people of a project."""

    search: str | None = Param("Part of the name or username, or the whole public email address.")
    skip_users: list[int] = Param("Leave these out.", comma=True)


class SearchPeople(Paging):
    """Filter of a list of people."""

    search: str | None = Param("Part of the name or username, or the whole public email address.")


@routes.get("/projects/{id}/users", guard=READ_PROJECT, params=ListProjectUsers, returns=list[UserBasic])
def list_project_users(call: Call[ListProjectUsers]) -> Answer:
    """All effective members of a project: direct, inherited and through shared groups."""
    query = people_of(call.actor, call.project).order_by(users.c.id)
    if call.params.skip_users:
        query = query.where(users.c.id.not_in(call.params.skip_users))
    return call.page(by_person(query, call.params.search), present_basic)


def by_person(query: Select[Any], search: str | None) -> Select[Any]:
    """Narrow a list of users; a leading `@` is no part of the name."""
    for term in (search or "").strip().removeprefix("@").split():
        query = query.where(
            or_(
                users.c.name_lower.contains(term.lower(), autoescape=True),
                users.c.username_lower.contains(term.lower(), autoescape=True),
                users.c.public_email == term,
            )
        )
    return query


class Starrer(Entity, kw_only=True):
    """Somebody who starred the project."""

    starred_since: datetime
    user: UserBasic


@routes.get("/projects/{id}/starrers", guard=READ_PROJECT, params=SearchPeople, returns=list[Starrer])
def list_starrers(call: Call[SearchPeople]) -> Answer:
    """People who starred a project; private profiles and inactive accounts are left out."""
    query = (
        select(users, project_stars.c.starred_since)
        .join(project_stars, project_stars.c.user_id == users.c.id)
        .where(
            project_stars.c.project_id == call.project.id,
            users.c.state == "active",
            or_(users.c.private_profile.is_(False), users.c.id == (call.actor.user_id or 0)),
        )
        .order_by(project_stars.c.starred_since.desc(), users.c.id.desc())
    )
    return call.page(by_person(query, call.params.search), _present_starrers)


class _StarrerRow(BasicUserRow, Protocol):
    """A user who starred the project."""

    starred_since: datetime


def _present_starrers(call: Call, rows: Sequence[_StarrerRow]) -> list[Starrer]:
    return [Starrer(starred_since=wire(row.starred_since), user=user_basic(row, call.base_url)) for row in rows]


@routes.get("/projects/{id}/forks", guard=READ_PROJECT, params=ListProjects, returns=list[ProjectFull], errors=(405,))
def list_forks(call: Call[ListProjects]) -> Answer:
    """Forks of a project that the caller may see."""
    return page_of_projects(call, Base(_forks, {"project_id": call.project.id}))


def _forks(actor: Actor, options: ListProjects) -> ColumnElement[bool]:
    return and_(projects.c.forked_from_id == bindparam("project_id"), base_set(actor, options))


@routes.get("/projects/{id}/languages", guard=READ_PROJECT, returns=dict[str, float])
def list_languages(call: Call) -> Answer:
    """Programming languages with their share of the code in percent, largest first."""
    rows = call.conn.execute(
        select(project_languages.c.name, project_languages.c.share)
        .where(project_languages.c.project_id == call.project.id)
        .order_by(project_languages.c.share.desc(), project_languages.c.name)
    )
    return {row.name: row.share for row in rows}


class StorageShown(Entity, kw_only=True):
    """Storage of the repository."""

    project_id: int
    disk_path: str
    created_at: datetime
    repository_storage: str


@routes.get("/projects/{id}/storage", guard=ADMINISTRATOR, returns=StorageShown)
def get_project_storage(call: Call) -> Answer:
    """The storage of a project's repository (administrators)."""
    project = get_project(call.conn, call.actor, call.path["id"])
    return StorageShown(
        project_id=project.id,
        disk_path=Storages.relative_path(project.id).removesuffix(".git"),
        created_at=wire(project.created_at),
        repository_storage=project.repository_storage,
    )


class FetchesOfDay(Entity, kw_only=True):
    """Fetches of one day."""

    count: int
    date: date


class Fetches(Entity, kw_only=True):
    """Fetches of the last thirty days."""

    total: int
    days: list[FetchesOfDay]


class FetchStatistics(Entity, kw_only=True):
    """How often the project was cloned and fetched."""

    fetches: Fetches


@routes.get("/projects/{id}/statistics", guard=READ_STATISTICS, returns=FetchStatistics)
def get_fetch_statistics(call: Call) -> Answer:
    """Clones and fetches of the last thirty days, newest day first.

    A fetch that another process or node answered is counted up to five seconds later. A process that is killed loses
    those that it has not written yet.
    """
    call.services.fetches.write()
    rows = call.conn.execute(
        select(project_fetches.c.day, project_fetches.c.count.label("times"))
        .where(project_fetches.c.project_id == call.project.id)
        .order_by(project_fetches.c.day.desc())
        .limit(30)
    ).all()
    days = [FetchesOfDay(count=row.times, date=row.day) for row in rows]
    return FetchStatistics(fetches=Fetches(total=sum(day.count for day in days), days=days))


@routes.get("/projects/{id}/pages_access", guard=READ_PAGES)
def get_pages_access(call: Call) -> Answer:
    """Answers 200 when the caller may see the project's pages."""
