"""A project with a CI configuration, for tests that run its pipelines."""

from typing import Any

from tests.support import ci
from tests.support.world import Person, World


class Flow:
    """One project with a configuration, its owner, and short ways to look at it."""

    def __init__(self, world: World, owner: Person, config: str, **files: str) -> None:
        self.world, self.owner = world, owner
        self.project = world.project(owner, initialize_with_readme=True)
        self.base = f"/projects/{self.project['id']}"
        tree = {".gitlab-ci.yml": config, **{name.replace("__", "."): text for name, text in files.items()}}
        self.sha = world.commit(self.project, "main", tree, message="CI [skip ci]", user_id=owner.id)

    def start(self, **fields: Any) -> int:
        return int(self.owner.client.ok("POST", f"{self.base}/pipeline", json={"ref": "main", **fields})["id"])

    def status(self, pipeline_id: int) -> str:
        return str(self.owner.client.ok("GET", f"{self.base}/pipelines/{pipeline_id}")["status"])

    def jobs(self, pipeline_id: int) -> dict[str, dict[str, Any]]:
        result = self.owner.client.get(f"{self.base}/pipelines/{pipeline_id}/jobs", per_page=100).json()
        return {job["name"]: job for job in result}

    def statuses(self, pipeline_id: int) -> dict[str, str]:
        return {name: job["status"] for name, job in self.jobs(pipeline_id).items()}

    def run(self, pipeline_id: int, name: str, status: str = "success", **more: Any) -> None:
        ci.run(self.world, self.jobs(pipeline_id)[name]["id"], status, **more)

    def bridges(self, pipeline_id: int) -> list[dict[str, Any]]:
        result: list[dict[str, Any]] = self.owner.client.get(f"{self.base}/pipelines/{pipeline_id}/bridges").json()
        return result

    def pipelines(self, **params: Any) -> list[dict[str, Any]]:
        result: list[dict[str, Any]] = self.owner.client.get(f"{self.base}/pipelines", **params).json()
        return result
