"""From the declaration of a setting follow its parameter, its field and its place in archives."""

from enum import Enum
from typing import Annotated

import msgspec
import pytest

from ingot.kit.catalogue import Apart, Archived, Catalogue, LeftOut, Setting
from ingot.kit.entity import Entity
from ingot.kit.errors import ParamError
from ingot.kit.params import Param, Params


class Who(Enum):
    ANYONE = 1


class Settings(msgspec.Struct, kw_only=True):
    colour: Annotated[
        str, Setting("Colour.", Archived("looks", "color"), Who.ANYONE, Who.ANYONE, one_of=("red", "blue"))
    ] = "red"
    depth: Annotated[int | None, Setting("Depth.", Archived(), Who.ANYONE, Who.ANYONE, least=0)] = None
    tags: Annotated[list[str], Setting("Tags.", Archived(names=("a", "b")), Who.ANYONE, Who.ANYONE)] = msgspec.field(
        default_factory=list
    )
    secret: Annotated[str, Setting("Secret.", LeftOut("a secret"), Apart("hidden"), Apart("drawn"))] = ""
    loud: Annotated[
        bool | None, Setting("Loud.", LeftOut("no room"), Who.ANYONE, Who.ANYONE, instance_default=True)
    ] = None


CATALOGUE = Catalogue(Settings, Setting)


@CATALOGUE.parameters()
class Edit(Params):
    """An edit."""

    beta: str | None = Param("Own.")

    def shouted(self) -> str:
        return (self.beta or "").upper()


@CATALOGUE.shown()
class Shown(Entity, kw_only=True):
    """A form."""

    id: int


def test_parameters_gain_what_callers_may_write() -> None:
    assert list(Edit.fields) == ["beta", "colour", "depth", "loud", "tags"]
    params = Edit.parse({"beta": "x", "tags": "a,b", "depth": "3"})
    assert (params.given(), params.shouted()) == ({"beta": "x", "tags": ["a", "b"], "depth": 3}, "X")
    with pytest.raises(ParamError, match="colour does not have a valid value"):
        Edit.parse({"colour": "green"})


def test_entities_gain_what_callers_may_read() -> None:
    assert Shown.__doc__ == "A form."
    assert msgspec.to_builtins(Shown(id=1)) == {"id": 1}
    values = {"id": 1, "colour": "blue"}
    assert msgspec.to_builtins(Shown(**values)) == values
    described = msgspec.json.schema(Shown)["$defs"]["Shown"]["properties"]
    assert list(described) == ["id", "colour", "depth", "tags", "loud"]
    assert described["loud"] == {"type": "boolean"}


def test_archives_know_each_setting_by_its_name_there() -> None:
    assert CATALOGUE.archived("looks") == {"colour": "color"}
    assert CATALOGUE.archived("project") == {"depth": "depth"}
    assert CATALOGUE.archived_by_hand("project") == {"tags": ("a", "b")}


def test_values_are_checked_by_the_declaration() -> None:
    assert CATALOGUE.problems({"depth": -1, "other": 1}) == {"depth": ["must be greater than or equal to 0"]}
    assert CATALOGUE.problems({"depth": None}) == {}


def test_a_field_without_a_declaration_is_refused_by_name() -> None:
    class Forgotten(msgspec.Struct):
        plain: bool = True

    with pytest.raises(TypeError, match=r"Forgotten\.plain needs Annotated"):
        Catalogue(Forgotten, Setting)
