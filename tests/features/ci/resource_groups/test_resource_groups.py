from tests.features.ci.engine.flow import Flow
from tests.support.world import World


def test_a_resource_group_runs_one_job_at_a_time(world: World) -> None:
    owner = world.user()
    flow = Flow(world, owner, "deploy: {script: x, resource_group: production}")
    first, second = flow.start(), flow.start()
    assert (flow.statuses(first)["deploy"], flow.statuses(second)["deploy"]) == ("pending", "waiting_for_resource")
    assert flow.status(second) == "waiting_for_resource"
    group = owner.client.get(f"{flow.base}/resource_groups").json()[0]
    assert (group["key"], group["process_mode"]) == ("production", "unordered")
    waiting = owner.client.get(f"{flow.base}/resource_groups/production/upcoming_jobs").json()
    assert [job["pipeline"]["id"] for job in waiting] == [second]
    owner.client.ok("PUT", f"{flow.base}/resource_groups/production", json={"process_mode": "newest_first"})
    third = flow.start()
    flow.run(first, "deploy")
    assert (flow.statuses(second)["deploy"], flow.statuses(third)["deploy"]) == ("waiting_for_resource", "pending")
    flow.run(third, "deploy")
    assert flow.statuses(second)["deploy"] == "pending"
    missing = owner.client.get(f"{flow.base}/resource_groups/none")
    assert missing.json() == {"message": "404 Resource Group Not Found"}
