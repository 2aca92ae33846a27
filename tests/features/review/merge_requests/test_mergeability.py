"""Every reason of the detailed status and every refusal of merging, produced with real repositories."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update

from ingot.events import PipelineChanged
from ingot.features.review.merge_requests.tables import merge_request_reviewers, merge_requests
from ingot.kit.events import announce
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


class Case:
    """An open request, and short words for what can be done to it."""

    def __init__(self, world: World, owner: Person, **settings: Any) -> None:
        self.world, self.owner = world, owner
        self.project = world.project(owner, initialize_with_readme=True, **settings)
        self.head = world.commit(self.project, "feature", {"f.txt": "hello\n"})
        body = {"title": "Add f", "source_branch": "feature", "target_branch": "main"}
        self.base = f"/projects/{self.project['id']}/merge_requests"
        self.made = owner.client.ok("POST", self.base, json=body)
        self.path = f"{self.base}/{self.made['iid']}"

    def status(self) -> str:
        result: str = self.owner.client.ok("GET", self.path)["detailed_merge_status"]
        return result

    def refusal(self, **fields: Any) -> tuple[int, str | None]:
        reply = self.owner.client.put(f"{self.path}/merge", json=fields)
        return reply.status_code, reply.json().get("reason")

    def pipeline(self, status: str) -> None:
        """An outside CI reports the state of the head."""
        state = {"success": "success", "failed": "failed", "running": "running", "canceled": "canceled"}[status]
        self.owner.client.ok(
            "POST", f"/projects/{self.project['id']}/statuses/{self.head}", json={"state": state, "ref": "feature"}
        )


def draft(case: Case) -> None:
    case.owner.client.ok("PUT", case.path, json={"title": "Draft: x"})


def close(case: Case) -> None:
    case.owner.client.ok("PUT", case.path, json={"state_event": "close"})


def later(case: Case) -> None:
    case.owner.client.ok("PUT", case.path, json={"merge_after": "2999-01-01T00:00:00Z"})


def conflict(case: Case) -> None:
    case.world.commit(case.project, "main", {"f.txt": "other\n"})


def lose_target(case: Case) -> None:
    case.world.delete_branch(case.project, "target")


def unapproved(case: Case) -> None:
    reviewer = case.world.user()
    case.world.member(case.project, reviewer, "developer")
    rule = {"name": "R", "approvals_required": 1, "user_ids": [reviewer.id]}
    case.owner.client.ok("POST", f"/projects/{case.project['id']}/approval_rules", json=rule)


def changes_requested(case: Case) -> None:
    reviewer = case.world.user()
    case.world.member(case.project, reviewer, "developer")
    case.owner.client.ok("PUT", case.path, json={"reviewer_ids": [reviewer.id]})
    with case.world.server.services.db.write() as tx:
        tx.execute(
            update(merge_request_reviewers)
            .where(merge_request_reviewers.c.user_id == reviewer.id)
            .values(state="requested_changes")
        )


def blocked(case: Case) -> None:
    case.world.commit(case.project, "other", {"o.txt": "x\n"})
    body = {"title": "o", "source_branch": "other", "target_branch": "main"}
    other = case.owner.client.ok("POST", case.base, json=body)
    case.owner.client.ok("POST", f"{case.path}/blocks", json={"blocking_merge_request_id": other["id"]})


def unresolved(case: Case) -> None:
    case.owner.client.ok("POST", f"{case.path}/discussions", json={"body": "Why?"})


def behind(case: Case) -> None:
    case.world.commit(case.project, "main", {"elsewhere.txt": "x\n"})


@pytest.mark.parametrize(
    ("settings", "spoil", "reason", "status"),
    [
        ({}, changes_requested, "requested_changes", 405),
        ({}, unapproved, "not_approved", 405),
        ({}, blocked, "merge_request_blocked", 405),
        ({}, close, "not_open", 405),
        ({}, later, "merge_time", 405),
        ({}, draft, "draft_status", 405),
        ({"only_allow_merge_if_all_discussions_are_resolved": True}, unresolved, "discussions_not_resolved", 405),
        ({"only_allow_merge_if_pipeline_succeeds": True}, lambda case: None, "ci_must_pass", 405),
        (
            {"only_allow_merge_if_pipeline_succeeds": True},
            lambda case: case.pipeline("running"),
            "ci_still_running",
            405,
        ),
        ({"only_allow_merge_if_pipeline_succeeds": True}, lambda case: case.pipeline("failed"), "ci_must_pass", 405),
        ({}, conflict, "conflict", 422),
        ({"merge_method": "ff"}, behind, "need_rebase", 422),
        ({"merge_method": "rebase_merge"}, behind, "need_rebase", 422),
    ],
)
def test_each_reason_is_shown_and_refuses_the_merge(
    world: World,
    owner: Person,
    settings: dict[str, Any],
    spoil: Callable[[Case], None],
    reason: str,
    status: int,
) -> None:
    case = Case(world, owner, **settings)
    assert case.owner.client.ok("GET", case.path)["merge_status"] == "can_be_merged"

    spoil(case)

    assert case.status() == reason
    assert case.refusal() == (status, reason)
    # A wrong head is told only where nothing else is wrong.
    assert case.refusal(sha="0" * 40) == (status, reason)


def test_a_missing_branch_leaves_nothing_to_merge(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "target", {"t.txt": "t\n"})
    world.commit(project, "feature", {"f.txt": "f\n"}, start="target")
    body = {"title": "t", "source_branch": "feature", "target_branch": "target"}
    created = owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"

    world.delete_branch(project, "target")

    shown = owner.client.ok("GET", path)
    assert (shown["state"], shown["detailed_merge_status"], shown["has_conflicts"]) == (
        "opened",
        "commits_status",
        True,
    )
    assert owner.client.put(f"{path}/merge").status_code == 405


def test_a_request_without_commits(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    owner.client.ok("POST", f"/projects/{project['id']}/repository/branches", json={"branch": "same", "ref": "main"})
    body = {"title": "t", "source_branch": "same", "target_branch": "main"}

    created = owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)

    assert (created["detailed_merge_status"], created["has_conflicts"]) == ("commits_status", True)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"
    assert owner.client.ok("GET", f"{path}/commits") == []


def test_squashing_can_be_required(world: World, owner: Person) -> None:
    case = Case(world, owner, squash_option="always")
    owner.client.ok("PUT", case.path, json={"squash": False})
    assert owner.client.ok("GET", case.path)["squash_on_merge"] is True

    assert case.refusal()[0] == 422
    message = owner.client.ok("GET", case.path)
    assert message["merge_error"] == "This project requires squashing commits when merge requests are accepted."
    assert message["state"] == "opened"
    assert owner.client.ok("PUT", f"{case.path}/merge", json={"squash": True})["squash_commit_sha"] is not None


def test_paid_checks_name_a_closed_request_first(world: World, owner: Person) -> None:
    case = Case(world, owner)
    unapproved(case)
    close(case)

    assert case.status() == "not_approved"


@pytest.mark.parametrize(
    ("required", "pipeline", "spoil", "status", "state"),
    [
        (False, "running", None, 200, "opened"),
        (True, None, None, 200, "opened"),
        (False, None, None, 405, "opened"),
        (False, None, draft, 200, "opened"),
        (False, "success", None, 200, "merged"),
        (False, "success", draft, 422, "opened"),
        (True, "failed", None, 200, "opened"),
        (False, "failed", None, 405, "opened"),
        (False, "failed", draft, 200, "opened"),
        (False, "success", conflict, 422, "opened"),
        (False, "running", conflict, 405, "opened"),
    ],
)
def test_auto_merge_waits_only_where_there_is_something_to_wait_for(
    world: World, owner: Person, required: bool, pipeline: str | None, spoil: Any, status: int, state: str
) -> None:
    case = Case(world, owner, only_allow_merge_if_pipeline_succeeds=required)
    if pipeline is not None:
        case.pipeline(pipeline)
    if spoil is not None:
        spoil(case)

    reply = owner.client.put(f"{case.path}/merge", json={"auto_merge": True})

    assert reply.status_code == status, reply.text
    shown = owner.client.ok("GET", case.path)
    assert shown["state"] == state
    waiting = status == 200 and state == "opened"
    assert shown["merge_when_pipeline_succeeds"] is waiting


def test_auto_merge_fires_when_the_pipeline_succeeds(world: World, owner: Person) -> None:
    case = Case(world, owner)
    case.pipeline("running")
    waiting = owner.client.ok("PUT", f"{case.path}/merge", json={"auto_merge": True, "sha": case.head})
    assert (waiting["merge_user"]["id"], waiting["merged_by"]) == (owner.id, None)

    case.pipeline("success")

    merged = owner.client.ok("GET", case.path)
    assert (merged["state"], merged["merged_by"]["id"]) == ("merged", owner.id)


def resolve(case: Case) -> None:
    thread = case.owner.client.ok("GET", f"{case.path}/discussions")[-1]
    case.owner.client.ok("PUT", f"{case.path}/discussions/{thread['id']}", json={"resolved": True})


def approve(case: Case) -> None:
    rule = case.owner.client.ok("GET", f"/projects/{case.project['id']}/approval_rules")[0]
    reviewer = rule["users"][0]["username"]
    case.world.admin.ok("POST", f"{case.path}/approve", headers={"Sudo": reviewer})


def accept_changes(case: Case) -> None:
    reviewer = case.owner.client.ok("GET", case.path)["reviewers"][0]["username"]
    case.world.admin.ok("POST", f"{case.path}/approve", headers={"Sudo": reviewer})


def unblock(case: Case) -> None:
    other = case.owner.client.ok("GET", f"{case.path}/blocks")[0]["blocking_merge_request"]["iid"]
    case.owner.client.ok("PUT", f"{case.base}/{other}/merge")


def undraft(case: Case) -> None:
    case.owner.client.ok("PUT", case.path, json={"title": "Ready"})


@pytest.mark.parametrize(
    ("settings", "spoil", "reason", "cure"),
    [
        ({"only_allow_merge_if_all_discussions_are_resolved": True}, unresolved, "discussions_not_resolved", resolve),
        ({}, unapproved, "not_approved", approve),
        ({}, changes_requested, "requested_changes", accept_changes),
        ({}, blocked, "merge_request_blocked", unblock),
        ({}, draft, "draft_status", undraft),
    ],
)
def test_auto_merge_fires_when_the_last_hindrance_goes_after_the_pipeline_succeeded(
    world: World, owner: Person, settings: dict[str, Any], spoil: Any, reason: str, cure: Any
) -> None:
    case = Case(world, owner, **settings)
    case.pipeline("running")
    owner.client.ok("PUT", f"{case.path}/merge", json={"auto_merge": True})
    spoil(case)
    case.pipeline("success")
    waiting = owner.client.ok("GET", case.path)
    assert (waiting["state"], waiting["detailed_merge_status"]) == ("opened", reason)
    assert waiting["merge_when_pipeline_succeeds"] is True

    cure(case)

    merged = owner.client.ok("GET", case.path)
    assert (merged["state"], merged["merged_by"]["id"]) == ("merged", owner.id)


def test_a_push_ends_the_wait(world: World, owner: Person) -> None:
    case = Case(world, owner)
    case.pipeline("running")
    owner.client.ok("PUT", f"{case.path}/merge", json={"auto_merge": True})

    world.commit(case.project, "feature", {"g.txt": "more\n"})

    shown = owner.client.ok("GET", case.path)
    assert (shown["merge_when_pipeline_succeeds"], shown["merge_user"]) == (False, None)
    announce(world.server.services, PipelineChanged(1, case.project["id"], case.head, "success"))
    assert owner.client.ok("GET", case.path)["state"] == "opened"


def test_auto_merge_can_be_cancelled(world: World, owner: Person) -> None:
    case = Case(world, owner)
    case.pipeline("running")
    owner.client.ok("PUT", f"{case.path}/merge", json={"auto_merge": True})
    cancel = f"{case.path}/cancel_merge_when_pipeline_succeeds"

    done = owner.client.post(cancel)

    assert (done.status_code, done.json()) == (201, {"status": "success"})
    assert owner.client.ok("GET", case.path)["merge_when_pipeline_succeeds"] is False
    again = owner.client.post(cancel)
    assert again.status_code == 406
    assert again.json() == {"message": "Can't cancel the automatic merge", "status": "error", "http_status": 406}


def test_requests_from_forks_are_merged(world: World, owner: Person) -> None:
    upstream = world.project(owner, initialize_with_readme=True, visibility="public")
    contributor = world.user()
    fork = contributor.client.ok("POST", f"/projects/{upstream['id']}/fork")
    world.run_jobs()
    world.commit(fork, "feature", {"f.txt": "fork\n"})
    body = {
        "title": "From a fork",
        "source_branch": "feature",
        "target_branch": "main",
        "target_project_id": upstream["id"],
    }

    created = contributor.client.ok("POST", f"/projects/{fork['id']}/merge_requests", json=body)

    assert (created["project_id"], created["source_project_id"]) == (upstream["id"], fork["id"])
    assert created["allow_collaboration"] is True
    path = f"/projects/{upstream['id']}/merge_requests/{created['iid']}"
    assert contributor.client.put(f"{path}/merge").status_code == 401
    merged = owner.client.ok("PUT", f"{path}/merge")
    assert merged["state"] == "merged"
    assert owner.client.ok("GET", path)["first_contribution"] is True
    blob = owner.client.get(f"/projects/{upstream['id']}/repository/files/f.txt/raw?ref=main")
    assert blob.text == "fork\n"


def test_a_request_left_locked_by_a_crash_is_repaired(world: World, owner: Person) -> None:
    case = Case(world, owner)
    with world.server.services.db.write() as tx:
        tx.execute(
            update(merge_requests)
            .where(merge_requests.c.id == case.made["id"])
            .values(state="locked", in_progress_merge_sha="1" * 40, merge_commit_sha="1" * 40, merged_by_id=owner.id)
        )

    undone = owner.client.ok("GET", case.path)

    assert (undone["state"], undone["merge_commit_sha"], undone["merged_by"]) == ("opened", None, None)
    world.fast_forward(case.project, "main", case.head)
    with world.server.services.db.write() as tx:
        tx.execute(
            update(merge_requests)
            .where(merge_requests.c.id == case.made["id"])
            .values(state="locked", in_progress_merge_sha=case.head, merged_by_id=owner.id, merged_at=None)
        )
    done = owner.client.ok("GET", case.path)
    assert (done["state"], done["merged_by"]["id"]) == ("merged", owner.id)
