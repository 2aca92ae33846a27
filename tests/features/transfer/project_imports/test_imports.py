import gzip
import hashlib
import io
import tarfile
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from ingot.features.planning.issues import issues
from ingot.features.planning.labels import labels
from ingot.features.planning.milestones import milestones
from ingot.features.planning.notes.tables import notes
from ingot.features.review.merge_requests import merge_requests
from ingot.gitstore import refs
from ingot.gitstore.bundle import bundle_refs
from ingot.gitstore.listing import branch_names
from tests.features.transfer.project_imports.making import GOOD, imported, tarball, upload
from tests.support.bundles import write_bundle
from tests.support.world import Person, World

FIXTURES = Path(__file__).parents[5] / "shared" / "fixtures" / "exports"
needs_fixtures = pytest.mark.skipif(not FIXTURES.is_dir(), reason="the real archives are not beside this checkout")


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def count(world: World, table: Any, project_id: int) -> int:
    with world.server.services.db.read() as conn:
        return conn.execute(select(func.count()).where(table.c.project_id == project_id)).scalar_one()


@needs_fixtures
@pytest.mark.parametrize(
    ("name", "counts", "branches"),
    [
        (
            "lightweight_project_export",
            {"issues": 1, "merge_requests": 1, "notes": 3, "labels": 1, "milestones": 1},
            ["master", "my-branch"],
        ),
        (
            "test_project_export",
            {"issues": 1, "merge_requests": 1, "notes": 2, "labels": 1, "milestones": 1},
            ["master", "test-mr"],
        ),
        ("jsonnet", {"issues": 0, "merge_requests": 0, "notes": 0, "labels": 0, "milestones": 0}, None),
    ],
)
def test_real_archives_are_stored(
    world: World, owner: Person, name: str, counts: dict[str, int], branches: list[str] | None
) -> None:
    record = imported(world, owner, (FIXTURES / f"{name}.tar.gz").read_bytes())

    assert (record["import_status"], record["import_error"], record["failed_relations"]) == ("finished", None, [])
    tables = {
        "issues": issues, "merge_requests": merge_requests, "notes": notes, "labels": labels, "milestones": milestones
    }  # fmt: skip
    assert {key: count(world, tables[key], record["id"]) for key in counts} == counts
    repository = world.repository(record)
    if branches is not None:
        assert sorted(branch_names(repository)) == branches
        assert refs.find_ref(repository, "refs/merge-requests/1/head") is not None
        request = owner.client.ok("GET", f"/projects/{record['id']}/merge_requests/1")
        assert (request["imported"], request["imported_from"]) == (True, "gitlab_project")
        note = owner.client.ok("GET", f"/projects/{record['id']}/merge_requests/1/notes")[0]
        assert "(imported from GitLab)*" in note["body"]


@needs_fixtures
def test_a_note_that_cannot_be_stored_is_listed(world: World, owner: Person) -> None:
    record = imported(world, owner, (FIXTURES / "corrupted_project_export.tar.gz").read_bytes())

    assert (record["import_status"], record["import_error"]) == ("finished", None)
    assert [one["relation_name"] for one in record["failed_relations"]] == ["merge_requests"]
    failure = record["failed_relations"][0]
    assert failure["exception_message"]
    assert failure["line_number"] == 0
    assert count(world, merge_requests, record["id"]) == 1


@needs_fixtures
@pytest.mark.parametrize("name", ["symlink_export", "group_export"])
def test_what_is_no_project_fails_cleanly(world: World, owner: Person, name: str) -> None:
    record = imported(world, owner, (FIXTURES / f"{name}.tar.gz").read_bytes())

    assert record["import_status"] == "failed"
    assert record["import_error"].startswith("Error importing repository  into ")
    assert "passwd" not in record["import_error"]
    assert world.anonymous.http.get("/-/readiness").status_code == 200


