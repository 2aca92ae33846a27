"""Forms of settings that two people may have open at once: as those of `edited_fields`, from declared fields."""

from collections.abc import Sequence

from ingot.kit.params import Params
from ingot.web.call import PageCall
from ingot.web.edited_fields import Rival, rivals, untouched
from ingot.web.fields import FormField, Input

UNSHOWN = ("secret", "blank", "picture", "keyed")  # kinds whose values no form shows


def drawn(fields: Sequence[FormField]) -> dict[str, object]:
    """What the fields show, as a browser sends it."""
    return {entry.name: _drawn(entry) for entry in fields if entry.kind not in UNSHOWN}


def rivals_of(call: PageCall, now: Sequence[FormField]) -> list[Rival]:
    """Fields that were changed here and meanwhile; `now` has them as they are."""
    return rivals(call, _typed(call, now), drawn(now), {entry.name: entry.label for entry in now})


def touched(call: PageCall, params: type[Params], inputs: Sequence[Input], now: Sequence[FormField]) -> list[Input]:
    """The inputs of a form that somebody changed, with those that an endpoint takes together with them."""
    left_out = untouched(call, _typed(call, now))
    changed = {entry.name for entry in inputs if entry.name not in left_out}
    if not changed:
        return []
    whole = {_outer(name) for name in changed}
    for names in params.exclusive:
        whole |= set(names) if whole & set(names) else set()
    return [entry for entry in inputs if _outer(entry.name) in whole or params.fields[_outer(entry.name)].required]


def _outer(name: str) -> str:
    return name.partition(".")[0]


def _typed(call: PageCall, fields: Sequence[FormField]) -> dict[str, object]:
    return {name: _sent(call, entry) for entry in fields if (name := entry.name) and entry.kind not in UNSHOWN}


def _sent(call: PageCall, entry: FormField) -> object:
    value = call.values.get(entry.name)
    if entry.kind == "check":
        return value is not None
    return _many(value) if entry.kind == "many" else value if isinstance(value, str) else ""


def _drawn(entry: FormField) -> object:
    if entry.kind == "check":
        return bool(entry.value)
    if entry.kind == "many":
        return _many(entry.value)
    shown = "" if entry.value is None else str(entry.value)
    return shown[:16] if entry.kind == "moment" else shown


def _many(value: object) -> str:
    return ", ".join(sorted(map(str, value))) if isinstance(value, list) else ""
