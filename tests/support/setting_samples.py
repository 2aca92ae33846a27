"""Values for settings of a catalogue that differ from the default, so that a test can tell whether they arrived."""

from typing import Any, get_args

import msgspec

from ingot.kit.catalogue import Catalogue, Setting

NUMBERS = (3, 7200)


def sample(catalogue: Catalogue[Any], defaults: msgspec.Struct, name: str) -> Any:
    """A fitting value that is not the default."""
    setting: Setting = catalogue.settings[name]
    default, kind = getattr(defaults, name), catalogue.types[name]
    kinds = get_args(kind) or (kind,)
    if kind == list[str]:
        assert setting.one_of is not None, name
        return [setting.one_of[0]]
    if setting.one_of is not None:
        return next(value for value in setting.one_of if value != default)
    if bool in kinds:
        return not default
    if int in kinds:
        return next(value for value in NUMBERS if value != default and not setting.problems(value))
    assert str in kinds, f"no sample for {name}, a {kind}"
    return "sample"
