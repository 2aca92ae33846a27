"""What each kind of event says, and that it is said once."""

from datetime import timedelta
from typing import Any

from sqlalchemy import event, update

from ingot.features.integrations.web_hooks.expiring_tokens import warn_of_access_tokens, warn_of_deploy_tokens
from ingot.features.integrations.web_hooks.payloads import BUILDERS
from ingot.identity.tables import personal_access_tokens
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from tests.features.integrations.web_hooks.conftest import Hooked, Make
from tests.support import ci
from tests.support.waiting import until_refused

CONFIG = """
stages: [build, deploy]
unit:
  stage: build
  script: x
shaky:
  stage: build
  script: x
  allow_failure: true
ship:
  stage: deploy
  script: x
  environment: {name: production, url: 'https://app.example.com'}
"""


def pipeline_with_jobs(hooked: Hooked, config: str) -> tuple[dict[str, Any], dict[str, int]]:
    """A pipeline of this configuration with a variable, and the ids of its jobs."""
    client, world = hooked.owner.client, hooked.world
    world.commit(hooked.project, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]", user_id=hooked.owner.id)
    variables = [{"key": "COLOUR", "value": "red"}]
    pipeline = client.ok("POST", f"{hooked.place}/pipeline", json={"ref": "main", "variables": variables})
    jobs = client.ok("GET", f"{hooked.place}/pipelines/{pipeline['id']}/jobs")
    return pipeline, {job["name"]: job["id"] for job in jobs}


def test_a_pipeline_its_builds_and_its_deployment_are_told(make_hooked: Make) -> None:
    hooked = make_hooked("pipeline_events", "job_events", "deployment_events")
    world, owner = hooked.world, hooked.owner
    pipeline, jobs = pipeline_with_jobs(hooked, CONFIG)

    ci.run(world, jobs["unit"])
    ci.run(world, jobs["shaky"], "failed", failure_reason="script_failure")
    ci.run(world, jobs["ship"])

    whole = hooked.bodies(object_kind="pipeline")
    reported = [one for one in whole if one["object_attributes"]["id"] == pipeline["id"]]
    assert [one["object_attributes"]["status"] for one in reported] == ["pending", "running", "success"]
    ended = reported[-1]
    attributes = ended["object_attributes"]
    assert (attributes["id"], attributes["iid"], attributes["ref"]) == (pipeline["id"], pipeline["iid"], "main")
    assert attributes["detailed_status"] == "passed with warnings"
    assert attributes["stages"] == ["build", "deploy"]
    assert attributes["variables"] == [{"key": "COLOUR", "value": "red"}]
    assert attributes["url"].endswith(f"/-/pipelines/{pipeline['id']}")
    assert attributes["finished_at"].endswith(" UTC")
    assert (ended["commit"]["id"], ended["commit"]["title"]) == (pipeline["sha"], "CI [skip ci]")
    assert ended["merge_request"] is None
    assert "source_pipeline" not in ended
    assert ended["user"]["username"] == owner.username
    assert "homepage" not in ended["project"]
    shown = {build["name"]: build for build in ended["builds"]}
    assert (shown["unit"]["status"], shown["unit"]["failure_reason"]) == ("success", None)
    assert (shown["shaky"]["status"], shown["shaky"]["failure_reason"]) == ("failed", "script_failure")
    assert shown["ship"]["environment"] == {
        "name": "production", "action": "start", "deployment_tier": "production"
    }  # fmt: skip

    builds = [one for one in hooked.bodies(object_kind="build") if one["build_name"] == "ship"]
    assert [one["build_status"] for one in builds] == ["created", "pending", "running", "success"]
    built = builds[-1]
    assert (built["build_id"], built["pipeline_id"], built["build_stage"]) == (jobs["ship"], pipeline["id"], "deploy")
    assert (built["commit"]["id"], built["commit"]["sha"]) == (pipeline["id"], pipeline["sha"])
    assert built["environment"] == {"name": "production", "action": "start"}
    assert built["project_name"] == hooked.project["name_with_namespace"]
    assert built["build_duration"] >= 0
    assert built["retries_count"] == 0

    deployed = hooked.bodies(object_kind="deployment")
    assert [one["status"] for one in deployed] == ["running", "success"]
    assert (deployed[1]["environment"], deployed[1]["environment_tier"]) == ("production", "production")
    assert deployed[1]["environment_external_url"] == "https://app.example.com"
    assert deployed[1]["deployable_url"].endswith(f"/-/jobs/{jobs['ship']}")
    assert (deployed[1]["commit_title"], deployed[1]["short_sha"]) == ("CI [skip ci]", pipeline["sha"][:8])
    assert deployed[1]["user_url"].endswith(f"/{owner.username}")


