"""A project and its forks that are deleted at the same time do not stand in each other's way."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from ingot.features.spaces.projects.commands.delete import delete_for_good
from tests.support.world import World


def test_a_source_and_its_forks_are_deleted_at_the_same_time(world: World) -> None:
    owner = world.user()
    for _ in range(3):
        source = world.project(owner)
        family = [source["id"]]
        for name in (world.name("fork"), world.name("fork")):
            body = {"path": name, "name": name}
            family.append(owner.client.ok("POST", f"/projects/{source['id']}/fork", json=body)["id"])
        world.server.run_jobs()

        with ThreadPoolExecutor(3) as pool:
            assert list(pool.map(partial(delete_for_good, world.server.services), family)) == [None] * 3
        assert [owner.client.get(f"/projects/{number}").status_code for number in family] == [404] * 3
