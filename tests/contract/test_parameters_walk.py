"""A walk over the parameters of every POST, PUT and PATCH: each is refused or does something that can be seen.

Each is sent alone, besides what the call needs, with other values than before. A new endpoint is walked once it is
declared; `parameters.py` says what it needs, `exempt_parameters.py` why a parameter shows nothing.
"""

from functools import partial
from typing import Any

import pytest

from ingot.kit.endpoint import Endpoint
from ingot.kit.params import Field
from tests.contract.exempt_parameters import EXEMPT, UNWALKED, reason
from tests.contract.parameter_values import values
from tests.contract.parameters import FOLLOW, PICTURE, With, add_missing, base
from tests.contract.walked_records import OWN_PLACE, OWN_THING
from tests.support.furnishing import Furniture, furnish
from tests.support.observing import Attempt, Observation, default_reads, differing
from tests.support.walking import ENDPOINTS, named
from tests.support.world import World

pytestmark = [pytest.mark.long, pytest.mark.costly]

WRITES = [one for one in ENDPOINTS if one.method in ("POST", "PUT", "PATCH")]
RESTORED = ("/application/settings", "/application/appearance", "/projects/{id}", "/groups/{id}")


def parameters(endpoint: Endpoint) -> list[Field]:
    """What is not part of the path."""
    return [one for one in endpoint.params.fields.values() if one.wire not in endpoint.path_params]


class Walk:
    """One endpoint, called again and again."""

    def __init__(self, furniture: Furniture, endpoint: Endpoint) -> None:
        self.furniture, self.endpoint = furniture, endpoint
        place, own = OWN_PLACE.get(named(endpoint)), OWN_THING.get(named(endpoint))
        self.url = partial(_known, place(furniture) if place is not None else furniture.url(endpoint))
        if own is not None:
            self.url = partial(own, furniture)
        self.reads = FOLLOW.get(named(endpoint), partial(default_reads, endpoint))
        self.original = furniture.admin.ok("GET", self.url()) if endpoint.path in RESTORED else {}

    def call(self, **more: Any) -> Attempt:
        """The smallest call, with these parameters too."""
        client, method, url = self.furniture.admin, self.endpoint.method, self.url()
        body = base(self.furniture, self.endpoint) | more
        files = {name: ("walk.png", value, "image/png") for name, value in body.items() if isinstance(value, bytes)}
        if files:
            data = {name: str(value) for name, value in body.items() if name not in files}
            reply = client.request(method, url, files=files, data=data)
        else:
            reply = client.request(method, url, json=body)
        return Attempt(client, url, body, reply, self.reads)

    def look(self) -> Observation:
        """What is there before the call."""
        return Attempt(self.furniture.admin, self.url(), {}, None, self.reads).whole()

    def restore(self, one: Field) -> bool:
        """Set a switch back, so that it does not hinder the rest of the walk."""
        if one.kind not in ("boolean", "integer") or self.original.get(one.wire) is None:
            return False
        self.furniture.admin.ok("PUT", self.url(), json={one.wire: self.original[one.wire]})
        return True


def _known(url: str | None) -> str:
    assert url is not None, "the walk has no such thing: create one in tests/support/furnishing.py"
    return url


def walk(furniture: Furniture, endpoint: Endpoint) -> list[str]:
    """What is wrong with an endpoint."""
    fields = [one for one in parameters(endpoint) if reason(endpoint, one) is None]
    fields = [one for one in fields if one.kind != "file" or not one.required]  # the smallest call sends it
    if not fields or named(endpoint) in UNWALKED:
        return []
    steps = Walk(furniture, endpoint)
    first, before = steps.call().whole(), steps.call().whole()
    noise = differing(first.leaves, before.leaves)
    if not before.succeeded:
        if base(furniture, endpoint):
            needs = "say in BASES of tests/contract/parameters.py what it needs"
            return [f"the smallest call fails, {needs}: {before.status} {before.text}"]
        before, noise = steps.look(), set()
    problems = []
    for one in fields:
        problem, after = _try(steps, one, before, noise)
        problems += [problem] if problem is not None else []
        before = before if steps.restore(one) else after
    return problems


def _try(steps: Walk, one: Field, before: Observation, noise: set[Any]) -> tuple[str | None, Observation]:
    """What is wrong with a parameter, and what was seen last."""
    taken, refused, creates = [], False, steps.endpoint.method == "POST"
    for value in [PICTURE] if one.kind == "file" else values(steps.furniture, steps.endpoint, one):
        sent, more = (value.value, value.more) if isinstance(value, With) else (value, {})
        attempt = steps.call(**more, **{one.wire: sent})
        if creates and _has_effect(attempt.answer(), before.first_part, sent, noise):
            return None, before  # most calls say it themselves, and nothing needs to be read
        after = attempt.whole()
        if not after.succeeded:
            refused = True
        elif _has_effect(after, before, sent, noise):
            return None, before if creates else after
        else:
            taken.append(repr(sent)[:80])
    # Of a switch one side is what it was: that the other is refused says enough.
    if not taken or (refused and one.kind == "boolean"):
        return None, before
    return f"{one.wire}: {', '.join(taken)} taken, and nothing differs", before


def _has_effect(after: Observation, before: Observation, sent: Any, noise: set[Any]) -> bool:
    return after.succeeded and (after.shows(sent, before) or after.differs(before, noise))


def test_each_parameter_is_refused_or_does_something(world: World) -> None:
    furniture = furnish(world)
    add_missing(furniture)
    problems = []
    # Push rules, hooks and settings of the instance last: every later call would obey them, or be told to those.
    late = ("/push_rule", "/hooks", "/application/")
    for endpoint in sorted(WRITES, key=lambda one: [mark in one.path for mark in late]):
        try:
            problems += [f"{named(endpoint)} {problem}" for problem in walk(furniture, endpoint)]
        except AssertionError as fault:
            problems.append(f"{named(endpoint)} {str(fault)[:300]}")

    assert not problems, "\n".join(problems)


def test_exemptions_are_of_declared_parameters() -> None:
    declared = {named(one): {field.wire for field in parameters(one)} for one in WRITES}
    words = {word for fields in declared.values() for word in fields}

    assert UNWALKED.keys() <= declared.keys()
    for name in EXEMPT:
        endpoint, _, word = name.rpartition(" ")
        assert word in (declared[endpoint] if endpoint else words), name