def test_a_retried_build_says_how_often_and_a_blocked_person_is_not_told_of(make_hooked: Make) -> None:
    hooked = make_hooked("pipeline_events", "job_events")
    world, client = hooked.world, hooked.owner.client
    _, jobs = pipeline_with_jobs(hooked, "unit: {script: x}")
    ci.run(world, jobs["unit"], "failed")
    again = client.ok("POST", f"{hooked.place}/jobs/{jobs['unit']}/retry")
    assert hooked.bodies(build_id=again["id"])[-1]["retries_count"] == 1
    number = len(hooked.arrivals())

    world.admin.ok("POST", f"/users/{hooked.owner.id}/block")
    ci.take(world, again["id"])

    assert len(hooked.arrivals()) == number


def test_releases_are_told_with_their_assets(make_hooked: Make) -> None:
    hooked = make_hooked("releases_events")
    client, releases = hooked.owner.client, f"{hooked.place}/releases"
    link = {"name": "Manual", "url": "https://example.com/manual.pdf"}
    for tag in ("v1", "v2"):
        body = {"tag_name": tag, "ref": "main", "name": f"Release {tag}", "assets": {"links": [link]}}
        client.ok("POST", releases, json=body)
    client.ok("PUT", f"{releases}/v1", json={"description": "![x](/uploads/a/b.png)"})
    client.ok("DELETE", f"{releases}/v1")
    client.ok("DELETE", f"{hooked.place}/repository/tags/v2")

    bodies = hooked.bodies(object_kind="release")

    assert [one["action"] for one in bodies if one["tag"] == "v2"] == ["create", "delete"]
    created, changed, gone = [one for one in bodies if one["tag"] == "v1"]
    assert [one["action"] for one in (created, changed, gone)] == ["create", "update", "delete"]
    assert created["name"] == "Release v1"
    assert created["url"].endswith("/-/releases/v1")
    assert created["commit"]["id"] == client.ok("GET", f"{hooked.place}/repository/commits/main")["id"]
    assert [(one["name"], one["url"], one["link_type"]) for one in created["assets"]["links"]] == [
        ("Manual", link["url"], "other")
    ]
    assert [one["format"] for one in created["assets"]["sources"]] == ["zip", "tar.gz", "tar.bz2", "tar"]
    assert created["assets"]["count"] == 5
    assert changed["description"].startswith("![x](http")


def test_milestones_are_told_when_their_state_changes(make_hooked: Make) -> None:
    hooked = make_hooked("milestone_events")
    client, world = hooked.owner.client, hooked.world
    milestones = f"{hooked.place}/milestones"
    one = client.ok("POST", milestones, json={"title": "First", "due_date": "2030-01-31"})
    changes = [{"title": "Renamed"}, {"state_event": "close"}, {"state_event": "close"}, {"state_event": "activate"}]
    for change in changes:
        client.ok("PUT", f"{milestones}/{one['id']}", json=change)
    client.ok("DELETE", f"{milestones}/{one['id']}")
    group = world.group(hooked.owner)
    path = f"/{world.name('milestones')}/"
    body = {"url": hooked.receiver.url + path, "milestone_events": True}
    client.ok("POST", f"/groups/{group['id']}/hooks", json=body)
    client.ok("POST", f"/groups/{group['id']}/milestones", json={"title": "Of the group"})

    bodies = hooked.bodies(object_kind="milestone")

    assert [body["action"] for body in bodies] == ["create", "close", "reopen", "delete"]
    assert bodies[0]["object_attributes"]["due_date"] == "2030-01-31"
    assert bodies[1]["object_attributes"]["state"] == "closed"
    assert bodies[0]["project"]["id"] == hooked.project["id"]
    [arrived] = hooked.receiver.received(path)
    assert arrived.headers["X-Gitlab-Event"] == "Milestone Hook"
    assert (arrived.body["project"], arrived.body["object_attributes"]["group_id"]) == (None, group["id"])
    assert arrived.body["group"] == {
        "group_name": group["name"],
        "group_path": group["path"],
        "group_id": group["id"],
        "full_path": group["full_path"],
    }


