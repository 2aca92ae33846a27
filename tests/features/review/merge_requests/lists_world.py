"""A seeded world of merge requests with a plain-Python oracle: what each list must answer, computed without SQL."""

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import insert, select, update

from ingot.access.tables import projects
from ingot.features.ci.deployments import deployment_merge_requests, deployments, environments
from ingot.features.planning.award_emoji import award_emoji
from ingot.features.planning.labels import labels
from ingot.features.planning.milestones import milestones
from ingot.features.review.approvals import approvals
from ingot.features.review.merge_requests import (
    merge_request_assignees,
    merge_request_labels,
    merge_request_reviewers,
    merge_requests,
)
from tests.support.client import Client
from tests.support.world import Person, World

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
LABELS = ("bug", "feature", "Docs", "bug::hard")
WORDS = ("cache", "login", "Button", "api", "fix", "x1", "50%", "snake_case")
BRANCHES = ("main", "stable", "release/1.0")
EMOJI = ("thumbsup", "thumbsdown", "rocket")
COUNT = 330


@dataclass
class Request:
    """What the oracle knows of a request."""

    id: int
    iid: int
    project: str
    project_id: int
    title: str
    description: str | None
    state: str
    author: int
    assignees: list[int]
    reviewers: list[int]
    labels: list[str]
    milestone: str | None
    source_branch: str
    target_branch: str
    created_at: datetime
    updated_at: datetime
    merged_at: datetime | None
    merged_by: int | None
    approved_by: list[int]
    reactions: set[tuple[int, str]]
    deployed: list[tuple[str, datetime]] = field(default_factory=list)

    @property
    def is_draft(self) -> bool:
        return self.title.lower().startswith(("draft:", "[draft]", "(draft)"))


@dataclass
class Caller:
    """Somebody who asks, and the projects whose requests they may read."""

    name: str
    client: Client
    user_id: int | None
    readable: set[str]


