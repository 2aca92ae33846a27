"""External status checks: what they are told, what they say, and that merging waits for them."""

import hashlib
import hmac
from collections.abc import Iterator
from typing import Any

import gitlab
import pytest

from tests.support.receiver import Receiver, running_receiver
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with running_receiver() as running:
        yield running


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    world.admin.ok("PUT", "/application/settings", json={"allow_local_requests_from_web_hooks_and_services": True})
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True, only_allow_merge_if_all_status_checks_passed=True)


def test_a_request_is_merged_once_its_checks_have_passed(
    world: World, owner: Person, project: dict[str, Any], receiver: Receiver
) -> None:
    base, url = f"/projects/{project['id']}", f"{receiver.url}/{world.name('check')}/"
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        place = client.projects.get(project["id"])
        body = {"name": "Licences", "external_url": url, "shared_secret": "s3cret"}
        check = place.external_status_checks.create(body)
        assert (check.name, check.external_url, check.hmac, check.protected_branches) == ("Licences", url, True, [])

        request = world.merge_request(project, owner)
        world.run_jobs()
        path = f"{base}/merge_requests/{request['iid']}"
        [reported] = receiver.wait_for(url.removeprefix(receiver.url))
        assert reported.body["object_kind"] == "merge_request"
        assert reported.body["external_approval_rule"] == {"id": check.id, "name": "Licences", "external_url": url}
        signature = hmac.new(b"s3cret", reported.text.encode(), hashlib.sha256).hexdigest()
        assert reported.headers["X-Gitlab-Signature"] == signature

        shown = owner.client.ok("GET", path)
        assert shown["detailed_merge_status"] == "status_checks_must_pass"
        assert owner.client.put(f"{path}/merge").status_code == 405
        (status,) = place.mergerequests.get(request["iid"]).status_checks.list()
        assert (status.id, status.status) == (check.id, "pending")

        answer = {"sha": "0" * 40, "external_status_check_id": check.id, "status": "failed"}
        wrong = owner.client.post(f"{path}/status_check_responses", json=answer)
        text = f"SHA does not match HEAD of source branch: {shown['sha']}"
        assert (wrong.status_code, wrong.json()) == (409, {"message": text})
        answer["sha"] = shown["sha"]
        said = owner.client.ok("POST", f"{path}/status_check_responses", json=answer)
        assert (said["merge_request"]["id"], said["external_status_check"]["id"]) == (request["id"], check.id)
        assert owner.client.ok("GET", f"{path}/status_checks")[0]["status"] == "failed"

        retried = owner.client.post(f"{path}/status_checks/{check.id}/retry")
        assert (retried.status_code, retried.json()) == (202, {"message": "202 Accepted"})
        again = owner.client.post(f"{path}/status_checks/{check.id}/retry")
        assert (again.status_code, again.json()) == (422, {"message": "External status check must be failed"})
        world.run_jobs()
        receiver.wait_for(url.removeprefix(receiver.url), 2)

        owner.client.ok("POST", f"{path}/status_check_responses", json={**answer, "status": "passed"})
        assert owner.client.ok("PUT", f"{path}/merge")["state"] == "merged"


def test_checks_are_changed_and_removed(world: World, owner: Person, project: dict[str, Any]) -> None:
    path, call = f"/projects/{project['id']}/external_status_checks", owner.client.ok
    (branch,) = call("GET", f"/projects/{project['id']}/protected_branches")
    body = {"name": "A", "external_url": "https://a.example.com", "protected_branch_ids": [branch["id"]]}
    check = call("POST", path, json=body)
    assert [one["name"] for one in check["protected_branches"]] == ["main"]
    taken = owner.client.post(path, json=body)
    assert taken.status_code == 422
    assert taken.json() == {"message": ["Name has already been taken", "External url has already been taken"]}
    blank = owner.client.put(f"{path}/{check['id']}", json={"name": " "})
    assert (blank.status_code, blank.json()) == (422, {"message": ["Name can't be blank"]})
    changed = call("PUT", f"{path}/{check['id']}", json={"name": "B", "protected_branch_ids": []})
    assert (changed["name"], changed["protected_branches"]) == ("B", [])
    assert call("GET", path) == [changed]
    assert owner.client.delete(f"{path}/{check['id']}").status_code == 204
    assert owner.client.delete(f"{path}/{check['id']}").json() == {"message": "404 Not found"}


def test_who_may_change_checks_and_answer_for_them(world: World, owner: Person, project: dict[str, Any]) -> None:
    secret = "https://ci:pass-word@a.example.com/told?key=pass-word"
    base, body = f"/projects/{project['id']}", {"name": "A", "external_url": secret}
    check = owner.client.ok("POST", f"{base}/external_status_checks", json=body)
    request = world.merge_request(project, owner)
    path = f"{base}/merge_requests/{request['iid']}"
    answer = {"sha": request["sha"], "external_status_check_id": check["id"], "status": "passed"}
    reporter, developer = world.user(), world.user()
    world.member(project, reporter, "reporter")
    world.member(project, developer, "developer")
    refused = developer.client.post(f"{base}/external_status_checks", json=body)
    assert (refused.status_code, refused.json()) == (401, {"message": "401 Unauthorized"})
    assert developer.client.get(f"{base}/external_status_checks").status_code == 401
    (shown,) = reporter.client.ok("GET", f"{path}/status_checks")
    assert (shown["status"], shown["external_url"]) == ("pending", "https://a.example.com/told")
    assert owner.client.ok("GET", f"{path}/status_checks")[0]["external_url"] == secret
    assert reporter.client.post(f"{path}/status_check_responses", json=answer).status_code == 401
    assert "pass-word" not in str(developer.client.ok("POST", f"{path}/status_check_responses", json=answer))
    owner.client.ok("PUT", f"{base}/external_status_checks/{check['id']}", json={"name": "B"})
    assert "pass-word" not in str(owner.client.ok("GET", f"{base}/audit_events"))
    assert world.user().client.get(f"{base}/external_status_checks").status_code == 404
    assert world.anonymous.get(f"{base}/external_status_checks").status_code == 401
