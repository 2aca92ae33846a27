"""DELETE /groups/:id with its days of grace, POST /groups/:id/restore, and the background work."""

from datetime import timedelta

from sqlalchemy import func, select, update

from ingot.access.tables import namespaces, projects
from ingot.kit import jobs
from ingot.kit.clock import today
from tests.support.waiting import until
from tests.support.world import World


def remaining(world: World, group_id: int, project_id: int) -> int:
    with world.server.services.db.read() as conn:
        groups = select(func.count()).select_from(namespaces).where(namespaces.c.id == group_id)
        inside = select(func.count()).select_from(projects).where(projects.c.id == project_id)
        return int(conn.execute(groups).scalar_one() + conn.execute(inside).scalar_one())


def test_a_deleted_group_is_marked_and_can_be_restored(world: World) -> None:
    anna = world.user()
    group = world.group(anna)

    answer = anna.client.delete(f"/groups/{group['id']}")
    assert (answer.status_code, answer.json()) == (202, {"message": "202 Accepted"})
    assert anna.client.ok("GET", f"/groups/{group['id']}")["marked_for_deletion_on"] == str(today())
    assert anna.client.delete(f"/groups/{group['id']}").status_code == 202
    result = anna.client.ok("GET", f"/groups?marked_for_deletion_on={today()}&owned=true")
    assert [entry["id"] for entry in result] == [group["id"]]

    restored = anna.client.post(f"/groups/{group['id']}/restore")
    assert (restored.status_code, restored.json()["marked_for_deletion_on"]) == (201, None)
    assert anna.client.post(f"/groups/{group['id']}/restore").status_code == 400


def test_only_owners_delete_and_restore(world: World) -> None:
    group, ben = world.group(world.user()), world.user()
    world.member(group, ben, "maintainer", kind="groups")

    assert ben.client.delete(f"/groups/{group['id']}").status_code == 403
    assert ben.client.post(f"/groups/{group['id']}/restore").status_code == 403
    assert world.anonymous.delete(f"/groups/{group['id']}").status_code == 401


def test_a_changed_group_is_not_deleted_by_someone_who_saw_the_old_one(world: World) -> None:
    anna = world.user()
    group = world.group(anna)

    answer = anna.client.delete(
        f"/groups/{group['id']}", headers={"If-Unmodified-Since": "Tue, 01 Jan 2019 00:00:00 GMT"}
    )

    assert (answer.status_code, answer.json()) == (412, {"message": "412 Precondition Failed"})


def test_a_marked_subgroup_is_removed_at_once_when_its_path_is_typed(world: World) -> None:
    anna = world.user()
    top = world.group(anna)
    inner = world.group(anna, parent_id=top["id"])
    project = world.project(anna, namespace_id=inner["id"])

    def remove(group_id: int, full_path: str) -> tuple[int, str]:
        answer = anna.client.delete(
            f"/groups/{group_id}", params={"permanently_remove": "true", "full_path": full_path}
        )
        return answer.status_code, answer.json()["message"]

    assert remove(top["id"], top["full_path"]) == (
        400,
        "`permanently_remove` option is only available for subgroups.",
    )
    assert remove(inner["id"], inner["full_path"]) == (400, "Group must be marked for deletion first.")
    anna.client.delete(f"/groups/{inner['id']}")
    assert remove(inner["id"], inner["path"]) == (
        400,
        "`full_path` is incorrect. You must enter the complete path for the subgroup.",
    )
    assert remove(inner["id"], inner["full_path"]) == (202, "202 Accepted")

    assert anna.client.get(f"/groups/{inner['id']}").status_code == 404
    assert anna.client.get(f"/projects/{project['id']}").status_code == 404
    until(lambda: remaining(world, inner["id"], project["id"]) == 0)
    assert anna.client.get(f"/groups/{top['id']}").status_code == 200


def test_the_days_of_grace_end(world: World) -> None:
    anna = world.user()
    group = world.group(anna)
    world.group(anna, parent_id=group["id"])
    project = world.project(anna, namespace_id=group["id"])
    anna.client.delete(f"/groups/{group['id']}")
    with world.server.services.db.write() as tx:
        long_ago = today() - timedelta(days=30)
        tx.execute(update(namespaces).where(namespaces.c.id == group["id"]).values(marked_for_deletion_on=long_ago))
        jobs.enqueue(tx, "delete_marked_groups")

    until(lambda: remaining(world, group["id"], project["id"]) == 0)

    assert anna.client.get(f"/groups/{group['id']}").status_code == 404


def test_nothing_is_created_in_a_marked_group(world: World) -> None:
    anna = world.user()
    group = world.group(anna)
    anna.client.delete(f"/groups/{group['id']}")

    assert anna.client.post("/groups", json={"name": "x", "path": "x1", "parent_id": group["id"]}).status_code == 403
