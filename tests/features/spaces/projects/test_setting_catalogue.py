"""A project setting is one declaration: it can be set, is shown and survives an archive, or says why not."""

import io
import json
import tarfile
from typing import Any

import pytest

from ingot.features.spaces.projects import PROJECT_SETTINGS, ProjectSettings
from ingot.kit.catalogue import Apart, Archived, LeftOut
from tests.features.spaces.projects.mirroring import give_origin
from tests.support.setting_samples import sample
from tests.support.world import World

SETTINGS = PROJECT_SETTINGS.settings
WRITABLE = [name for name, setting in SETTINGS.items() if not isinstance(setting.written_by, Apart)]
READABLE = [name for name, setting in SETTINGS.items() if not isinstance(setting.read_by, Apart)]
ARCHIVED = {name: setting.archive for name, setting in SETTINGS.items() if isinstance(setting.archive, Archived)}
# Administrators name a user that exists.
SAMPLES = {name: sample(PROJECT_SETTINGS, ProjectSettings(), name) for name in WRITABLE} | {"mirror_user_id": 1}


@pytest.fixture(scope="module")
def project(world: World) -> dict[str, Any]:
    """A fork, as one setting is for forks only, in which every setting was changed, each by an edit of its own."""
    source = world.project(initialize_with_readme=True)
    group = world.group()
    fork: dict[str, Any] = world.admin.ok("POST", f"/projects/{source['id']}/fork", json={"namespace_id": group["id"]})
    world.run_jobs()
    give_origin(world, fork)
    for name, value in SAMPLES.items():
        world.admin.ok("PUT", f"/projects/{fork['id']}", json={name: value})
    return fork


def archive_of(world: World, project_id: int) -> dict[str, dict[str, Any]]:
    """The relations of an export that are single objects, and the export itself as `content`."""
    assert world.admin.post(f"/projects/{project_id}/export").status_code == 202
    world.run_jobs()
    content = world.admin.get(f"/projects/{project_id}/export/download").content
    result: dict[str, Any] = {"content": content}
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as tar:
        for relation in {archive.relation for archive in ARCHIVED.values()}:
            path = "./tree/project.json" if relation == "project" else f"./tree/project/{relation}.ndjson"
            member = tar.extractfile(path)
            assert member is not None, path
            result[relation] = json.loads(member.read())
    return result


def test_every_setting_says_how_it_is_written_read_and_archived() -> None:
    for name, setting in SETTINGS.items():
        assert setting.doc.endswith("."), f"{name} is not documented"
        for place in (setting.written_by, setting.read_by, setting.archive):
            if isinstance(place, Apart | LeftOut):
                assert len(place.reason.split()) >= 3, f"{name} is left out without a reason"


def test_every_setting_can_be_set_and_is_shown(world: World, project: dict[str, Any]) -> None:
    shown = world.admin.ok("GET", f"/projects/{project['id']}")

    assert {name for name in READABLE if name not in shown} == set()
    both = [name for name in WRITABLE if name in READABLE]
    assert {name: shown[name] for name in both} == {name: SAMPLES[name] for name in both}


def test_a_setting_left_apart_is_no_parameter(world: World) -> None:
    project = world.project()
    for name in set(SETTINGS) - set(WRITABLE):
        reply = world.admin.put(f"/projects/{project['id']}", json={name: "x"})
        assert reply.status_code == 400, name
        assert "at least one parameter must be provided" in reply.json()["error"], name


def test_every_archived_setting_is_in_the_archive_and_comes_back(world: World, project: dict[str, Any]) -> None:
    first = archive_of(world, project["id"])
    reply = world.admin.post(
        "/projects/import", data={"path": world.name("copy")}, files={"file": ("a.tar.gz", first["content"])}
    )
    assert reply.status_code == 201, reply.text
    world.run_jobs()
    second = archive_of(world, reply.json()["id"])
    copy = world.admin.ok("GET", f"/projects/{reply.json()['id']}")

    for name, archive in ARCHIVED.items():
        for key in archive.names or (archive.name or name,):
            assert key in first[archive.relation], f"{name} is not in {archive.relation}"
            if key != "next_run_at":
                assert second[archive.relation][key] == first[archive.relation][key], name
        if name in SAMPLES and not archive.names:
            assert first[archive.relation][archive.name or name] == SAMPLES[name], name
        if name in SAMPLES and name in READABLE:
            assert copy[name] == SAMPLES[name], name


def test_a_setting_that_is_left_out_is_not_among_the_root_attributes(world: World, project: dict[str, Any]) -> None:
    root = archive_of(world, project["id"])["project"]

    left_out = [name for name, setting in SETTINGS.items() if isinstance(setting.archive, LeftOut)]
    # GitLab's own limit has this name in archives; it is never sent.
    assert {name: root[name] for name in left_out if name in root} == {"repository_size_limit": None}
