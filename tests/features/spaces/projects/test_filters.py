"""Every filter and order of the project list, alone and in pairs, as four callers, against an independent oracle."""

import itertools
from typing import Any

import pytest

from tests.features.spaces.projects.oracle import expected
from tests.features.spaces.projects.seeded import SeededWorld
from tests.support.world import World

ALONE: list[dict[str, Any]] = [
    {},
    {"archived": True},
    {"archived": False},
    {"active": True},
    {"active": False},
    {"visibility": "public"},
    {"visibility": "internal"},
    {"visibility": "private"},
    {"owned": True},
    {"membership": True},
    {"membership": False},
    *({"min_access_level": level} for level in (10, 15, 20, 30, 40, 50)),
    {"starred": True},
    {"imported": True},
    {"with_issues_enabled": True},
    {"with_issues_enabled": False},
    {"with_merge_requests_enabled": True},
    {"with_programming_language": "python"},
    {"with_programming_language": "C++"},
    {"with_programming_language": "cobol"},
    {"id_after": 30},
    {"id_before": 30},
    {"last_activity_after": "2024-01-06T00:00:00Z"},
    {"last_activity_before": "2024-01-06T00:00:00Z"},
    {"updated_after": "2024-01-05T00:00:00Z", "order_by": "updated_at"},
    {"updated_before": "2024-01-05T00:00:00Z", "order_by": "updated_at"},
    {"updated_after": "2024-01-09T00:00:00Z", "updated_before": "2024-01-05T00:00:00Z", "order_by": "updated_at"},
    {"repository_storage": "other"},
    {"repository_checksum_failed": True},
    {"wiki_checksum_failed": True},
    {"topic": "ruby"},
    {"topic": "ruby, Web"},
    {"topic": "web"},
    {"topic": "nothing"},
    {"topic": ""},
    {"marked_for_deletion_on": "2024-02-01"},
    {"include_pending_delete": True},
    {"include_hidden": True},
    {"custom_attributes": {"color": "red"}},
]

SEARCHES = [
    {"search": search, "search_namespaces": whole}
    for search in ("alpha", "GAMMA", "ünder", "ga li", "a", "p-x", "light beta", '"v2 light"', "100%", "_", "e_c", "\\")
    for whole in (False, True)
]

ORDERS = [
    {"order_by": order, "sort": sort}
    for order in (
        "id", "name", "path", "created_at", "updated_at", "last_activity_at", "star_count", "repository_size",
        "storage_size", "packages_size", "wiki_size",
    )
    for sort in ("asc", "desc")
]  # fmt: skip

SIMILAR = [
    {"order_by": "similarity", "search": search, "sort": sort}
    for search in ("alpha", "beta", "p")
    for sort in ("asc", "desc")
]

PAIRED = [
    {"archived": False},
    {"visibility": "internal"},
    {"owned": True},
    {"membership": True, "min_access_level": 30},
    {"starred": True},
    {"with_issues_enabled": True},
    {"search": "alpha"},
    {"topic": "ruby"},
    {"id_after": 20},
    {"last_activity_after": "2024-01-04T00:00:00Z"},
    {"order_by": "name", "sort": "asc"},
]
PAIRS = [{**one, **other} for one, other in itertools.combinations(PAIRED, 2)]


@pytest.fixture(scope="module")
def seeded(world: World) -> SeededWorld:
    return SeededWorld(world)


def mismatches(seeded: SeededWorld, caller: str, bodies: list[dict[str, Any]]) -> list[str]:
    who, result = seeded.callers[caller], []
    for body in bodies:
        answer = who.client.get("/projects", per_page=100, **body)
        assert answer.status_code == 200, (body, answer.text)
        shown = [project["id"] for project in answer.json()]
        expected_ids = expected(who, seeded.seeds, body)
        total = answer.headers["X-Total"]
        if shown != expected_ids or total != str(len(expected_ids)):
            result.append(f"{body}: {shown} (total {total}) instead of {expected_ids}")
    return result


CALLERS = ("anonymous", "ben", "eve", "admin")


@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize("group", ["alone", "searches", "orders", "similar", "pairs"])
def test_the_list_shows_what_the_oracle_says(seeded: SeededWorld, caller: str, group: str) -> None:
    bodies = {"alone": ALONE, "searches": SEARCHES, "orders": ORDERS, "similar": SIMILAR, "pairs": PAIRS}[group]

    assert mismatches(seeded, caller, bodies) == []


def test_the_seeded_world_can_tell_the_filters_apart(seeded: SeededWorld) -> None:
    assert len(seeded.seeds) >= 60
    everything = expected(seeded.callers["admin"], seeded.seeds, {})
    for body in ({"archived": True}, {"starred": True}, {"owned": True}, {"imported": True}):
        some = expected(seeded.callers["ben"], seeded.seeds, body)
        assert 0 < len(some) < len(everything), body


def test_keyset_pages_show_the_same_as_offset_pages(seeded: SeededWorld) -> None:
    ben = seeded.callers["ben"]
    for sort in ("asc", "desc"):
        body = {"order_by": "id", "sort": sort}
        seen: list[int] = []
        page = ben.client.get("/projects", pagination="keyset", per_page=7, **body)
        while page.json():
            seen += [project["id"] for project in page.json()]
            target = page.headers["Link"].partition("<")[2].partition(">")[0].partition("/api/v4")[2]
            page = ben.client.request("GET", target)
        assert seen == expected(ben, seeded.seeds, body)
        assert "Link" not in page.headers


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"archived": "maybe"}, "archived is invalid"),
        ({"owned": "maybe"}, "owned is invalid"),
        ({"min_access_level": 60}, "min_access_level does not have a valid value"),
        ({"min_access_level": 5}, "min_access_level does not have a valid value"),
        ({"visibility": "secret"}, "visibility does not have a valid value"),
        ({"topic_id": "x"}, "topic_id is invalid"),
        ({"id_after": "x"}, "id_after is invalid"),
        ({"last_activity_after": "x"}, "last_activity_after is invalid"),
        ({"marked_for_deletion_on": "x"}, "marked_for_deletion_on is invalid"),
        ({"order_by": "size"}, "order_by does not have a valid value"),
        ({"sort": "up"}, "sort does not have a valid value"),
        ({"per_page": 0}, "per_page has a value not allowed"),
    ],
)
def test_bad_values_are_refused(seeded: SeededWorld, body: dict[str, Any], text: str) -> None:
    answer = seeded.callers["anonymous"].client.get("/projects", **body)

    assert (answer.status_code, answer.json()) == (400, {"error": text})


@pytest.mark.parametrize("body", [{}, {"statistics": True}, {"search": "alpha"}, {"simple": True}])
def test_a_page_costs_the_same_number_of_queries_whatever_its_size(seeded: SeededWorld, body: dict[str, Any]) -> None:
    ben = seeded.callers["ben"].client
    few = ben.queries("/projects", per_page=5, **body)
    many = ben.queries("/projects", per_page=100, **body)

    assert few == many <= 10


def test_a_single_project_costs_at_most_eight_queries(seeded: SeededWorld) -> None:
    seen = [seed for seed in seeded.seeds if seeded.callers["ben"].sees(seed) and not (seed.pending or seed.hidden)]

    counts = {seeded.callers["ben"].client.queries(f"/projects/{seed.id}") for seed in seen[:10]}

    assert max(counts) <= 8
