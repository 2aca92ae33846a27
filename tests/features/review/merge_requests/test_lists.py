from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from ingot.features.planning.issuable_lists.labelled import Bounds, Labelled
from ingot.features.review.merge_requests import merge_request_labels, merge_requests
from tests.features.review.merge_requests.lists_oracle import EXCLUSIVE, predicates, values
from tests.features.review.merge_requests.lists_world import Caller, ListsWorld, Request
from tests.support.world import World

ALONE = [
    "state", "scope", "author_id", "author_username", "assignee_id", "reviewer_id", "reviewer_username",
    "merge_user_id", "merge_user_username", "labels", "milestone", "my_reaction_emoji", "search", "source_branch",
    "target_branch", "wip", "created_after", "created_before", "updated_after", "updated_before", "environment",
    "deployed_after", "deployed_before", "approved_by_ids", "approved_by_usernames", "not[labels]",
    "not[milestone]", "not[author_id]", "not[author_username]", "not[assignee_id]", "not[assignee_username]",
    "not[reviewer_id]", "not[reviewer_username]", "not[my_reaction_emoji]",
]  # fmt: skip
LISTS = ("global", "project", "group")


@pytest.fixture(scope="module")
def seeded(world: World) -> ListsWorld:
    return ListsWorld(world)


def path_of(seeded: ListsWorld, place: str) -> str:
    match place:
        case "project":
            return f"/projects/{seeded.projects['public']['id']}/merge_requests"
        case "group":
            return f"/groups/{seeded.group['id']}/merge_requests"
        case _:
            return "/merge_requests"


def base(seeded: ListsWorld, caller: Caller, place: str) -> list[Request]:
    match place:
        case "project":
            names = {"public"}
        case "group":
            names = seeded.group_projects & caller.readable - {"archived"}
        case _:
            names = caller.readable
    return [request for request in seeded.requests if request.project in names]


def ask(seeded: ListsWorld, caller: Caller, place: str, body: dict[str, Any]) -> list[int]:
    query = dict(body)
    if place == "global":
        query.setdefault("scope", "all")
    result: list[int] = []
    for page in range(1, 9):
        reply = caller.client.get(path_of(seeded, place), per_page=100, page=page, view="simple", **query)
        if reply.status_code == 401:
            return [-1]
        assert reply.status_code == 200, reply.text
        result += [request["id"] for request in reply.json()]
        if not reply.headers["X-Next-Page"]:
            return result
    raise AssertionError("the list does not end")


def expected(seeded: ListsWorld, caller: Caller, place: str, body: dict[str, Any]) -> list[int]:
    if place == "global" and caller.user_id is None and body.get("scope", "all") != "all":
        return [-1]
    makers = predicates(seeded)
    chosen = base(seeded, caller, place)
    for name, value in body.items():
        keep = makers[name](value)
        chosen = [request for request in chosen if keep(request, caller)]
    chosen.sort(key=lambda request: (request.created_at, request.id), reverse=True)
    return [request.id for request in chosen]


@pytest.mark.parametrize("place", LISTS)
@pytest.mark.parametrize("name", ALONE)
def test_each_filter_alone(seeded: ListsWorld, name: str, place: str) -> None:
    for value in values(seeded)[name]:
        # The visibility of each caller is tried in the global list; the others need only two.
        for caller in seeded.callers if place == "global" else seeded.callers[:3:2]:
            body = {name: value}
            assert ask(seeded, caller, place, body) == expected(seeded, caller, place, body), (caller.name, body)


@pytest.mark.parametrize("bounds", [Bounds(), Bounds(rare=0), Bounds(few_ids=0), Bounds(rare=0, few_ids=0)])
@pytest.mark.parametrize("names", [{"bug"}, {"docs"}, {"bug", "feature"}, {"bug", "Docs"}, {"bug", "unknown"}])
@pytest.mark.parametrize("project", ["public", None])
def test_every_way_to_find_labels_finds_the_same(
    seeded: ListsWorld, bounds: Bounds, names: set[str], project: str | None
) -> None:
    project_id = seeded.projects[project]["id"] if project else None
    query = select(merge_requests.c.id)
    if project_id is not None:
        query = query.where(merge_requests.c.project_id == project_id)
    requests = [request for request in seeded.requests if project in (request.project, None)]

    with seeded.world.server.services.db.read() as conn:
        labelled = Labelled(merge_requests, merge_request_labels, "merge_request_id", bounds)
        form, found = labelled.find(conn, names, project_id)
        is_whole = project_id is not None
        bearing, counted = labelled.by_all(query, form, is_whole=is_whole)
        with_all = conn.execute(bearing, found).scalars().all()
        count = len(conn.execute(bearing if counted is None else counted, found).all())
        of_opened = query.where(merge_requests.c.state == "opened")
        opened, counted = labelled.by_all(of_opened, form, is_whole=is_whole, state="opened")
        with_all_opened = conn.execute(opened, found).scalars().all()
        opened_count = len(conn.execute(opened if counted is None else counted, found).all())
        others, found = labelled.find_any(conn, names)
        with_none = conn.execute(labelled.by_none(query, others), found).scalars().all()

    assert sorted(with_all) == sorted(one.id for one in requests if names <= set(one.labels))
    assert sorted(with_none) == sorted(one.id for one in requests if not names & set(one.labels))
    assert count == len(with_all)
    assert set(with_all_opened) == {one.id for one in requests if names <= set(one.labels) and one.state == "opened"}
    assert opened_count == len(with_all_opened)


