"""The lists of issues: every filter alone and in pairs against an oracle in plain Python, as several callers."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import combinations
from typing import Any

import pytest

from ingot.kit.clock import today
from tests.support.client import Client
from tests.support.world import Person, World

LABELS = ("bug", "ui", "docs")


@dataclass
class Made:
    """An issue as the test remembers it."""

    id: int
    iid: int
    project: int
    author: int
    title: str
    description: str
    labels: set[str]
    assignees: set[int]
    milestone: str | None
    weight: int | None
    due: date | None
    closed: bool
    confidential: bool
    kind: str
    votes: set[int] = field(default_factory=set)


@dataclass
class Scene:
    """Two projects in a group, one private, with issues by three people."""

    world: World
    group: dict[str, Any]
    projects: list[dict[str, Any]]
    people: list[Person]
    issues: list[Made]
    updated: dict[int, str]

    def visible(self, caller: str) -> list[Made]:
        """What a caller may read: the owner all, the member of nothing the public rest, anonymous the same."""
        if caller == "owner":
            return self.issues
        me = self.people[2].id if caller == "stranger" else 0
        open_ones = [created for created in self.issues if created.project == self.projects[0]["id"]]
        return [
            created for created in open_ones if not created.confidential or me in ({created.author} | created.assignees)
        ]

    def client(self, caller: str) -> Client:
        """The caller's client."""
        if caller == "anonymous":
            return self.world.anonymous
        return self.people[0 if caller == "owner" else 2].client


@pytest.fixture(scope="module")
def scene(world: World) -> Scene:
    dice = random.Random(7)
    people = [world.user() for _ in range(3)]
    owner = people[0]
    group = world.group(owner, visibility="public")
    projects = [
        world.project(owner, namespace_id=group["id"], visibility=visibility) for visibility in ("public", "private")
    ]
    world.member(projects[1], people[1], "developer")
    for project in projects:
        for title in ("one", "two"):
            owner.client.ok("POST", f"/projects/{project['id']}/milestones", json={"title": title})
    created = [_issue(dice, owner, people, projects, number) for number in range(36)]
    updated = {}
    for project in projects:
        for one in owner.client.get(f"/projects/{project['id']}/issues", per_page=100).json():
            updated[one["id"]] = one["updated_at"]
    return Scene(world, group, projects, people, created, updated)


def _issue(dice: random.Random, owner: Person, people: list[Person], projects: Any, number: int) -> Made:
    project = projects[number % 2]
    milestones = {one["title"]: one["id"] for one in owner.client.ok("GET", f"/projects/{project['id']}/milestones")}
    writer = people[dice.choice((0, 2)) if number % 2 == 0 else dice.choice((0, 1))]
    labels = {label for label in LABELS if dice.random() < 0.4}
    milestone = dice.choice((None, "one", "two"))
    days = dice.choice((None, 0, -3, 1, 90))
    due = None if days is None else today() + timedelta(days=days)
    assignees = {person.id for person in people[:2] if dice.random() < 0.3} if number % 2 else set()
    confidential, weight = dice.random() < 0.2, dice.choice((None, 1, 2))
    title, description = f"{dice.choice(('Red', 'Blue'))} thing {number}", dice.choice(("", "a red text", "blue"))
    kind = dice.choice(("issue", "issue", "incident"))
    path = f"/projects/{project['id']}/issues"
    body = {"title": title, "description": description, "confidential": confidential, "issue_type": kind}
    created = writer.client.ok("POST", path, json=body)
    change = {
        "labels": ",".join(labels), "milestone_id": milestones.get(milestone, 0), "weight": weight,
        "due_date": due.isoformat() if due else "", "assignee_ids": sorted(assignees),
    }  # fmt: skip
    closed = dice.random() < 0.3
    if closed:
        change["state_event"] = "close"
    owner.client.ok("PUT", f"{path}/{created['iid']}", json=change)
    votes = set()
    if dice.random() < 0.3:
        owner.client.ok("POST", f"{path}/{created['iid']}/award_emoji", json={"name": "thumbsup"})
        votes.add(owner.id)
    return Made(
        created["id"], created["iid"], project["id"], writer.id, title, description, labels, assignees, milestone,
        weight,
        due, closed, confidential, kind, votes,
    )  # fmt: skip