class ListsWorld:
    """Projects, people and requests, and the callers that ask."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.random = random.Random(20260101)
        self.people: list[Person] = [world.user() for _ in range(6)]
        owner = self.people[0]
        self.group = world.group(owner, visibility="public")
        inner = world.group(owner, parent_id=self.group["id"], visibility="public")
        self.projects = {
            "public": world.project(owner, namespace_id=self.group["id"], visibility="public"),
            "inner": world.project(owner, namespace_id=inner["id"], visibility="public"),
            "internal": world.project(owner, visibility="internal"),
            "private": world.project(owner, namespace_id=inner["id"], visibility="private"),
            "members_only": world.project(
                owner, namespace_id=self.group["id"], visibility="public", merge_requests_access_level="private"
            ),
            "archived": world.project(owner, namespace_id=self.group["id"], visibility="public"),
        }
        world.admin.ok("POST", f"/projects/{self.projects['archived']['id']}/archive")
        developer, guest = self.people[1], self.people[2]
        world.member(self.projects["private"], developer, "developer")
        world.member(self.projects["private"], guest, "guest")
        world.member(self.projects["members_only"], developer, "reporter")
        world.member(self.projects["members_only"], guest, "guest")
        in_group = {"public", "inner", "private", "members_only", "archived"}
        everything = {*in_group, "internal"}
        seen_by_all = {"public", "inner", "archived"}
        self.group_projects = in_group
        self.callers = [
            Caller("anonymous", world.anonymous, None, seen_by_all),
            Caller("guest", guest.client, guest.id, {*seen_by_all, "internal"}),
            Caller("developer", developer.client, developer.id, everything),
            Caller("admin", world.admin, 1, everything),
        ]
        self.requests: list[Request] = []
        with world.server.services.db.write() as tx:
            self._seed(tx)

    def _seed(self, tx: Any) -> None:
        moment = EPOCH
        label_ids: dict[tuple[str, str], int] = {}
        milestone_ids: dict[tuple[str, str], int] = {}
        environment_ids: dict[tuple[str, str], int] = {}
        stamp = {"created_at": moment, "updated_at": moment}
        for name, project in self.projects.items():
            for label in LABELS:
                values = {"project_id": project["id"], "name": label, "color": "#fff", **stamp}
                label_ids[name, label] = tx.execute(insert(labels).values(values).returning(labels.c.id)).scalar_one()
            for iid, title in enumerate(("v1", "v2"), start=1):
                values = {"project_id": project["id"], "iid": iid, "title": title, **stamp}
                milestone_ids[name, title] = tx.execute(
                    insert(milestones).values(values).returning(milestones.c.id)
                ).scalar_one()
            for env in ("staging", "production"):
                values = {"project_id": project["id"], "name": env, "slug": env, **stamp}
                environment_ids[name, env] = tx.execute(
                    insert(environments).values(values).returning(environments.c.id)
                ).scalar_one()
        iids = dict.fromkeys(self.projects, 0)
        for number in range(COUNT):
            name = self.random.choice(list(self.projects))
            iids[name] += 1
            request = self._request(number, name, iids[name])
            request.id = tx.execute(
                insert(merge_requests)
                .values(
                    iid=request.iid,
                    project_id=request.project_id,
                    source_project_id=request.project_id,
                    source_branch=request.source_branch,
                    target_branch=request.target_branch,
                    author_id=request.author,
                    title=request.title,
                    description=request.description,
                    state=request.state,
                    is_draft=request.is_draft,
                    milestone_id=milestone_ids.get((name, request.milestone or "")),
                    merge_status="can_be_merged",
                    commits_count=1,
                    merged_at=request.merged_at,
                    merged_by_id=request.merged_by,
                    created_at=request.created_at,
                    updated_at=request.updated_at,
                )
                .returning(merge_requests.c.id)
            ).scalar_one()
            self._links(tx, request, name, label_ids, environment_ids)
            self.requests.append(request)
        assert len(tx.execute(select(projects.c.id)).all()) >= len(self.projects)

    def _request(self, number: int, name: str, iid: int) -> Request:
        pick = self.random
        state = pick.choice(["opened", "opened", "closed", "merged"])
        created = EPOCH + timedelta(minutes=37 * number, microseconds=pick.randrange(1_000_000))
        ids = [person.id for person in self.people]
        mark = pick.choice(["", "", "", "Draft: ", "[DRAFT] ", "(draft) "])
        return Request(
            id=0,
            iid=iid,
            project=name,
            project_id=self.projects[name]["id"],
            title=f"{mark}{' '.join(pick.sample(WORDS, 2))} {number}",
            description=pick.choice([None, "", " ".join(pick.sample(WORDS, 3))]),
            state=state,
            author=pick.choice(ids),
            assignees=pick.sample(ids, pick.randrange(3)),
            reviewers=pick.sample(ids, pick.randrange(3)),
            labels=sorted(pick.sample(LABELS, pick.randrange(3))),
            milestone=pick.choice([None, "v1", "v2"]),
            source_branch=f"topic-{number % 40}",
            target_branch=pick.choice(BRANCHES),
            created_at=created,
            updated_at=created + timedelta(minutes=pick.randrange(10_000)),
            merged_at=created + timedelta(hours=pick.randrange(99)) if state == "merged" else None,
            merged_by=pick.choice(ids) if state == "merged" else None,
            approved_by=pick.sample(ids, pick.choice([0, 0, 1, 2])),
            reactions={(pick.choice(ids), pick.choice(EMOJI)) for _ in range(pick.randrange(3))},
        )

    def _links(self, tx: Any, request: Request, name: str, label_ids: Any, environment_ids: Any) -> None:
        for table, people in (
            (merge_request_assignees, request.assignees),
            (merge_request_reviewers, request.reviewers),
        ):
            for position, user_id in enumerate(people):
                values = {"merge_request_id": request.id, "user_id": user_id, "position": position}
                if table is merge_request_reviewers:
                    values["created_at"] = EPOCH
                tx.execute(insert(table).values(values))
        for label in request.labels:
            values = {"merge_request_id": request.id, "label_id": label_ids[name, label]}
            tx.execute(insert(merge_request_labels).values(values))
        for user_id in request.approved_by:
            values = {"merge_request_id": request.id, "user_id": user_id, "created_at": EPOCH}
            tx.execute(insert(approvals).values(values))
        for user_id, emoji in request.reactions:
            values = {
                "awardable_type": "MergeRequest", "awardable_id": request.id, "user_id": user_id, "name": emoji,
                "created_at": EPOCH, "updated_at": EPOCH,
            }  # fmt: skip
            tx.execute(insert(award_emoji).values(values))
        votes = [emoji for _, emoji in request.reactions].count("thumbsup")
        tx.execute(update(merge_requests).where(merge_requests.c.id == request.id).values(upvotes=votes))
        if request.state == "merged" and self.random.random() < 0.5:
            env, moment = self.random.choice(["staging", "production"]), request.merged_at or EPOCH
            created = tx.execute(
                insert(deployments)
                .values(
                    iid=request.iid, project_id=request.project_id, environment_id=environment_ids[name, env],
                    ref="main", sha="0" * 40, status="success", finished_at=moment,
                    created_at=moment, updated_at=moment,
                )
                .returning(deployments.c.id)
            ).scalar_one()  # fmt: skip
            tx.execute(insert(deployment_merge_requests).values(deployment_id=created, merge_request_id=request.id))
            request.deployed.append((env, moment))
