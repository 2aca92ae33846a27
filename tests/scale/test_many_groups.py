"""Lists of groups stay quick where there are many groups and projects."""

import random
import time

import pytest
from sqlalchemy import insert

from ingot.access.authorizations import refresh_groups
from ingot.access.tables import members, namespace_ancestors, namespaces, projects
from ingot.features.projects.commands.texts import search_values
from ingot.kit.clock import now
from tests.support.world import World

pytestmark = pytest.mark.scale

FIRST, GROUPS, PROJECTS = 10_000, 3_000, 30_000


@pytest.fixture(scope="module")
def crowd(world: World) -> list[int]:
    """Groups in trees of up to twelve levels, with projects; returns the ids of the groups."""
    chance, moment = random.Random(7), now()
    chains: dict[int, list[int]] = {}
    for number in range(FIRST, FIRST + GROUPS):
        parent = chance.choice([*chains]) if number > FIRST + 500 else None
        above = chains[parent] if parent is not None and len(chains[parent]) < 12 else []
        chains[number] = [number, *above]
    times = {"created_at": moment, "updated_at": moment}
    with world.server.services.db.write() as tx:
        tx.execute(
            insert(namespaces),
            [
                {
                    "id": number, "kind": "group", "parent_id": chain[1] if len(chain) > 1 else None,
                    "name": f"Group {number}", "path": f"g{number}", "full_path": f"g{number}",
                    "full_path_lower": f"g{number}", "full_name": f"Group {number}",
                    "visibility": chance.choice([0, 0, 0, 20]), "settings": {}, **times,
                }
                for number, chain in chains.items()
            ],
        )  # fmt: skip
        tx.execute(
            insert(namespace_ancestors),
            [
                {"namespace_id": number, "ancestor_id": above, "depth": depth}
                for number, chain in chains.items()
                for depth, above in enumerate(chain)
            ],
        )
        tx.execute(
            insert(projects),
            [
                {
                    "namespace_id": FIRST + chance.randrange(GROUPS), "name": f"p{n}", "path": f"p{n}",
                    "full_path": f"all/p{n}", "full_path_lower": f"all/p{n}", "full_name": f"p{n}",
                    "visibility": chance.choice([0, 20]), "settings": {}, "last_activity_at": moment, **times,
                    **search_values(f"p{n}", f"p{n}", None),
                }
                for n in range(PROJECTS)
            ],
        )  # fmt: skip
    return list(chains)


def test_the_list_of_a_member_of_many_groups_is_quick(world: World, crowd: list[int]) -> None:
    anna = world.user()
    with world.server.services.db.write() as tx:
        joined = random.Random(1).sample(crowd, 60)
        row = {"user_id": anna.id, "access_level": 30, "created_at": now(), "updated_at": now()}
        tx.execute(insert(members), [{**row, "group_id": number} for number in joined])
        refresh_groups(tx, joined)
    anna.client.get("/groups")

    for path in ("/groups", "/groups?all_available=false", "/groups?search=29", f"/groups/{joined[0]}", "/namespaces"):
        started = time.perf_counter()
        assert anna.client.request("GET", path).status_code == 200
        assert time.perf_counter() - started < 0.5, path