Test = Callable[[Made, int], bool]


def filters(scene: Scene) -> dict[str, tuple[dict[str, Any], Test]]:
    """Name -> parameters and the oracle's condition (the second argument is the caller's id)."""
    one, two, three = (person.id for person in scene.people)
    name = scene.people[1].username
    some = [created.iid for created in scene.issues[::3]]
    day = today()  # the suite may have begun on another one
    week = day - timedelta(days=day.weekday())
    return {
        "opened": ({"state": "opened"}, lambda issue, me: not issue.closed),
        "closed": ({"state": "closed"}, lambda issue, me: issue.closed),
        "label": ({"labels": "bug"}, lambda issue, me: "bug" in issue.labels),
        "labels": ({"labels": "bug,ui"}, lambda issue, me: {"bug", "ui"} <= issue.labels),
        "no label": ({"labels": "None"}, lambda issue, me: not issue.labels),
        "any label": ({"labels": "any"}, lambda issue, me: bool(issue.labels)),
        "milestone": ({"milestone": "one"}, lambda issue, me: issue.milestone == "one"),
        "no milestone": ({"milestone": "None"}, lambda issue, me: issue.milestone is None),
        "any milestone": ({"milestone_id": "Any"}, lambda issue, me: issue.milestone is not None),
        "author": ({"author_id": three}, lambda issue, me: issue.author == three),
        "author name": ({"author_username": name.upper()}, lambda issue, me: issue.author == two),
        "nobody": ({"author_id": 999999}, lambda issue, me: False),
        "assignee": ({"assignee_id": one}, lambda issue, me: one in issue.assignees),
        "assignee name": ({"assignee_username": [name]}, lambda issue, me: two in issue.assignees),
        "unassigned": ({"assignee_id": "None"}, lambda issue, me: not issue.assignees),
        "assigned": ({"assignee_id": "Any"}, lambda issue, me: bool(issue.assignees)),
        "iids": ({"iids": some}, lambda issue, me: issue.iid in some),
        "search": ({"search": "red"}, lambda issue, me: "red" in issue.title.lower() or "red" in issue.description),
        "in title": ({"search": "RED thing", "in_": "title"}, lambda issue, me: "Red" in issue.title),
        "in text": ({"search": "red", "in_": "description"}, lambda issue, me: "red" in issue.description),
        "confidential": ({"confidential": True}, lambda issue, me: issue.confidential),
        "public": ({"confidential": False}, lambda issue, me: not issue.confidential),
        "weight": ({"weight": 2}, lambda issue, me: issue.weight == 2),
        "no weight": ({"weight": "None"}, lambda issue, me: issue.weight is None),
        "kind": ({"issue_type": "incident"}, lambda issue, me: issue.kind == "incident"),
        "not due": ({"due_date": "0"}, lambda issue, me: issue.due is None),
        "due": ({"due_date": "any"}, lambda issue, me: issue.due is not None),
        "overdue": ({"due_date": "overdue"}, lambda issue, me: issue.due is not None and issue.due < day),
        "today": ({"due_date": "today"}, lambda issue, me: issue.due == day),
        "week": (
            {"due_date": "week"},
            lambda issue, me: issue.due is not None and week <= issue.due <= week + timedelta(days=6),
        ),
        "mine": ({"scope": "created_by_me"}, lambda issue, me: issue.author == me),
        "for me": ({"scope": "assigned-to-me"}, lambda issue, me: me in issue.assignees),
        "reacted": ({"my_reaction_emoji": "thumbsup"}, lambda issue, me: not me or me in issue.votes),
        "unreacted": ({"my_reaction_emoji": "None"}, lambda issue, me: not me or me not in issue.votes),
        "not label": ({"not": {"labels": "bug"}}, lambda issue, me: "bug" not in issue.labels),
        "not author": ({"not": {"author_id": one}}, lambda issue, me: issue.author != one),
        "not assignee": ({"not": {"assignee_username": [name]}}, lambda issue, me: two not in issue.assignees),
        "not milestone": ({"not": {"milestone": "one"}}, lambda issue, me: issue.milestone != "one"),
        "not iids": ({"not": {"iids": some}}, lambda issue, me: issue.iid not in some),
        "not weight": ({"not": {"weight": 2}}, lambda issue, me: issue.weight != 2),
        "not reacted": ({"not": {"my_reaction_emoji": "thumbsup"}}, lambda issue, me: not me or me not in issue.votes),
        "long ago": ({"created_before": "2020-01-01T00:00:00Z"}, lambda issue, me: False),
        "since then": ({"updated_after": "2020-01-01"}, lambda issue, me: True),
    }  # fmt: skip


