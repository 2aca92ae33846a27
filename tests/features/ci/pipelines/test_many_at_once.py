"""Many jobs of one pipeline end at the same moment, and nothing is forgotten."""

from concurrent.futures import ThreadPoolExecutor

from tests.support import ci
from tests.support.world import World

CONFIG = """
stages: [many, last]
work: {stage: many, script: x, parallel: 24}
end: {stage: last, script: x}
"""


def test_the_last_of_many_ends_starts_the_next_stage(world: World) -> None:
    project = world.project(initialize_with_readme=True)
    world.commit(project, "main", {".gitlab-ci.yml": CONFIG}, message="CI [skip ci]")
    base = f"/projects/{project['id']}"
    pipeline = world.admin.ok("POST", f"{base}/pipeline", json={"ref": "main"})
    url = f"{base}/pipelines/{pipeline['id']}"
    jobs = world.admin.get(f"{url}/jobs", per_page=100).json()
    many = [job["id"] for job in jobs if job["stage"] == "many"]
    assert len(many) == 24

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda job_id: ci.take(world, job_id), many))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda job_id: ci.finish(world, job_id), many))

    last = next(job for job in world.admin.get(f"{url}/jobs", per_page=100).json() if job["name"] == "end")
    assert last["status"] == "pending"
    ci.run(world, last["id"])
    assert world.admin.get(url).json()["status"] == "success"


def test_reports_about_one_commit_make_one_pipeline(world: World) -> None:
    project = world.project(initialize_with_readme=True)
    sha = world.commit(project, "main", {"a": "1"})
    url = f"/projects/{project['id']}/statuses/{sha}"

    with ThreadPoolExecutor(6) as pool:
        answers = list(
            pool.map(lambda n: world.admin.post(url, json={"state": "success", "name": f"check {n}"}), range(12))
        )

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["pipeline_id"] for answer in answers}) == 1
    pipelines = world.admin.get(f"/projects/{project['id']}/pipelines").json()
    assert [one["status"] for one in pipelines] == ["success"]


def test_a_job_is_retried_once_however_many_ask(world: World) -> None:
    project = world.project(initialize_with_readme=True)
    config = "stages: [one, two]\nfirst: {stage: one, script: x}\nhand: {stage: two, script: x, when: manual}"
    world.commit(project, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]")
    base = f"/projects/{project['id']}"
    pipeline = world.admin.ok("POST", f"{base}/pipeline", json={"ref": "main"})
    jobs = {job["name"]: job["id"] for job in world.admin.get(f"{base}/pipelines/{pipeline['id']}/jobs").json()}
    ci.run(world, jobs["first"])

    with ThreadPoolExecutor(4) as pool:
        retries = list(pool.map(lambda _: world.admin.post(f"{base}/jobs/{jobs['first']}/retry"), range(4)))
        plays = list(pool.map(lambda _: world.admin.post(f"{base}/jobs/{jobs['hand']}/play"), range(4)))

    assert sorted(answer.status_code for answer in retries) == [201, 403, 403, 403]
    assert sorted(answer.status_code for answer in plays) == [200, 400, 400, 400]
