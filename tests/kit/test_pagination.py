"""Offset pages over HTTP: headers, links and bounds. Keyset pages are tested where lists offer them."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support.world import World


@pytest.fixture(scope="module", autouse=True)
def _seven_people(world: World) -> None:
    for _ in range(7):
        world.user(world.name("page-person"))


def page(world: World, **params: object) -> tuple[int, dict[str, str], dict[str, str]]:
    reply = world.admin.get("/users", search="page-person", **params)
    links = {name: link["url"] for name, link in reply.links.items()}
    return len(reply.json()), dict(reply.headers), links


def test_the_first_page(world: World) -> None:
    count, headers, links = page(world, per_page=3)

    assert count == 3
    assert (headers["x-page"], headers["x-per-page"], headers["x-next-page"], headers["x-prev-page"]) == (
        "1", "3", "2", "",
    )  # fmt: skip
    assert (headers["x-total"], headers["x-total-pages"]) == ("7", "3")
    assert list(links) == ["next", "first", "last"]


def test_a_page_in_the_middle_and_the_last(world: World) -> None:
    _, middle, links = page(world, per_page=3, page=2)
    count, last, last_links = page(world, per_page=3, page=3)

    assert (middle["x-next-page"], middle["x-prev-page"]) == ("3", "1")
    assert list(links) == ["prev", "next", "first", "last"]
    assert (count, last["x-next-page"], last["x-prev-page"]) == (1, "", "2")
    assert list(last_links) == ["prev", "first", "last"]


def test_a_page_past_the_end_is_empty(world: World) -> None:
    count, headers, links = page(world, per_page=3, page=9)

    assert (count, headers["x-page"], headers["x-next-page"], headers["x-prev-page"]) == (0, "9", "", "")
    assert list(links) == ["first", "last"]


def test_an_empty_list_has_one_page(world: World) -> None:
    reply = world.admin.get("/users", search="nobody-has-this-name")

    assert (reply.headers["x-total"], reply.headers["x-total-pages"]) == ("0", "1")


@pytest.mark.parametrize(
    ("asked", "effective"), [("500", "100"), ("100", "100"), ("-5", "20"), ("", "20"), (" 3 ", "3")]
)
def test_page_sizes_are_bounded(world: World, asked: str, effective: str) -> None:
    _, headers, _ = page(world, per_page=asked)

    assert headers["x-per-page"] == effective


@pytest.mark.parametrize("asked", ["0", "-3", ""])
def test_pages_below_the_first_are_the_first(world: World, asked: str) -> None:
    _, headers, _ = page(world, page=asked)

    assert headers["x-page"] == "1"


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("page", "abc", "page is invalid"),
        ("per_page", "0", "per_page has a value not allowed"),
        ("per_page", "1.5", "per_page is invalid"),
        ("page", "9" * 30, "page is invalid"),
    ],
)
def test_numbers_that_are_none(world: World, name: str, value: str, text: str) -> None:
    reply = world.admin.request("GET", f"/users?{name}={value}")

    assert (reply.status_code, reply.json()) == (400, {"error": text})


def test_links_keep_every_filter_and_no_token(world: World) -> None:
    query = "search=page-person&per_page=2&active=true&unknown[]=a&unknown[]=b%26c&h[k]=v&private_token=x"
    reply = world.server.client(None).http.get(
        f"/api/v4/users?{query}".replace("private_token=x", f"private_token={world.admin.token}")
    )
    link = reply.links["next"]["url"]
    result = parse_qs(urlsplit(link).query)

    assert link.startswith(f"{world.server.url}/api/v4/users?")
    assert result["search"] == ["page-person"]
    assert (result["page"], result["per_page"], result["active"]) == (["2"], ["2"], ["true"])
    assert (result["unknown[]"], result["h[k]"]) == (["a", "b&c"], ["v"])
    assert result["order_by"] == ["id"]
    assert "private_token" not in result
    assert list(result) == sorted(result)


def test_another_word_for_pagination_means_offset(world: World) -> None:
    _, headers, _ = page(world, pagination="whatever")

    assert headers["x-page"] == "1"


def test_a_long_query_is_repeated_only_in_the_link_to_the_next_page(world: World) -> None:
    ids = list(range(1, 2001))
    count, headers, links = page(world, per_page=3, unknown=ids)

    assert (count, headers["x-next-page"], list(links)) == (3, "2", ["next"])
    assert page(world, per_page=3, page=3, unknown=ids)[1].get("link") is None
