"""Exporting a group and making another out of the archive."""

import gzip
import io
import json
import tarfile
from collections.abc import Mapping
from typing import Any

import gitlab
import pytest

from ingot.features.transfer.group_archives.reading import MOST_GROUPS, MOST_RECORDS
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def packed(files: Mapping[str, str], *, link: str | None = None) -> bytes:
    """An archive with these files."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
        if link is not None:
            info = tarfile.TarInfo(link)
            info.type, info.linkname = tarfile.LNKTYPE, "VERSION"
            tar.addfile(info)
    return gzip.compress(target.getvalue())


def imported(world: World, person: Person, content: bytes, **fields: Any) -> dict[str, Any]:
    name = world.name("made")
    data = {"name": name, "path": name, **fields}
    answer = person.client.post("/groups/import", data=data, files={"file": ("a.tar.gz", content)})
    assert (answer.status_code, answer.json()) == (202, {"message": "202 Accepted"})
    world.run_jobs()
    parent = "" if "parent_id" not in fields else person.client.ok("GET", f"/groups/{fields['parent_id']}")["full_path"]
    path = f"{parent}/{name}".lstrip("/").replace("/", "%2F")
    made: dict[str, Any] = person.client.ok("GET", f"/groups/{path}")
    return made


def test_a_group_comes_back_with_all_below_it(world: World, owner: Person) -> None:
    call = owner.client.ok
    group = world.group(owner, visibility="public", description="All of it", subgroup_creation_level="owner")
    below = call("POST", "/groups", json={"name": "Below", "path": "below", "parent_id": group["id"]})
    place, friend = f"/groups/{group['id']}", world.user()
    label = call("POST", f"{place}/labels", json={"name": "Bug", "color": "#112233", "description": "broken"})
    for title in ("1.0", "2.0"):
        call("POST", f"{place}/milestones", json={"title": title, "due_date": "2026-12-01"})
    call("POST", f"/groups/{below['id']}/labels", json={"name": "Deep", "color": "#445566"})
    call("POST", f"{place}/badges", json={"link_url": "https://a.example", "image_url": "https://a.example/b.svg"})
    board = call("POST", f"{place}/boards", json={"name": "Work"})
    call("POST", f"{place}/boards/{board['id']}/lists", json={"label_id": label["id"]})
    call("POST", f"{place}/members", json={"user_id": friend.id, "access_level": 40})
    early = owner.client.get(f"{place}/export/download")
    assert (early.status_code, early.json()) == (404, {"message": "404 Not found or has expired"})

    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        export = client.groups.get(group["id"]).exports.create()
        assert export.message == "202 Accepted"
        world.run_jobs()
        archive = export.download()
    assert isinstance(archive, bytes)
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        names = {name.removeprefix("./") for name in tar.getnames()}
    assert {"VERSION", "tree/groups/_all.ndjson", f"tree/groups/{below['id']}/labels.ndjson"} <= names

    made = imported(world, owner, archive)
    assert (made["description"], made["visibility"], made["subgroup_creation_level"]) == (
        "All of it",
        "private",
        "owner",
    )
    there = f"/groups/{made['id']}"
    (child,) = call("GET", f"{there}/subgroups")
    assert (child["name"], child["path"], child["visibility"]) == ("Below", "below", "private")
    assert [one["name"] for one in call("GET", f"/groups/{child['id']}/labels?only_group_labels=true")] == [
        "Bug",
        "Deep",
    ]
    (bug,) = call("GET", f"{there}/labels")
    assert (bug["name"], bug["color"], bug["description"]) == ("Bug", "#112233", "broken")
    shown = call("GET", f"{there}/milestones")
    assert sorted((one["iid"], one["title"], one["due_date"]) for one in shown) == [
        (1, "1.0", "2026-12-01"), (2, "2.0", "2026-12-01"),
    ]  # fmt: skip
    assert call("GET", f"{there}/badges")[0]["image_url"] == "https://a.example/b.svg"
    (work,) = call("GET", f"{there}/boards")
    assert (work["name"], [one["label"]["name"] for one in work["lists"]]) == ("Work", ["Bug"])
    levels = {one["id"]: one["access_level"] for one in call("GET", f"{there}/members")}
    assert levels == {owner.id: 50, friend.id: 40}


def test_archives_of_others_bring_people_by_address_and_hostile_ones_nothing(world: World, owner: Person) -> None:
    friend = world.user()
    mail = world.admin.ok("GET", f"/users/{friend.id}")["email"]
    person = {"access_level": 30, "user": {"id": 1, "email": mail, "username": "x"}}
    old = {
        "name": "Old", "description": "as before", "labels": [{"title": "A", "color": "#123"}, {"title": 3}],
        "members": [person], "children": [{"name": "C", "path": "cc", "labels": [{"title": "B"}]}],
        "milestones": [{"title": "M", "iid": "x"}, {"title": "N", "iid": 7}],
    }  # fmt: skip
    content = packed({"VERSION": "0.2.4", "group.json": json.dumps(old)})
    parent = world.group(owner)
    made = imported(world, owner, content, parent_id=parent["id"])
    there, call = f"/groups/{made['id']}", owner.client.ok
    assert made["description"] == "as before"
    assert [one["name"] for one in call("GET", f"{there}/labels")] == ["A"]
    assert [(one["iid"], one["title"]) for one in call("GET", f"{there}/milestones")] == [(7, "N")]
    assert [one["path"] for one in call("GET", f"{there}/subgroups")] == ["cc"]
    assert [one["id"] for one in call("GET", f"{there}/members")] == [owner.id]

    admin = Person(1, "root", world.admin, "")
    by_admin = imported(world, admin, content)
    members = world.admin.ok("GET", f"/groups/{by_admin['id']}/members")
    assert {one["id"]: one["access_level"] for one in members} == {1: 50, friend.id: 30}

    hostile = [
        packed({"VERSION": "0.2.4", "tree/groups/_all.ndjson": "../../../etc/passwd\n"}),
        packed({"VERSION": "0.2.4", "group.json": json.dumps(old)}, link="hard"),
        packed({"VERSION": "0.2.4", "../group.json": json.dumps(old)}),
        packed({"VERSION": "0.2.4", "group.json": json.dumps({**old, "children": [{}] * MOST_GROUPS})}),
        b"no archive at all",
    ]
    for content in hostile:
        made = imported(world, owner, content)
        assert (made["description"], owner.client.ok("GET", f"/groups/{made['id']}/labels")) == ("", [])
    many = "\n".join(f'{{"title":"{number}"}}' for number in range(MOST_RECORDS + 1))
    files = {"tree/groups/_all.ndjson": "1\n", "tree/groups/1.json": "{}", "tree/groups/1/badges.ndjson": many}
    label = {"tree/groups/1/labels.ndjson": '{"title":"A"}\n'}
    made = imported(world, owner, packed({"VERSION": "0.2.4", **files, **label}))
    assert owner.client.ok("GET", f"/groups/{made['id']}/labels") == []


def test_rights_and_refusals(world: World, owner: Person) -> None:
    group, maintainer = world.group(owner), world.user()
    owner.client.ok("POST", f"/groups/{group['id']}/members", json={"user_id": maintainer.id, "access_level": 40})
    assert maintainer.client.post(f"/groups/{group['id']}/export").status_code == 403
    assert world.user().client.get(f"/groups/{group['id']}/export/download").status_code == 404
    file = {"file": ("a.tar.gz", b"x")}

    def refused(person: Person, **data: Any) -> tuple[int, Any]:
        answer = person.client.post("/groups/import", data=data, files=file)
        return answer.status_code, answer.json()

    taken = {"name": "A", "path": group["path"]}
    assert refused(owner, **taken)[0] == 400
    assert refused(owner, **taken)[1]["message"].startswith("Failed to save group {")
    assert refused(owner, name="A", path="a-b", parent_id=0) == (404, {"message": "404 Group Not Found"})
    stranger = world.user()
    public = world.group(owner, visibility="public")
    assert refused(stranger, name="A", path="a-b", parent_id=public["id"]) == (403, {"message": "403 Forbidden"})
    assert owner.client.post("/groups/import", data=taken).json() == {"error": "file is missing"}