NOTHING = filters(Scene(None, {}, [], [Person(0, "", None, "")] * 3, [], {}))  # type: ignore[arg-type]
NAMES = list(NOTHING)


def stems(name: str) -> set[str]:
    """The parameters of a filter; `author_id` and `author_username` count as one."""
    return {key.removesuffix("_id").removesuffix("_username") for key in NOTHING[name][0]}


# Two filters of the same parameter cannot be asked at once.
PAIRS = random.Random(11).sample([(one, two) for one, two in combinations(NAMES, 2) if not stems(one) & stems(two)], 24)


def ids(client: Client, path: str, params: dict[str, Any]) -> list[int]:
    reply = client.get(path, per_page=100, **params)
    assert reply.status_code == 200, reply.text
    return [one["id"] for one in reply.json()]


@pytest.mark.parametrize("caller", ["owner", "stranger", "anonymous"])
@pytest.mark.parametrize("names", [(name,) for name in NAMES] + PAIRS, ids="+".join)
def test_filters_agree_with_the_oracle(scene: Scene, caller: str, names: tuple[str, ...]) -> None:
    known = filters(scene)
    params: dict[str, Any] = {}
    for name in names:
        params |= known[name][0]
    me = {"owner": scene.people[0].id, "stranger": scene.people[2].id, "anonymous": 0}[caller]
    expected = [created.id for created in scene.visible(caller) if all(known[name][1](created, me) for name in names)]

    everything = {"scope": "all"} | params
    result = ids(scene.client(caller), f"/groups/{scene.group['id']}/issues", everything)

    assert result == sorted(expected, reverse=True)
    if caller != "anonymous" or params.get("scope") in (None, "all"):
        ours = {created.id for created in scene.issues}
        assert [one for one in ids(scene.client(caller), "/issues", everything) if one in ours] == result
    inside = {created.id for created in scene.issues if created.project == scene.projects[0]["id"]}
    here = ids(scene.client(caller), f"/projects/{scene.projects[0]['id']}/issues", everything)
    assert here == [one for one in result if one in inside]


@pytest.mark.parametrize("sort", ["asc", "desc"])
@pytest.mark.parametrize("order_by", ["title", "weight", "due_date", "created_at", "popularity"])
def test_orders(scene: Scene, order_by: str, sort: str) -> None:
    keys: dict[str, Callable[[Made], Any]] = {
        "title": lambda issue: issue.title.lower(), "weight": lambda issue: issue.weight,
        "due_date": lambda issue: issue.due,
        "created_at": lambda issue: issue.id, "popularity": lambda issue: len(issue.votes),
    }  # fmt: skip
    newest = sorted(scene.issues, key=lambda issue: -issue.id)
    present = [created for created in newest if keys[order_by](created) is not None]
    missing = [created for created in newest if keys[order_by](created) is None]
    expected = [*sorted(present, key=keys[order_by], reverse=sort == "desc"), *missing]

    params = {"order_by": order_by, "sort": sort}

    assert ids(scene.client("owner"), f"/groups/{scene.group['id']}/issues", params) == [
        created.id for created in expected
    ]


