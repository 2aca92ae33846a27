"""Settings declared once. The struct field is the declaration; parameters, entity and archive are derived from it.

class ProjectSettings(msgspec.Struct):
    merge_method: Annotated[str, Setting("How requests merge.", one_of=METHODS, archive=Archived())] = "merge"

CATALOGUE = Catalogue(ProjectSettings, Setting)

@CATALOGUE.parameters
class EditProject(Params): ...          # gains `merge_method`

@CATALOGUE.shown
class ProjectFull(Entity): ...          # gains `merge_method`
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import NoneType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from ingot.kit.params import Field, Params

Tier = Literal["free", "premium", "ultimate"]
E = TypeVar("E", bound=msgspec.Struct)
P = TypeVar("P", bound=Params)


@dataclass(frozen=True, slots=True)
class Apart:
    """The generated parameters or entity leave the setting out, for this reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Archived:
    """The relation of an archive that holds the setting, and its name there.

    `names` are attributes that code of the relation translates by hand, where one value is not one attribute.
    """

    relation: str = "project"
    name: str = ""  # empty: the setting's own name
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Archives leave the setting out, for this reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: how it is documented, checked, read, written and archived. Type and default are the field's."""

    doc: str
    archive: Archived | LeftOut
    read_by: Enum | Apart
    written_by: Enum | Apart
    tier: Tier = "free"  # below it, the setting is not shown and a sent value is ignored
    shown_tier: Tier | None = None  # where it differs from the tier that takes the value
    one_of: Sequence[str | int] | None = None
    aliases: tuple[str, ...] = ()
    longest: int | None = None
    least: int | None = None
    check: Callable[[Any], str | None] | None = None  # returns a problem, in the words of the errors
    listed_last: bool = False  # as the wire lists the parameters: by name, these after the others
    instance_default: bool = False  # None: the instance decides, and its value is shown

    def problems(self, value: object) -> list[str]:
        """The problems of a value that was sent; None is always valid."""
        if value is None:
            return []
        result = []
        if self.longest is not None and isinstance(value, str) and len(value) > self.longest:
            result.append(f"is too long (maximum is {self.longest} characters)")
        if self.least is not None and isinstance(value, int) and value < self.least:
            result.append(f"must be greater than or equal to {self.least}")
        if self.check is not None and (problem := self.check(value)) is not None:
            result.append(problem)
        return result


S = TypeVar("S", bound=Setting)


class Catalogue(Generic[S]):
    """The settings of one struct, in the order of their declaration."""

    def __init__(self, struct: type[msgspec.Struct], kind: type[S]) -> None:
        self.settings: dict[str, S] = {}
        self.types: dict[str, Any] = {}
        for name, hint in get_type_hints(struct, include_extras=True).items():
            declared = [entry for entry in get_args(hint) if isinstance(entry, kind)]
            if get_origin(hint) is not Annotated or not declared:
                raise TypeError(f"{struct.__name__}.{name} needs Annotated[..., {kind.__name__}(...)]")
            self.settings[name], self.types[name] = declared[0], get_args(hint)[0]
        self.nullable = frozenset(name for name, hint in self.types.items() if NoneType in get_args(hint))

    def named(self, *, read_by: Enum | None = None, written_by: Enum | None = None) -> tuple[str, ...]:
        """The settings with this reader or writer."""
        return tuple(
            name
            for name, setting in self.settings.items()
            if (read_by is None or setting.read_by is read_by)
            and (written_by is None or setting.written_by is written_by)
        )

    def parameters(self, *writers: Enum) -> Callable[[type[P]], type[P]]:
        """Class decorator: add a parameter for each setting that these writers, or any, may change."""

        def decorate(declared: type[P]) -> type[P]:
            added: dict[str, Field] = {}
            hints: dict[str, Any] = {}
            for name, setting in self.settings.items():
                if isinstance(setting.written_by, Apart) or (writers and setting.written_by not in writers):
                    continue
                is_list = get_origin(self.types[name]) is list
                hints[name] = self.types[name] if is_list else self.types[name] | None
                added[name] = Field(setting.doc, one_of=setting.one_of, aliases=setting.aliases, comma=is_list)
            last = {name for name in added if self.settings[name].listed_last}
            return _with_fields(declared, added, hints, last)

        return decorate

    def shown(self, *readers: Enum, always: Collection[Enum] = ()) -> Callable[[type[E]], type[E]]:
        """Class decorator: add a field for each setting that these readers, or any, may see.

        Those that `always` see it and need no tier have a required field; for the others it may be UNSET.
        """

        def decorate(declared: type[E]) -> type[E]:
            added: list[tuple[str, Any] | tuple[str, Any, Any]] = []
            for name, setting in self.settings.items():
                if isinstance(setting.read_by, Apart) or (readers and setting.read_by not in readers):
                    continue
                if setting.read_by in always and (setting.shown_tier or setting.tier) == "free":
                    added.append((name, self._shown_type(name)))
                else:
                    added.append((name, self._shown_type(name) | UnsetType, UNSET))
            return msgspec.defstruct(  # type: ignore[return-value]
                declared.__name__,
                added,
                bases=(declared,),
                module=declared.__module__,
                namespace={"__doc__": declared.__doc__},
                kw_only=True,
            )

        return decorate

    def archived(self, relation: str) -> dict[str, str]:
        """The settings that a relation holds as they are, with their names there."""
        return {
            name: setting.archive.name or name
            for name, setting in self.settings.items()
            if isinstance(setting.archive, Archived)
            and setting.archive.relation == relation
            and not setting.archive.names
        }

    def archived_by_hand(self, relation: str) -> dict[str, tuple[str, ...]]:
        """The settings that the relation's code translates, with their attributes there."""
        return {
            name: setting.archive.names
            for name, setting in self.settings.items()
            if isinstance(setting.archive, Archived) and setting.archive.relation == relation and setting.archive.names
        }

    def problems(self, values: Mapping[str, object]) -> dict[str, list[str]]:
        """The problems of the settings among the values, by name."""
        result = {name: self.settings[name].problems(value) for name, value in values.items() if name in self.settings}
        return {name: texts for name, texts in result.items() if texts}

    def _shown_type(self, name: str) -> Any:
        if not self.settings[name].instance_default:
            return self.types[name]
        return Union[tuple(option for option in get_args(self.types[name]) if option is not NoneType)]  # noqa: UP007


def _with_fields(declared: type[P], added: dict[str, Field], hints: dict[str, object], last: set[str]) -> type[P]:
    """The parameter set again, with more fields; in the order of the error that lists them all."""
    body = {name: value for name, value in vars(declared).items() if name not in ("__dict__", "__weakref__", "fields")}
    fields = {name: value for name, value in body.items() if isinstance(value, Field)} | added
    rest = {name: value for name, value in body.items() if name not in fields}
    rest["__annotations__"] = declared.__annotations__ | hints
    order = sorted(fields, key=lambda name: (name in last, name))
    return type(declared.__name__, declared.__bases__, rest | {name: fields[name] for name in order})
