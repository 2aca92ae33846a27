"""Options of a list are taken apart into what decides its statement and what is bound."""

from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import Column, ColumnElement, Integer, MetaData, String, Table, select

from ingot.kit.list_forms import AnyOf, FormKey, Word, form_of, options_of
from ingot.kit.params import ANY, Param, Params
from ingot.kit.statements import Shapes

tools = Table("form_tools", MetaData(), Column("id", Integer, primary_key=True), Column("name", String(50)))


class Without(Params):
    """Tools that are left out."""

    name: str | None = Param("Another name.")


class ListTools(Params):
    """A list."""

    name: str | None = Param("Name.")
    names: list[str] = Param("One of these.", comma=True)
    parts: list[str] = Param("Each of these.", comma=True)
    owner_id: int | None = Param("Owner.", words=True)
    before: datetime | None = Param("Made before.")
    sort: str = Param("Direction.", default="asc", one_of=("asc", "desc"))
    is_heavy: bool | None = Param("Heavy ones.")
    page: int = Param("Page.", default=1)
    not_: Without | None = Param("Not these.", wire="not")


CONVERSIONS = {"name": str.lower, "names": AnyOf, "not_name": lambda name: Word(name) if name == "#any" else name}


def key_of(**sent: object) -> FormKey:
    return form_of(ListTools.parse(sent), CONVERSIONS, {"page"}).key


def values_of(**sent: object) -> dict[str, Any]:
    return form_of(ListTools.parse(sent), CONVERSIONS, {"page"}).values


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"name": "anvil"}, {"name": "tongs"}),
        ({"owner_id": "1"}, {"owner_id": "2"}),
        ({"names": "a"}, {"names": "a,b,c"}),
        ({"parts": "a,b"}, {"parts": "c,d"}),
        ({"before": "2026-01-01"}, {"before": "2027-01-01"}),
        ({"not": {"name": "anvil"}}, {"not": {"name": "tongs"}}),
        ({"page": "1"}, {"page": "7"}),
        ({"name": "anvil", "sort": "desc"}, {"sort": "desc", "name": "tongs"}),
    ],
)
def test_other_values_have_the_same_form(one: dict[str, object], other: dict[str, object]) -> None:
    assert key_of(**one) == key_of(**other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"name": "anvil"}),
        ({"name": ""}, {"name": "anvil"}),
        ({"owner_id": "1"}, {"owner_id": "None"}),
        ({"owner_id": "Any"}, {"owner_id": "None"}),
        ({"parts": "a,b"}, {"parts": "a,b,c"}),
        ({"names": "a"}, {"parts": "a"}),
        ({"sort": "asc"}, {"sort": "desc"}),
        ({"is_heavy": "true"}, {"is_heavy": "false"}),
        ({"name": "anvil"}, {"not": {"name": "anvil"}}),
        ({"not": {"name": "anvil"}}, {"not": {"name": "#any"}}),
    ],
)
def test_other_conditions_have_another_form(one: dict[str, object], other: dict[str, object]) -> None:
    assert key_of(**one) != key_of(**other)


def test_values_are_converted_and_named_after_their_option() -> None:
    values = values_of(**{"name": "ANVIL", "names": "a,b", "parts": "c,d", "not": {"name": "Tongs"}, "sort": "desc"})

    assert values == {"name": "anvil", "names": ["a", "b"], "parts_0": "c", "parts_1": "d", "not_name": "Tongs"}


def test_options_of_a_form_read_like_those_that_were_sent() -> None:
    sent = {"name": "anvil", "parts": "c,d", "owner_id": "any", "sort": "desc", "is_heavy": "false", "names": ""}

    options = options_of(key_of(**{**sent, "not": {"name": "#any"}}))

    assert isinstance(options, ListTools)
    assert (options.sort, options.is_heavy, options.owner_id, options.names) == ("desc", False, ANY, [])
    assert options.before is None
    assert options.not_ is not None
    assert options.not_.name == "#any"
    assert isinstance(options.name, ColumnElement)
    assert options.name  # it was sent
    assert len(options.parts) == 2
    assert str(select(tools).where(tools.c.name == options.name)).endswith("form_tools.name = :name")


def test_what_was_sent_cannot_become_part_of_the_statement() -> None:
    given = options_of(key_of(name="anvil")).name

    with pytest.raises(AttributeError):
        given.lower()
    with pytest.raises(TypeError):
        len(given)


def test_options_that_were_set_but_not_sent_are_not_those_of_the_form() -> None:
    options = ListTools.parse({})
    options.name = "anvil"

    assert form_of(options).key == key_of()
    assert options_of(form_of(options).key).name is None


def test_forms_with_many_conditions_are_not_worth_keeping() -> None:
    assert key_of(parts="a,b,c").is_common
    assert key_of(names=",".join(map(str, range(100)))).is_common
    assert not key_of(parts=",".join(map(str, range(9)))).is_common


def test_statements_that_nobody_asks_for_are_dropped() -> None:
    built: list[int] = []

    def build(number: int) -> int:
        built.append(number)
        return number

    shapes: Shapes[int] = Shapes(most=2)
    for number in (1, 2, 3, 1, 4, 1, 2, 5, 1):
        assert shapes.get(number, lambda number=number: build(number)) == number

    assert built == [1, 2, 3, 4, 2, 5]