BROKEN: dict[str, tuple[bytes, str]] = {
    "no gzip": (b"no archive", "Decompressed archive size validation failed."),
    "no tar": (gzip.compress(b"no tar" * 1000), "damaged"),
    "another version": (
        tarball({**GOOD, "VERSION": b"9.9.9"}),
        "Import version mismatch: Required 0.2.4 but was 9.9.9",
    ),
    "no version": (tarball({**GOOD, "VERSION": b"x"}), "Incorrect VERSION format"),
    "no tree": (tarball({"VERSION": b"0.2.4"}), "invalid import format"),
    "broken root": (tarball({**GOOD, "tree/project.json": b"{"}), "Incorrect JSON format"),
    "broken line": (tarball({**GOOD, "tree/project/issues.ndjson": b"{bad\n"}), "Incorrect JSON format"),
    "path outside": (tarball({**GOOD, "../evil": b"x"}), "leads outside"),
    "broken bundle": (tarball({**GOOD, "project.bundle": b"no bundle"}), ""),
    "cut short": (tarball(GOOD)[:-20], "Decompressed archive size validation failed."),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_archives_end_failed_with_a_sentence(world: World, owner: Person, name: str) -> None:
    content, error = BROKEN[name]

    record = imported(world, owner, content)

    assert record["import_status"] == "failed"
    assert error in record["import_error"]


def test_a_bad_record_does_not_stop_the_others(world: World, owner: Person) -> None:
    lines = b'{"title":null}\n{"title":"v2","iid":2}\n{"title":7}\n'

    record = imported(world, owner, tarball({**GOOD, "tree/project/milestones.ndjson": lines}))

    assert record["import_status"] == "finished"
    failures = [
        (one["relation_name"], one["line_number"], one["exception_class"]) for one in record["failed_relations"]
    ]
    assert failures == [
        ("milestones", 2, "ActiveRecord::RecordInvalid"),
        ("milestones", 0, "ActiveRecord::RecordInvalid"),
    ]
    assert [one["title"] for one in owner.client.ok("GET", f"/projects/{record['id']}/milestones")] == ["v2"]


def test_overrides_win_over_the_archive(world: World, owner: Person) -> None:
    record = imported(
        world,
        owner,
        tarball(GOOD),
        **{"override_params[description]": "mine", "override_params[visibility]": "public", "name": "A name"},
    )

    project = owner.client.ok("GET", f"/projects/{record['id']}")
    assert (project["description"], project["visibility"], project["name"]) == ("mine", "public", "A name")


LARGE = hashlib.sha256(b"large").hexdigest()


def test_files_without_a_place_come_back_in_an_export(world: World, owner: Person) -> None:
    extra = {
        f"uploads/{'a' * 32}/picture.png": b"png",
        f"lfs-objects/{LARGE}": b"large",
        "lfs-objects.json": f'{{"{LARGE}":[0]}}'.encode(),
        "snippets/c.bundle": b"bundle",
    }
    record = imported(world, owner, tarball({**GOOD, **extra}))

    owner.client.ok("POST", f"/projects/{record['id']}/export")
    world.run_jobs()

    content = owner.client.get(f"/projects/{record['id']}/export/download").content
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as tar:
        result = {m.name[2:]: tar.extractfile(m).read() for m in tar if m.isfile()}  # type: ignore[union-attr]
    assert {name: result.get(name) for name in extra} == extra


def test_uploads_keep_their_addresses(world: World, owner: Person) -> None:
    files = {f"uploads/{'a' * 32}/picture.png": b"\x89PNG\r\n\x1a\n", f"uploads/{'b' * 20}/a b.txt": b"text"}
    odd = {"uploads/loose.txt": b"kept", f"uploads/{'c' * 32}/deep/x.txt": b"kept too"}

    record = imported(world, owner, tarball({**GOOD, **files, **odd}))

    place = f"/projects/{record['id']}"
    assert {path: owner.client.get(f"{place}/{path}").content for path in files} == files
    listed = owner.client.ok("GET", f"{place}/uploads")
    assert {(row["filename"], row["size"]) for row in listed} == {("picture.png", 8), ("a b.txt", 4)}
    assert listed[0]["uploaded_by"]["id"] == owner.id
    sizes = owner.client.ok("GET", place, params={"statistics": True})["statistics"]
    assert sizes["uploads_size"] == 12
    added = owner.client.ok("POST", f"{place}/uploads", files={"file": ("new.txt", b"new")})
    owner.client.ok("POST", f"{place}/export")
    world.run_jobs()
    content = owner.client.get(f"{place}/export/download").content
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as tar:
        result = {m.name[2:]: tar.extractfile(m).read() for m in tar if m.isfile()}  # type: ignore[union-attr]
    written = {name: body for name, body in result.items() if name.startswith("uploads/")}
    assert written == {**files, **odd, added["url"][1:]: b"new"}


def test_overwriting_replaces_the_project(world: World, owner: Person) -> None:
    path = world.name("replace")
    old = world.project(owner, path=path)
    taken = upload(owner, tarball(GOOD), path=path)
    assert (taken.status_code, taken.json()) == (400, {"message": "Name has already been taken"})

    first = upload(owner, tarball(GOOD), path=path, overwrite="true")

    assert first.status_code == 201
    assert first.json()["path"].startswith(f"{path}-")
    world.run_jobs()
    fresh = owner.client.ok("GET", f"/projects/{owner.username}%2F{path}")
    assert (fresh["id"], fresh["path"]) == (first.json()["id"], path)
    assert owner.client.get(f"/projects/{old['id']}").status_code == 404


def test_refusals(world: World, owner: Person) -> None:
    group = world.group(owner)
    developer, stranger = world.user(), world.user()
    world.member(group, developer, "developer", kind="groups")
    archive = tarball(GOOD)

    def refusal(person: Person, filename: str = "a.tar.gz", **fields: Any) -> tuple[int, Any]:
        reply = upload(person, archive, filename=filename, **{"path": world.name("p"), **fields})
        return reply.status_code, reply.json()

    bad_name = {"message": {"error": "You need to upload a GitLab project export archive (ending in .gz)."}}
    assert refusal(owner, filename="a.zip") == (422, bad_name)
    assert refusal(stranger, namespace=group["id"]) == (404, {"message": "404 Namespace Not Found"})
    assert refusal(developer, namespace=group["id"]) == (400, {"message": "User is not allowed to import projects"})
    assert refusal(owner, path="") == (400, {"message": "Path can't be blank"})
    assert owner.client.post("/projects/import", data={"path": "x"}).json() == {"error": "file is missing"}
    text = owner.client.post("/projects/import", data={"path": "x", "file": "text"})
    assert (text.status_code, text.json()) == (400, {"error": "file is invalid"})
    assert world.anonymous.post("/projects/import").json() == {"message": "401 Unauthorized"}
    world.admin.ok("PUT", "/application/settings", json={"import_sources": ["git"]})
    try:
        assert refusal(owner) == (403, {"message": "403 Forbidden"})
    finally:
        world.admin.ok("PUT", "/application/settings", json={"import_sources": ["gitlab_project", "git"]})


def test_a_project_that_was_never_imported(world: World, owner: Person) -> None:
    project = world.project(owner)

    record = owner.client.ok("GET", f"/projects/{project['id']}/import")

    assert (record["import_status"], record["import_type"], record["correlation_id"]) == ("none", None, None)
    assert record["failed_relations"] == []
    assert world.anonymous.get(f"/projects/{project['id']}/import").status_code == 401


def test_one_relation_is_imported_again(world: World, owner: Person) -> None:
    project = world.project(owner)
    lines = b'{"iid":1,"title":"one"}\n{"iid":2,"title":"two"}\n'
    archive = tarball({**GOOD, "tree/project/milestones.ndjson": lines})
    owner.client.ok("POST", f"/projects/{project['id']}/milestones", json={"title": "mine"})

    def send(person: Person, **fields: Any) -> Any:
        values = {"path": project["path_with_namespace"], "relation": "milestones", **fields}
        return person.client.post(
            "/projects/import-relation", data=values, files={"file": ("a.tar.gz", archive, "application/gzip")}
        )

    refused = send(owner, relation="labels")
    assert (refused.status_code, refused.json()) == (400, {"error": "relation does not have a valid value"})
    unknown = send(world.user())
    assert (unknown.status_code, unknown.json()) == (404, {"message": "Project not found"})
    assert send(owner, path="no/such").json() == {"message": "Project not found"}
    started = send(owner)
    assert started.status_code == 201
    assert {key: started.json()[key] for key in ("relation", "status")} == {
        "relation": "milestones",
        "status": "created",
    }
    world.run_jobs()
    listed = owner.client.ok("GET", f"/projects/{project['id']}/relation-imports")
    assert [(one["relation"], one["status"]) for one in listed] == [("milestones", "finished")]
    titles = {one["iid"]: one["title"] for one in owner.client.ok("GET", f"/projects/{project['id']}/milestones")}
    assert titles == {1: "mine", 2: "two"}


def test_archives_above_the_limit_are_refused_and_not_kept(world: World, owner: Person) -> None:
    before = {info.key for info in world.server.services.blobs.list("imports")}
    world.admin.ok("PUT", "/application/settings", json={"max_import_size": 1})
    try:
        refused = [upload(owner, b"x" * size, path=world.name("big")) for size in (1024 * 1024 + 1, 9 * 1024 * 1024)]
        fits = upload(owner, b"x" * 1024 * 1024, path=world.name("fits"))
    finally:
        world.admin.ok("PUT", "/application/settings", json={"max_import_size": 0})

    assert [(one.status_code, one.json()) for one in refused] == [
        (413, {"message": "413 Request Entity Too Large"})
    ] * 2
    assert fits.status_code == 201
    world.run_jobs()
    assert {info.key for info in world.server.services.blobs.list("imports")} <= before


def test_wikis_come_in_and_go_out_again(world: World, owner: Person, tmp_path: Path) -> None:
    source = world.project(owner, initialize_with_readme=True)
    bundle = tmp_path / "wiki.bundle"
    assert write_bundle(world.repository(source), bundle)

    record = imported(world, owner, tarball({**GOOD, "project.wiki.bundle": bundle.read_bytes()}))
    assert record["import_status"] == "finished"
    owner.client.ok("POST", f"/projects/{record['id']}/export")
    world.run_jobs()
    archive = owner.client.get(f"/projects/{record['id']}/export/download").content

    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        result = tmp_path / "again.bundle"
        result.write_bytes(tar.extractfile("./project.wiki.bundle").read())  # type: ignore[union-attr]
    assert bundle_refs(result)["refs/heads/main"] == bundle_refs(bundle)["refs/heads/main"]


def test_a_broken_wiki_fails_with_a_sentence(world: World, owner: Person) -> None:
    record = imported(world, owner, tarball({**GOOD, "project.wiki.bundle": b"no bundle"}))

    assert record["import_status"] == "failed"
    assert record["import_error"].startswith("Error importing repository  into ")
