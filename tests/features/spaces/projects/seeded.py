"""A world of seventy projects with known properties, and an oracle that filters them in plain Python.

The oracle shares no code with the service: rights, search and orders are computed again from what was seeded.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import insert, update

from ingot.access.tables import projects
from ingot.features.people.custom_attributes import project_custom_attributes
from ingot.features.spaces.projects.tables import project_languages, project_stars, project_statistics
from tests.support.world import Person, World

NUMBER = 70
EPOCH = datetime(2024, 1, 1, 12, 0, 0, tzinfo=UTC)
WORDS = ("alpha", "beta", "Gamma", "delta", "Ünder", "omega", "light", "100%", "snake_case", "v2")
TOPICS = ("ruby", "Web", "ci")
LANGUAGES = ("Python", "C++", "Go")


@dataclass
class Seed:
    """What is known of one project."""

    id: int
    name: str
    path: str
    description: str
    full_path: str
    full_name: str
    visibility: str
    space: str
    archived: bool
    issues: str
    merge_requests: str
    topics: list[str]
    language: str | None
    last_activity: datetime
    updated: datetime
    stars: int
    size: int
    storage: str
    marked: date | None
    pending: bool
    hidden: bool
    import_type: str | None
    creator: int
    repository_failed: bool
    wiki_failed: bool
    color: str | None
    shared: int | None  # level at which it is shared with the invited group
    starred_by: set[int] = field(default_factory=set)
    direct: dict[int, int] = field(default_factory=dict)


@dataclass
class Caller:
    """Who asks: their id, and their levels in the groups."""

    name: str
    user_id: int | None
    is_admin: bool
    is_external: bool
    client: Any
    groups: dict[str, int] = field(default_factory=dict)
    personal: str = ""

    def level(self, seed: Seed) -> int:
        """The effective level on a project, by the rule of the highest."""
        if self.user_id is None:
            return 0
        answer = [seed.direct.get(self.user_id, 0), self.groups.get(seed.space, 0)]
        answer.append(50 if seed.space == self.personal else 0)
        if seed.shared is not None:
            answer.append(min(seed.shared, self.groups.get("invited", 0)))
        return max(answer)

    def sees(self, seed: Seed) -> bool:
        """Visible in the list of all projects."""
        if self.is_admin or self.level(seed) > 0:
            return True
        opened = {"public"} if self.user_id is None or self.is_external else {"public", "internal"}
        return seed.visibility in opened


class SeededWorld:
    """The projects, the callers, and where the service runs."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.random = random.Random(20240101)
        self.ada, self.ben = world.user(), world.user()
        self.eve = world.user(external=True)
        self.spaces = self._spaces()
        self.seeds = list(self._seeds())
        self._write()
        self.callers = self._callers()

    def _spaces(self) -> dict[str, Any]:
        top = self.world.group(self.ada, visibility="public")
        sub = self.world.group(self.ada, parent_id=top["id"], visibility="public")
        invited = self.world.group(self.ada, visibility="private")
        for group, person, level in ((top, self.ben, 30), (sub, self.eve, 20), (invited, self.ben, 40)):
            self.world.member(group, person, level, kind="groups")
        return {"top": top, "sub": sub, "invited": invited, "ada": None, "ben": None}

    def _owner(self, space: str) -> Person:
        return self.ben if space == "ben" else self.ada

    def _seeds(self) -> Iterator[Seed]:
        draw = self.random
        for number in range(NUMBER):
            space = draw.choice(["top", "sub", "ada", "ada", "ben"])
            words = draw.sample(WORDS, 3)
            name = f"{words[0]} {number}".replace("100%", "per cent")
            description = " ".join(words[1:]) if draw.random() < 0.8 else ""
            body = {
                "name": name,
                "path": f"p-{draw.choice('xyz')}{number}",
                "description": description,
                "visibility": draw.choice(["private", "internal", "public"]),
                "topics": draw.sample(TOPICS, draw.randint(0, 2)),
                "issues_access_level": draw.choice(["disabled", "private", "enabled"]),
                "merge_requests_access_level": draw.choice(["disabled", "private", "enabled"]),
            }
            group = self.spaces[space]
            owner = self._owner(space)
            created = self.world.project(owner, **body, **({"namespace_id": group["id"]} if group else {}))
            yield self._seed(created, space, owner, body)

    def _seed(self, created: dict[str, Any], space: str, owner: Person, body: dict[str, Any]) -> Seed:
        draw = self.random
        rare = draw.random
        return Seed(
            id=created["id"],
            name=created["name"],
            path=created["path"],
            description=body["description"],
            full_path=created["path_with_namespace"],
            full_name=created["name_with_namespace"],
            visibility=body["visibility"],
            space=space,
            archived=rare() < 0.2,
            issues=body["issues_access_level"],
            merge_requests=body["merge_requests_access_level"],
            topics=body["topics"],
            language=draw.choice([None, *LANGUAGES]),
            last_activity=EPOCH + timedelta(hours=draw.randint(0, 300), microseconds=draw.randint(0, 999_999)),
            updated=EPOCH + timedelta(hours=draw.randint(0, 300), microseconds=draw.randint(0, 999_999)),
            stars=draw.randint(0, 4),
            size=draw.randint(0, 5) * 1000,
            storage="other" if rare() < 0.1 else "default",
            marked=date(2024, 2, draw.randint(1, 2)) if rare() < 0.15 else None,
            pending=rare() < 0.08,
            hidden=rare() < 0.08,
            import_type="github" if rare() < 0.2 else None,
            creator=owner.id,
            repository_failed=rare() < 0.1,
            wiki_failed=rare() < 0.1,
            color=draw.choice([None, "red", "blue"]),
            shared=draw.choice([None, None, None, 20, 50]),
            starred_by={person.id for person in (self.ben, self.eve) if rare() < 0.3},
            direct={self.ben.id: draw.choice([10, 20, 40, 50])} if space != "ben" and rare() < 0.2 else {},
        )

    def _write(self) -> None:
        """What the service does not let anybody set is written behind its back; rights and shares through it."""
        for seed in self.seeds:
            for user_id, level in seed.direct.items():
                body = {"user_id": user_id, "access_level": level}
                answer = self.world.admin.post(f"/projects/{seed.id}/members", json=body)
                if answer.status_code != 201:  # lower than what the group gives
                    seed.direct = {}
            if seed.shared is not None:
                body = {"group_id": self.spaces["invited"]["id"], "group_access": seed.shared}
                self.world.admin.ok("POST", f"/projects/{seed.id}/share", json=body)
        with self.world.server.services.db.write() as tx:
            for seed in self.seeds:
                self._write_one(tx, seed)

    def _write_one(self, tx: Any, seed: Seed) -> None:
        tx.execute(
            update(projects)
            .where(projects.c.id == seed.id)
            .values(
                archived=seed.archived,
                last_activity_at=seed.last_activity,
                updated_at=seed.updated,
                star_count=seed.stars,
                repository_storage=seed.storage,
                marked_for_deletion_on=seed.marked,
                pending_delete=seed.pending,
                hidden=seed.hidden,
                import_type=seed.import_type,
                repository_checksum_failed=seed.repository_failed,
                wiki_checksum_failed=seed.wiki_failed,
            )
        )
        sizes = {"repository_size": seed.size, "storage_size": seed.size, "packages_size": seed.size % 3}
        tx.execute(update(project_statistics).where(project_statistics.c.project_id == seed.id).values(**sizes))
        if seed.language is not None:
            row = {"name": seed.language, "name_lower": seed.language.lower(), "share": 100.0}
            tx.execute(insert(project_languages).values(project_id=seed.id, **row))
        if seed.color is not None:
            tx.execute(insert(project_custom_attributes).values(project_id=seed.id, key="color", value=seed.color))
        for user_id in seed.starred_by:
            tx.execute(insert(project_stars).values(project_id=seed.id, user_id=user_id, starred_since=EPOCH))

    def _callers(self) -> dict[str, Caller]:
        return {
            "anonymous": Caller("anonymous", None, is_admin=False, is_external=False, client=self.world.anonymous),
            "ben": Caller(
                "ben",
                self.ben.id,
                is_admin=False,
                is_external=False,
                client=self.ben.client,
                groups={"top": 30, "sub": 30, "invited": 40},
                personal="ben",
            ),
            "eve": Caller(
                "eve", self.eve.id, is_admin=False, is_external=True, client=self.eve.client, groups={"sub": 20}
            ),
            "admin": Caller("admin", 1, is_admin=True, is_external=False, client=self.world.admin),
        }
