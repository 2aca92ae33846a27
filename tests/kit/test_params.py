from datetime import date
from typing import Any

import pytest

from ingot.kit.errors import ParamError
from ingot.kit.params import ANY, NONE, Paging, Param, Params, Sentinel


class Inner(Params):
    keep_n: int | None = Param("How many.")
    action: str = Param("What.", required=True, blank=False)


class Everything(Params):
    number: int | None = Param("A number.")
    title: str | None = Param("A title.", max_length=5)
    state: str = Param("A state.", default="all", one_of=("opened", "closed", "all"))
    author: int | Sentinel | None = Param("An author.", words=True)
    labels: list[str] | Sentinel = Param("Labels.", words=True, comma=True)
    iids: list[int] = Param("Ids.")
    day: date | None = Param("A day.")
    search_in: str | None = Param("Where.", wire="in", aliases=("inside",))
    policy: Inner | None = Param("A hash.")
    actions: list[Inner] = Param("Hashes.")
    path: str | None = Param("A path.", pattern=r"[a-z]+")


def texts(params: type[Params], values: dict[str, Any]) -> str:
    with pytest.raises(ParamError) as caught:
        params.parse(values)
    return caught.value.text


def test_absent_parameters_have_their_defaults_and_are_not_sent() -> None:
    result: Any = Everything.parse({"unknown": "ignored"})

    assert (result.number, result.state, result.iids, result.labels) == (None, "all", [], [])
    assert result.sent == frozenset()
    assert result.given() == {}


def test_sent_parameters_are_known_even_when_empty() -> None:
    result: Any = Everything.parse({"number": "", "title": None, "state": None})

    assert (result.number, result.title) == (None, None)
    assert result.state == "all"
    assert result.sent == {"number", "title", "state"}


def test_an_empty_number_brings_the_default_back() -> None:
    result: Any = Paging.parse({"page": "", "per_page": None})

    assert (result.page, result.per_page) == (1, 20)


@pytest.mark.parametrize("word", ["None", "none", "NONE", "Any", "any"])
def test_the_words_none_and_any_in_any_case(word: str) -> None:
    expected = NONE if word.lower() == "none" else ANY

    result: Any = Everything.parse({"author": word, "labels": [word]})

    assert result.author is expected
    assert result.labels is expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"number": "x"}, "number is invalid"),
        ({"number": ["1"]}, "number is invalid"),
        ({"title": {"a": "b"}}, "title is invalid"),
        ({"title": "abcdef"}, "title title must be less than 5 characters"),
        ({"state": ""}, "state does not have a valid value"),
        ({"state": "open"}, "state does not have a valid value"),
        ({"author": "me"}, "author should be an integer, none, or any, however got me"),
        ({"iids": "1"}, "iids is invalid"),
        ({"day": "2024-13-01"}, "day is invalid"),
        ({"policy": "text"}, "policy is invalid"),
        ({"policy": {"keep_n": "x", "action": "a"}}, "policy[keep_n] is invalid"),
        ({"policy": {}}, "policy[action] is missing, policy[action] is empty"),
        ({"actions": [{"action": " "}]}, "actions[0][action] is empty"),
        ({"actions": [{"action": "a"}, {}]}, "actions[1][action] is missing, actions[1][action] is empty"),
        ({"path": "A1"}, "path is invalid"),
        ({"state": "x", "number": "y"}, "number is invalid, state does not have a valid value"),
    ],
)
def test_problems_are_named_in_the_order_of_declaration(values: dict[str, Any], expected: str) -> None:
    assert texts(Everything, values) == expected


def test_wire_names_and_aliases() -> None:
    first: Any = Everything.parse({"in": "title"})
    second: Any = Everything.parse({"inside": "title"})

    assert (first.search_in, second.search_in) == ("title", "title")
    assert first.sent == {"search_in"}


def test_hashes_come_indexed_too() -> None:
    result: Any = Everything.parse({"actions": {"1": {"action": "b"}, "0": {"action": "a"}}})

    assert [inner.action for inner in result.actions] == ["a", "b"]


class Sets(Params):
    user_id: int | None = Param("Id.")
    username: str | None = Param("Name.")
    group_access: int = Param("Level.", required=True, one_of=(10, 20))
    extern_uid: str | None = Param("Uid.")
    provider: str | None = Param("Provider.")
    exclusive = (("user_id", "username"),)
    all_or_none = (("extern_uid", "provider"),)


class AtLeastOne(Params):
    name: str | None = Param("Name.")
    path: str | None = Param("Path.")
    at_least_one = ("name", "path")


class ExactlyOne(Params):
    name: str | None = Param("Name.")
    path: str | None = Param("Path.")
    exactly_one = ("name", "path")


@pytest.mark.parametrize(
    ("params", "values", "expected"),
    [
        (Sets, {}, "group_access is missing, group_access does not have a valid value"),
        (Sets, {"group_access": "x"}, "group_access is invalid"),
        (Sets, {"group_access": 30}, "group_access does not have a valid value"),
        (Sets, {"group_access": 10, "user_id": 1, "username": "a"}, "user_id, username are mutually exclusive"),
        (
            Sets,
            {"group_access": 10, "provider": "a"},
            "extern_uid, provider provide all or none of parameters",
        ),
        (AtLeastOne, {}, "name, path are missing, at least one parameter must be provided"),
        (ExactlyOne, {}, "name, path are missing, exactly one parameter must be provided"),
        (ExactlyOne, {"name": "a", "path": "b"}, "name, path are mutually exclusive"),
        (Paging, {"page": "abc"}, "page is invalid"),
        (Paging, {"per_page": "0"}, "per_page has a value not allowed"),
    ],
)
def test_sets_and_lists_of_values(params: type[Params], values: dict[str, Any], expected: str) -> None:
    assert texts(params, values) == expected


def test_declarations_are_joined_by_inheritance() -> None:
    class More(Paging):
        search: str | None = Param("Search.")

    assert list(More.fields) == ["page", "per_page", "pagination", "search"]


def test_values_that_came_before_are_read_alike() -> None:
    values = {"number": "7", "state": "opened", "in": "title", "private_token": "secret"}
    first: Any = Everything.parse_again(values)
    first.iids.append(1)
    again: Any = Everything.parse_again({**values, "private_token": "other"})

    assert (again.number, again.state, again.search_in, again.iids) == (7, "opened", "title", [])
    assert again.sent == first.sent == {"number", "state", "search_in"}
    assert again is not first
    assert Everything.parse_again({"number": "8"}).given() == {"number": 8}
    assert Everything.parse_again({"iids": ["1", "2"]}).given() == {"iids": [1, 2]}
    with pytest.raises(ParamError):
        Everything.parse_again({"number": "seven"})
