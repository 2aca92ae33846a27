"""A walk over every write by those who may: whatever the answer is, it is no fault of ours."""

from ingot.kit.endpoint import Endpoint
from tests.support.walking import ENDPOINTS, READS, Scenery, call, named
from tests.support.world import Person, World

OWN_TOKEN = ("/personal_access_tokens/self", "/personal_access_tokens/{id:int}")


def deletions_last(endpoint: Endpoint) -> tuple[bool, int]:
    return endpoint.method == "DELETE", -len(endpoint.path)


def test_writers_with_the_right_meet_no_fault(world: World, people: dict[str, Person], scenery: Scenery) -> None:
    faults = []
    for endpoint in sorted((one for one in ENDPOINTS if one.method not in READS), key=deletions_last):
        if endpoint.path.startswith(OWN_TOKEN):
            continue
        for client in (people["developer"].client, people["owner"].client, world.admin):
            try:
                reply = call(client, scenery, endpoint)
            except AssertionError as problem:
                faults.append(f"{named(endpoint)}: {problem}")
                continue
            if reply.status_code >= 500:
                faults.append(f"{named(endpoint)}: {reply.status_code} {reply.text[:200]}")
    assert not faults, "\n".join(faults)