def test_a_feature_flag_is_told_when_it_is_switched_and_only_then(make_hooked: Make) -> None:
    hooked = make_hooked("feature_flag_events")
    client, path = hooked.owner.client, f"{hooked.place}/feature_flags"
    client.ok("POST", path, json={"name": "new_door"})
    client.ok("PUT", f"{path}/new_door", json={"description": "A door", "active": True})
    client.ok("PUT", f"{path}/new_door", json={"active": False})
    client.ok("DELETE", f"{path}/new_door")

    (arrival,) = hooked.arrivals()
    assert arrival.headers["X-Gitlab-Event"] == "Feature Flag Hook"
    body = arrival.body
    assert body.keys() == {"object_kind", "project", "user", "user_url", "object_attributes"}
    assert body["object_kind"] == "feature_flag"
    assert body["user"]["username"] == hooked.owner.username
    assert body["user_url"].endswith(f"/{hooked.owner.username}")
    attributes = body["object_attributes"]
    assert attributes == {"id": attributes["id"], "name": "new_door", "description": "A door", "active": False}


def test_every_kind_that_has_a_sample_can_be_tried(make_hooked: Make) -> None:
    hooked = make_hooked()
    client = hooked.owner.client
    hook = f"{hooked.place}/hooks/{client.ok('GET', f'{hooked.place}/hooks')[0]['id']}/test"

    missing = {
        "releases_events": "Ensure the project has releases.",
        "job_events": "Ensure the project has CI jobs.",
        "pipeline_events": "Ensure the project has CI pipelines.",
        "emoji_events": "Ensure the project has notes.",
        "wiki_page_events": "Ensure the wiki is enabled and has pages.",
        "deployment_events": "Testing not available for this hook",
        "confidential_note_events": "Testing not available for this hook",
    }
    for trigger, text in missing.items():
        answer = client.post(f"{hook}/{trigger}")
        assert (answer.status_code, answer.json()) == (422, {"message": text})
    issue = client.ok("POST", f"{hooked.place}/issues", json={"title": "Hinge"})
    client.ok("POST", f"{hooked.place}/issues/{issue['iid']}/notes", json={"body": "Oil it"})
    client.ok("POST", f"{hooked.place}/releases", json={"tag_name": "v1", "ref": "main"})
    pipeline_with_jobs(hooked, "unit: {script: x}")
    for trigger in ("releases_events", "job_events", "pipeline_events", "milestone_events", "emoji_events"):
        client.ok("POST", f"{hook}/{trigger}")
    # Five a minute; an administrator has a count of their own.
    refused = until_refused(lambda: client.post(f"{hook}/resource_access_token_events"), 201)
    text = "This endpoint has been requested too many times. Try again later."
    assert (refused.status_code, refused.json()) == (429, {"message": {"error": text}})
    hooked.world.admin.ok("POST", f"{hook}/resource_access_token_events")

    seen = [(one.headers["X-Gitlab-Event"], one.body["object_kind"]) for one in hooked.arrivals()]
    assert seen[:5] == [
        ("Release Hook", "release"), ("Job Hook", "build"), ("Pipeline Hook", "pipeline"),
        ("Milestone Hook", "milestone"), ("Emoji Hook", "emoji"),
    ]  # fmt: skip
    assert set(seen[5:]) == {("Resource Access Token Hook", "access_token")}


