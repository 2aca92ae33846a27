"""Forms that two people may have open at once: what one saves does not undo what the other saved meanwhile.

A form says in its field `seen` what each of its others held when it was drawn. Those that come back as they were drawn
are left out of the call. Those that both have changed come back in their form, with what the other wrote.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ingot.kit.errors import Conflict
from ingot.web.call import PageCall
from ingot.web.filters import label

SEEN = "seen"
LONGEST_SEEN = 10_000  # characters
DIGITS = 16
# What the forms call a field, where its name does not say it.
LABELS = {
    "milestone_id": "Milestone", "issue_type": "Type", "discussion_locked": "Locked", "target_branch": "Target branch",
    "merge_after": "Merge after", "remove_source_branch": "Delete the source branch after merging",
    "allow_collaboration": "Allow commits from members who can merge to the target branch",
}  # fmt: skip
# By the parameter of the endpoint, the field that it is made from.
PARAMETERS = {"assignee_ids": "assignees", "reviewer_ids": "reviewers"}

Values = Mapping[str, object]  # of a form's fields: texts, and whether boxes are ticked


class Rival(msgspec.Struct, frozen=True):
    """A field that was changed meanwhile, with what it holds now."""

    label: str
    now: str


def seen_in(shown: Values) -> str:
    """What a form that shows these values says in `seen`."""
    return msgspec.json.encode({name: _version(value) for name, value in shown.items()}).decode()


def untouched(call: PageCall, typed: Values) -> frozenset[str]:
    """Fields that came back as they were drawn; none where the form does not say how it was drawn."""
    seen = _seen(call)
    return frozenset(name for name, value in typed.items() if seen.get(name) == _version(value))


def rivals(call: PageCall, typed: Values, now: Values, labels: Mapping[str, str] = LABELS) -> list[Rival]:
    """Fields that were changed here and meanwhile, each in another way."""
    seen = _seen(call)
    changed = (
        name for name, value in typed.items()
        if name in seen and len({seen[name], _version(value), _version(now[name])}) == 3
    )  # fmt: skip
    return [Rival(labels.get(name) or label(name), _in_words(now[name])) for name in changed]


def refuse_rivals(found: Sequence[Rival]) -> None:
    """409 for a form with such fields, before anything of it is saved."""
    if found:
        names = " and ".join(f"“{rival.label}”" for rival in found)
        were = "was" if len(found) == 1 else "were"
        raise Conflict(
            f"{names} {were} changed by someone else while you were editing. Save again to replace their changes."
        )


def changed_fields(call: PageCall, sent: Values, typed: Values, now: Values) -> dict[str, Any]:
    """What is saved of the fields that the form sends; 409 where one of them was changed meanwhile, too."""
    refuse_rivals(rivals(call, typed, now))
    left_out = untouched(call, typed)
    return {name: value for name, value in sent.items() if PARAMETERS.get(name, name) not in left_out}


def filled_form(call: PageCall, typed: Values, now: Values) -> dict[str, Any]:
    """What the template of such a form needs: the values as they were typed, those that nobody touched as they are."""
    kept = untouched(call, typed)
    values = {**now, **{name: value for name, value in typed.items() if name not in kept}}
    return {"values": values, "seen": seen_in(now), "rivals": rivals(call, typed, now)}


def _seen(call: PageCall) -> dict[str, str]:
    sent = call.values.get(SEEN)
    if not isinstance(sent, str) or len(sent) > LONGEST_SEEN:
        return {}
    try:
        return msgspec.json.decode(sent, type=dict[str, str])
    except msgspec.MsgspecError:
        return {}


def _version(value: object) -> str:
    """A short name of a value; browsers send other ends of lines, and forms take no spaces around texts."""
    plain = str(value).replace("\r\n", "\n").strip()
    return hashlib.sha256(plain.encode(errors="surrogatepass")).hexdigest()[:DIGITS]


def _in_words(value: object) -> str:
    return ("Yes" if value else "No") if isinstance(value, bool) else str(value)
