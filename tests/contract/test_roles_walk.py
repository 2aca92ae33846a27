"""A walk over every registered endpoint as every role: what the guard declares is what callers get.

It grows by itself: a new endpoint is walked as soon as it is declared.
"""

import pytest

from ingot.access.abilities import Administrator, GroupAbility, ProjectAbility
from ingot.kit.endpoint import Endpoint
from tests.support.client import Client
from tests.support.walking import ENDPOINTS, READS, ROLES, Scenery, call, named
from tests.support.world import LEVELS, Person, World


def refusal(endpoint: Endpoint, level: int | None) -> set[int] | None:
    """The statuses that a caller of this level must get: None where the guard lets them in. No level: a stranger."""
    guard = endpoint.guard
    if isinstance(guard, Administrator):
        return {403}
    if isinstance(guard, ProjectAbility | GroupAbility):
        if level is None:
            return {404}
        if isinstance(guard, GroupAbility) and guard.outsiders:
            return None
        return {guard.refusal().status} if level < guard.level else None
    return None


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=named)
def test_callers_without_the_right_are_refused(
    scenery: Scenery, people: dict[str, Person], world: World, endpoint: Endpoint
) -> None:
    guard = endpoint.guard
    writes = endpoint.method not in READS
    anonymous = call(world.anonymous, scenery, endpoint)
    if guard.needs_user or (writes and not getattr(guard, "anonymous_writes", False)):
        assert anonymous.status_code == 401, anonymous.text
        assert endpoint.method == "HEAD" or anonymous.json() == {"message": "401 Unauthorized"}
    elif isinstance(guard, ProjectAbility | GroupAbility):
        assert anonymous.status_code == 404, anonymous.text
    assert anonymous.status_code < 500

    callers: list[tuple[str, int | None]] = [("stranger", None), *((role, LEVELS[role]) for role in ROLES)]
    for name, level in callers:
        expected = refusal(endpoint, level)
        if expected is None:
            continue
        reply = call(people[name].client, scenery, endpoint)
        assert reply.status_code in expected, f"{name}: {reply.status_code} {reply.text[:300]}"


@pytest.mark.parametrize("endpoint", [one for one in ENDPOINTS if one.method in READS], ids=named)
def test_readers_with_the_right_are_let_in(
    scenery: Scenery, people: dict[str, Person], world: World, endpoint: Endpoint
) -> None:
    callers: list[tuple[str, Client, int]] = [(role, people[role].client, LEVELS[role]) for role in ROLES]
    for name, client, level in [*callers, ("admin", world.admin, 60)]:
        if name != "admin" and refusal(endpoint, level) is not None:
            continue
        reply = call(client, scenery, endpoint)
        assert reply.status_code < 500, f"{name}: {reply.status_code} {reply.text[:300]}"
        assert reply.status_code != 401 or not isinstance(endpoint.guard, ProjectAbility | GroupAbility), name
