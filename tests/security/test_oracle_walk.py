"""An outsider cannot tell whether there is a private world beside the public one: no answer differs by a byte.

Every declared read is taken in by itself, with each value of each filter, before the private world is there and after.
"""

from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from ingot.kit.endpoint import Endpoint
from tests.support.oracle import READS, Ask, guesses, questions
from tests.support.two_worlds import OpenWorld, Secrets, add_private_world, build_open_world
from tests.support.walking import named
from tests.support.world import World

pytestmark = pytest.mark.long


@dataclass
class Walk:
    """The answers of the time before, and the callers who got them."""

    made: OpenWorld
    callers: dict[str, httpx.Client]
    before: dict[tuple[str, Ask], tuple[Any, ...]]
    secrets: Secrets


@pytest.fixture(scope="module")
def walk(world: World, request: pytest.FixtureRequest) -> Walk:
    asked = {item.callspec.id for item in request.session.items if getattr(item, "module", None) is request.module}
    created = build_open_world(world)
    stranger = world.user("stranger")
    callers = {"anonymous": world.anonymous.http, "stranger": stranger.client.http, "guest": created.guest.client.http}
    for http in callers.values():
        http.get("/api/v4/user")  # the first use of a token is noted on it
    before = {
        (caller, ask): ask.answer(callers[caller])
        for endpoint in READS
        if named(endpoint) in asked
        for caller, ask in questions(created, endpoint, list(callers))
    }
    return Walk(created, callers, before, add_private_world(created))


@pytest.mark.parametrize("endpoint", READS, ids=named)
def test_a_private_world_changes_no_byte_for_outsiders(walk: Walk, endpoint: Endpoint) -> None:
    for caller, ask in questions(walk.made, endpoint, list(walk.callers)):
        assert ask.answer(walk.callers[caller]) == walk.before[caller, ask], f"{caller}: {ask}"


@pytest.mark.parametrize("endpoint", READS, ids=named)
def test_private_things_are_answered_like_things_that_do_not_exist(walk: Walk, endpoint: Endpoint) -> None:
    for caller in ("anonymous", "stranger"):
        http = walk.callers[caller]
        for value, private, absent in guesses(walk.made, endpoint, walk.secrets):
            assert private.guess(http) == absent.guess(http, echo=value), f"{caller}: {private}"
