"""Feature flags on the wire."""

from collections.abc import Mapping

from ingot.instance import FLAGS
from ingot.kit.entity import Entity


class Gate(Entity):
    """One gate of a flag."""

    key: str
    value: bool | int | list[str]


class Definition(Entity):
    """A flag that the code knows."""

    name: str
    type: str
    default_enabled: bool


class Flag(Entity):
    """A flag that was set: on, off, or on for some."""

    name: str
    state: str
    gates: list[Gate]
    definition: Definition | None


def definition_of(name: str) -> Definition | None:
    """The definition of a flag that the code knows."""
    return Definition(name=name, type="development", default_enabled=FLAGS[name]) if name in FLAGS else None


def flag(name: str, gates: Mapping[str, int | list[str]], *, enabled: bool) -> Flag:
    """The flag as administrators see it; the boolean gate is always there."""
    shown = [Gate(key="boolean", value=enabled)]
    shown += [Gate(key=key, value=value) for key, value in gates.items() if value]
    state = "on" if enabled else "conditional" if len(shown) > 1 else "off"
    return Flag(name=name, state=state, gates=shown, definition=definition_of(name))