@pytest.mark.parametrize("order_by", ["updated_at", "milestone_due", "label_priority", "priority", "relative_position"])
def test_other_orders_hold_every_issue(scene: Scene, order_by: str) -> None:
    result = ids(scene.client("owner"), f"/groups/{scene.group['id']}/issues", {"order_by": order_by})
    assert sorted(result) == [created.id for created in scene.issues]


def test_statistics(scene: Scene) -> None:
    for caller in ("owner", "stranger"):
        visible = scene.visible(caller)
        closed = len([created for created in visible if created.closed])
        expected = {"all": len(visible), "closed": closed, "opened": len(visible) - closed}
        reply = scene.client(caller).get(f"/groups/{scene.group['id']}/issues_statistics").json()
        assert reply == {"statistics": {"counts": expected}}
    labelled = len([created for created in scene.issues if "bug" in created.labels])
    reply = scene.client("owner").get("/issues_statistics", scope="all", labels="bug").json()
    assert reply["statistics"]["counts"]["all"] == labelled


def test_forms_of_the_lists(scene: Scene) -> None:
    client, group = scene.client("owner"), scene.group
    one = client.get(f"/groups/{group['id']}/issues", labels="bug", per_page=1, with_labels_details=True).json()[0]
    assert "bug" in [label["name"] for label in one["labels"]]
    assert one["references"]["relative"].count("/") == 0
    everywhere = client.get("/issues", scope="all", per_page=1).json()[0]
    assert everywhere["references"]["relative"] == everywhere["references"]["full"]
    assert client.get("/issues").headers["X-Total"] == str(
        len([created for created in scene.issues if created.author == scene.people[0].id])
    )


def test_anonymous_callers_have_no_issues_of_their_own(scene: Scene) -> None:
    refused = scene.world.anonymous.get("/issues")
    assert (refused.status_code, refused.json()) == (401, {"message": "401 Unauthorized"})
    assert scene.world.anonymous.get("/issues_statistics").status_code == 401


@pytest.mark.parametrize(
    ("params", "error"),
    [
        ({"state": "x"}, "state does not have a valid value"),
        ({"order_by": "x"}, "order_by does not have a valid value"),
        ({"scope": "x"}, "scope does not have a valid value"),
        ({"due_date": "x"}, "due_date does not have a valid value"),
        ({"assignee_id": "foo"}, "assignee_id should be an integer, none, or any, however got foo"),
        ({"author_id": 1, "author_username": "x"}, "author_id, author_username are mutually exclusive"),
        ({"milestone": "x", "milestone_id": "Any"}, "milestone_id, milestone are mutually exclusive"),
        ({"created_after": "x"}, "created_after is invalid"),
        ({"not": {"author_id": "x"}}, "not[author_id] is invalid"),
    ],
)
def test_wrong_parameters(scene: Scene, params: dict[str, Any], error: str) -> None:
    refused = scene.client("owner").get(f"/projects/{scene.projects[0]['id']}/issues", **params)
    assert (refused.status_code, refused.json()) == (400, {"error": error})


def test_archived_projects_are_left_out(world: World, scene: Scene) -> None:
    owner = scene.people[0]
    group = world.group(owner)
    project = world.project(owner, namespace_id=group["id"])
    created = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a"})
    owner.client.ok("POST", f"/projects/{project['id']}/archive")
    path = f"/groups/{group['id']}/issues"
    assert ids(owner.client, path, {}) == []
    assert ids(owner.client, path, {"non_archived": False}) == [created["id"]]
    assert ids(owner.client, f"/projects/{project['id']}/issues", {}) == [created["id"]]


def test_a_page_costs_the_same_whatever_its_size(scene: Scene) -> None:
    client = scene.client("owner")
    for path in ("/issues", f"/projects/{scene.projects[0]['id']}/issues", f"/groups/{scene.group['id']}/issues"):
        assert len({client.queries(path, per_page=size, scope="all") for size in (5, 100)}) == 1
