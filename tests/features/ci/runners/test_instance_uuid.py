"""An instance has one UUID, whoever asks."""

from ingot.archives.seal import SEAL_FILE
from tests.features.transfer.project_imports.making import exported, files_of
from tests.support.runner import project_runner
from tests.support.world import World


def test_jobs_and_archives_name_the_same_instance(world: World) -> None:
    owner = world.user()
    project = world.project(owner, initialize_with_readme=True)
    config = "compile: {script: [make]}"
    world.commit(project, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]", user_id=owner.id)
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})

    job = project_runner(world, project).take()
    seal = files_of(exported(world, owner, project["id"]))[SEAL_FILE].decode()

    assert job.response["job_info"]["instance_uuid"] == seal.splitlines()[0]