def test_changes_that_no_hook_wants_cost_one_statement_for_all_of_them(make_hooked: Make) -> None:
    hooked = make_hooked("push_events")
    heard: list[str] = []

    with hooked.world.server.services.db.write() as tx:
        event.listen(tx, "before_cursor_execute", lambda *given: heard.append(given[2]))
        for kind in sorted(BUILDERS.keys() - {"push", "emoji"}):
            for number in range(20):
                report_change(tx, Change(kind, "create", number, project_id=hooked.project["id"]))

    about_hooks = [statement for statement in heard if "web_hook" in statement]
    assert len(about_hooks) == 1, about_hooks
    assert "FROM web_hooks" in about_hooks[0]
    assert hooked.bodies() == []


def test_tokens_that_end_soon_are_told_once_for_each_interval(make_hooked: Make) -> None:
    hooked = make_hooked("resource_access_token_events", "resource_deploy_token_events")
    client, today = hooked.owner.client, now().date()
    body = {"name": "robot", "scopes": ["api"], "access_level": 30, "expires_at": str(today + timedelta(days=5))}
    token = client.ok("POST", f"{hooked.place}/access_tokens", json=body)
    client.ok("POST", f"{hooked.place}/access_tokens", json={**body, "expires_at": str(today + timedelta(days=20))})
    deploy = {"name": "fetch", "scopes": ["read_repository"], "expires_at": str(today + timedelta(days=40))}
    client.ok("POST", f"{hooked.place}/deploy_tokens", json=deploy)

    def warn() -> list[str]:
        with hooked.world.server.services.db.write() as tx:
            warn_of_access_tokens(tx)
            warn_of_deploy_tokens(tx)
        return sorted(one["event_name"] for one in hooked.bodies())

    assert warn() == warn() == ["expiring_access_token", "expiring_deploy_token"]
    with hooked.world.server.services.db.write() as tx:
        here = personal_access_tokens.c.id == token["id"]
        tx.execute(update(personal_access_tokens).where(here).values(expires_at=today + timedelta(days=1)))
    assert warn() == warn() == ["expiring_access_token", "expiring_access_token", "expiring_deploy_token"]
    of_access, nearer = hooked.bodies(object_kind="access_token")
    [of_deploy] = hooked.bodies(object_kind="deploy_token")
    assert nearer["object_attributes"]["expires_at"] == str(today + timedelta(days=1))
    assert (of_access["object_kind"], of_access["project"]["id"]) == ("access_token", hooked.project["id"])
    assert of_access["object_attributes"] == {
        "id": token["id"],
        "user_id": token["user_id"],
        "name": "robot",
        "created_at": of_access["object_attributes"]["created_at"],
        "expires_at": str(today + timedelta(days=5)),
        "last_used_at": None,
    }
    assert of_deploy["object_attributes"]["username"].startswith("gitlab+deploy-token-")
    assert of_deploy["object_attributes"]["deploy_token_type"] == "project_type"


def test_a_hook_whose_receiver_answers_with_a_call_does_not_go_in_circles(make_hooked: Make) -> None:
    hooked = make_hooked("issues_events")
    other = make_hooked("issues_events", project=hooked.project, owner=hooked.owner)
    client, issues = hooked.owner.client, f"{hooked.place}/issues"

    client.ok("POST", issues, json={"title": "First"})
    event = hooked.arrivals()[0].headers["X-Gitlab-Event-UUID"]
    cause = {"X-Gitlab-Event-UUID": event}
    client.ok("POST", issues, json={"title": "Answer"}, headers=cause)
    late = make_hooked("issues_events", project=hooked.project, owner=hooked.owner)
    client.ok("POST", issues, json={"title": "Second answer"}, headers=cause)
    client.ok("POST", issues, json={"title": "Third answer"}, headers=cause)
    client.ok("POST", issues, json={"title": "Free"})
    client.ok("POST", issues, json={"title": "Odd"}, headers={"X-Gitlab-Event-UUID": "no-uuid"})

    def titles_of(one: Hooked) -> dict[str, bool]:
        """Titles, and whether they were told under the first id."""
        return {
            arrived.body["object_attributes"]["title"]: arrived.headers["X-Gitlab-Event-UUID"] == event
            for arrived in one.arrivals()
        }

    assert titles_of(hooked) == titles_of(other) == {"First": True, "Free": False, "Odd": False}
    # It had not fired under this id before.
    assert titles_of(late) == {"Second answer": True, "Free": False, "Odd": False}