@given(data=st.data())
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    phases=[Phase.generate],
)
def test_pairs_of_filters(seeded: ListsWorld, data: st.DataObject) -> None:
    choices = values(seeded)
    names = data.draw(st.lists(st.sampled_from(ALONE), min_size=2, max_size=3, unique=True))
    if any(pair <= set(names) for pair in EXCLUSIVE) or {"deployed_after", "deployed_before", "environment"} & set(
        names
    ):
        names = names[:1]
    body = {name: data.draw(st.sampled_from(choices[name])) for name in names}
    caller = data.draw(st.sampled_from(seeded.callers))
    place = data.draw(st.sampled_from(LISTS))

    assert ask(seeded, caller, place, body) == expected(seeded, caller, place, body)


@pytest.mark.parametrize("order_by", ["created_at", "updated_at", "title", "merged_at", "popularity"])
@pytest.mark.parametrize("sort", ["asc", "desc"])
def test_orders(seeded: ListsWorld, order_by: str, sort: str) -> None:
    caller = seeded.callers[-1]
    keys: dict[str, Any] = {
        "created_at": lambda r: r.created_at,
        "updated_at": lambda r: r.updated_at,
        "title": lambda r: r.title.lower(),
        "merged_at": lambda r: r.merged_at,
        "popularity": lambda r: sum(emoji == "thumbsup" for _, emoji in r.reactions),
    }
    newest = sorted(base(seeded, caller, "global"), key=lambda r: r.id, reverse=True)
    present = [request for request in newest if keys[order_by](request) is not None]
    missing = [request for request in newest if keys[order_by](request) is None]
    present.sort(key=keys[order_by], reverse=sort == "desc")
    if sort == "desc":
        # A reversed sort keeps equal keys in their order, so ties stay newest first.
        assert present == sorted(present, key=keys[order_by], reverse=True)

    result = ask(seeded, caller, "global", {"order_by": order_by, "sort": sort})

    assert result == [request.id for request in [*present, *missing]]


def test_a_page_costs_the_same_whatever_its_size(seeded: ListsWorld) -> None:
    admin = seeded.callers[-1].client
    for place in LISTS:
        query = {"scope": "all"} if place == "global" else {}
        counts = {admin.queries(path_of(seeded, place), per_page=size, **query) for size in (20, 100)}
        assert len(counts) == 1, counts


def test_private_scopes_of_anonymous_callers(seeded: ListsWorld) -> None:
    anonymous = seeded.callers[0].client

    assert anonymous.get("/merge_requests").json() == {"message": "401 Unauthorized"}
    path = path_of(seeded, "project")
    assert anonymous.get(path, scope="created_by_me").json() == []


def test_too_many_approvers_are_refused(seeded: ListsWorld) -> None:
    reply = seeded.callers[-1].client.get("/merge_requests", approved_by_ids=[1, 2, 3, 4, 5, 6])

    assert reply.status_code == 400
    assert "at most 5" in reply.json()["error"]


def test_the_group_list_names_groups_and_can_show_archived_projects(seeded: ListsWorld) -> None:
    admin, path = seeded.callers[-1].client, path_of(seeded, "group")
    total = len([request for request in seeded.requests if request.project in seeded.group_projects])

    shown = admin.get(path, per_page=1, non_archived=False)

    assert shown.headers["X-Total"] == str(total)
    direct = admin.get(path, source_branch="topic-7", per_page=100).json()
    for request in direct:
        project = next(p for p in seeded.projects.values() if p["id"] == request["project_id"])
        is_direct = project["namespace"]["id"] == seeded.group["id"]
        full = f"{project['path_with_namespace']}!{request['iid']}"
        assert request["group_id"] == project["namespace"]["id"]
        relative = f"{project['path']}!{request['iid']}" if is_direct else full
        assert request["references"] == {"short": f"!{request['iid']}", "relative": relative, "full": full}


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ({"state": "open"}, "state does not have a valid value"),
        ({"assignee_id": "foo"}, "assignee_id should be an integer, none, or any, however got foo"),
        ({"author_id": 1, "author_username": "x"}, "author_id, author_username are mutually exclusive"),
        (
            {"not[reviewer_id]": 1, "not[reviewer_username]": "x"},
            "not[reviewer_id], not[reviewer_username] are mutually exclusive",
        ),
        ({"not[reviewer_id]": "None"}, "not[reviewer_id] is invalid"),
        ({"not": "x"}, "not is invalid"),
        ({"created_after": "soon"}, "created_after is invalid"),
        ({"wip": "maybe"}, "wip does not have a valid value"),
        ({"order_by": "size"}, "order_by does not have a valid value"),
        ({"view": "full"}, "view does not have a valid value"),
        ({"approved": "maybe"}, "approved does not have a valid value"),
    ],
)
def test_bad_values_are_named(seeded: ListsWorld, query: dict[str, Any], error: str) -> None:
    reply = seeded.callers[-1].client.get(path_of(seeded, "project"), **query)

    assert (reply.status_code, reply.json()) == (400, {"error": error})
