"""Pages of CI: what a job waits for and deploys, resource groups, names of pipelines, cleaning up environments."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from ingot.features.ci.deployments import deployments, environments
from ingot.features.ci.engine import FAILURE_REASONS, ci_jobs, pipelines
from ingot.features.ci.job_outputs import job_artifacts
from ingot.features.ci.pipelines import states_of_jobs
from ingot.kit.clock import now
from ingot.web.failure_words import FAILURES
from ingot.web.states import pipeline_state
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly

CONFIG = """
compile: {script: ["true"]}
by-hand: {script: ["true"], when: manual}
release: {script: ["true"], environment: production, resource_group: forge/one}
close: {script: ["true"], when: manual, environment: {name: production, action: stop}}
"""


@pytest.fixture(scope="module")
def forge(smithy: RunningServer) -> dict[str, Any]:
    """A project of ada's group with two pipelines, whose jobs no runner takes."""
    client = smithy.client(ROOT_TOKEN)
    group = client.ok("GET", "/groups/smithy")["id"]
    project = client.ok("POST", "/projects", json={"path": "bellows", "namespace_id": group, "visibility": "public"})
    action = {"action": "create", "file_path": ".gitlab-ci.yml", "content": CONFIG}
    body = {"branch": "main", "commit_message": "Deploy", "actions": [action]}
    client.ok("POST", f"/projects/{project['id']}/repository/commits", json=body)
    client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    return dict(project)


def jobs_of(server: RunningServer, project: Mapping[str, Any], name: str) -> list[Any]:
    """The jobs of this name, that of the newest pipeline first."""
    rows = server.client(ROOT_TOKEN).ok("GET", f"/projects/{project['id']}/jobs?per_page=100")
    return [row for row in rows if row["name"] == name]


def facts_of(browser: Browser, path: str) -> dict[str, str]:
    side = browser.open(path).tree.xpath("//aside//dl")[0]
    names, facts = ([" ".join(" ".join(part.itertext()).split()) for part in side.xpath(tag)] for tag in ("dt", "dd"))
    return dict(zip(names, facts, strict=True))


def test_a_job_tells_its_environment_and_its_place_in_the_line(
    smithy: RunningServer, ada: Browser, forge: dict[str, Any]
) -> None:
    third, second, first = jobs_of(smithy, forge, "release")
    home = "/smithy/bellows/-"
    assert facts_of(ada, f"{home}/jobs/{first['id']}")["Resource group"] == "forge/one Held by this job."
    waiting = facts_of(ada, f"{home}/jobs/{third['id']}")
    assert waiting["Resource group"] == f"forge/one 1 job ahead of it release #{first['id']} holds it now."
    assert waiting["Environment"].startswith("production Deployment #3")
    assert "One job is ahead of it." in ada.open(f"{home}/jobs/{third['id']}").text
    stopping = jobs_of(smithy, forge, "close")[0]
    assert facts_of(ada, f"{home}/jobs/{stopping['id']}")["Environment"] == "production This job stops the environment."
    assert "Environment" not in facts_of(ada, f"{home}/jobs/{jobs_of(smithy, forge, 'compile')[0]['id']}")

    listed = ada.open(f"{home}/resource_groups")
    assert (f"release #{first['id']} is running" in listed.text, "2 jobs waiting" in listed.text) == (True, True)
    page = ada.open(next(link for link in listed.links() if "forge%2Fone" in link))
    order = [f"/-/jobs/{row['id']}" for row in (first, second, third)]
    assert [link[15:] for link in page.links() if "/-/jobs/" in link] == order
    refused = ada.send(page, "/forge%2Fone", process_mode="by_chance")
    assert (refused.status, "does not have a valid value" in refused.text) == (400, True)
    saved = ada.send(page, "/forge%2Fone", process_mode="newest_first")
    assert [link[15:] for link in saved.links() if "/-/jobs/" in link] == [order[0], order[2], order[1]]
    stranger = Browser(smithy)
    assert stranger.open(f"{home}/resource_groups").path == "/users/sign_in"
    dai = Browser(smithy)
    dai.enter_by_link("dai")
    assert dai.open(page.path).tree.xpath("//select[@name='process_mode']") == []


def test_a_pipeline_gets_a_name_and_its_jobs_are_run_by_hand(
    smithy: RunningServer, ada: Browser, forge: dict[str, Any]
) -> None:
    job = jobs_of(smithy, forge, "by-hand")[0]
    here = f"/smithy/bellows/-/pipelines/{job['pipeline']['id']}"
    named = ada.send(ada.open(here), "/name", name="Evening *forge*")
    assert named.tree.find(".//h1").text.strip() == "Evening *forge*"
    assert "Evening *forge*" in ada.open("/smithy/bellows/-/pipelines").text
    assert "Evening" not in ada.send(named, "/name", name="").tree.find(".//h1").text
    # One that deploys is run from there too, by those who may.
    assert acts_on(named, "play") == [str(jobs_of(smithy, forge, name)[0]["id"]) for name in ("by-hand", "close")]
    back = ada.send(named, f"/jobs/{job['id']}/play")
    assert (back.path, "Job started." in back.text) == (here, True)
    assert jobs_of(smithy, forge, "by-hand")[0]["status"] == "pending"
    # The branch is protected: developers may look.
    chloe = Browser(smithy)
    chloe.enter_by_link("chloe")
    shown = [chloe.open(path) for path in (here, f"/smithy/bellows/-/jobs/{job['id']}")]
    assert [page.tree.xpath("//main//form[@method='post']") for page in shown] == [[], []]


def acts_on(page: Visit, verb: str) -> list[str]:
    """What this can be done with on a page."""
    forms = page.tree.xpath(f"//form[@class='run'][contains(@action, '/{verb}')]/@action")
    return [str(action).split("/")[-2] for action in forms]


def test_what_goes_on_and_what_failed_is_changed_in_lists_and_on_the_pipeline(
    smithy: RunningServer, ada: Browser, forge: dict[str, Any]
) -> None:
    client, home = smithy.client(ROOT_TOKEN), "/smithy/bellows/-"
    pipeline = client.ok("POST", f"/projects/{forge['id']}/pipeline", json={"ref": "main"})["id"]
    compiled = jobs_of(smithy, forge, "compile")[0]["id"]
    cancelled = ada.send(ada.open(f"{home}/jobs?status=pending"), f"/jobs/{compiled}/cancel")
    assert (cancelled.path, str(cancelled.response.url.query)) == (f"{home}/jobs", "b'page=1&status=pending'")
    assert str(compiled) not in acts_on(cancelled, "cancel")
    here = ada.open(f"{home}/pipelines/{pipeline}")
    assert str(compiled) in acts_on(here, "retry")
    again = ada.send(here, f"/jobs/{compiled}/retry")
    assert again.path == here.path
    assert jobs_of(smithy, forge, "compile")[0]["id"] > compiled
    assert [word.text for word in again.tree.xpath("//nav[@aria-label='Pipeline']//span")] == ["4"]

    listed = ada.open(f"{home}/pipelines?source=api&ref=main")
    gone = ada.send(listed, f"/pipelines/{pipeline}/cancel")
    assert (gone.path, "Pipeline cancelled." in gone.text) == (f"{home}/pipelines", True)
    assert f"{home}/pipelines/{pipeline}#stage_1" in gone.tree.xpath("//a[@class='dot-link']/@href")
    chloe = Browser(smithy)
    chloe.enter_by_link("chloe")
    jobs = client.ok("GET", f"/projects/{forge['id']}/pipelines/{pipeline}/jobs?per_page=100")
    own = {f"{home}/pipelines/{pipeline}", *(f"{home}/jobs/{job['id']}" for job in jobs)}
    for path in ("pipelines", "jobs"):  # other pipelines are of branches that nobody protects
        actions = chloe.open(f"{home}/{path}").tree.xpath("//main//form[@method='post']/@action")
        assert not own & {str(action).rpartition("/")[0] for action in actions}
    assert chloe.open(f"{home}/pipelines/{pipeline}").tree.xpath("//main//form[@method='post']") == []
    assert client.delete(f"/projects/{forge['id']}/pipelines/{pipeline}").status_code == 204


def test_a_failure_that_is_allowed_is_a_warning(smithy: RunningServer, ada: Browser, forge: dict[str, Any]) -> None:
    client = smithy.client(ROOT_TOKEN)
    pipeline = client.ok("POST", f"/projects/{forge['id']}/pipeline", json={"ref": "main"})["id"]
    with smithy.services.db.write() as tx:
        mine = update(ci_jobs).where(ci_jobs.c.pipeline_id == pipeline)
        tx.execute(mine.values(status="success", started_at=now(), finished_at=now()))
        tx.execute(mine.where(ci_jobs.c.name == "compile").values(status="failed", allow_failure=True))
        tx.execute(update(pipelines).where(pipelines.c.id == pipeline).values(status="success", coverage=87.5))
    for path in (f"/smithy/bellows/-/pipelines/{pipeline}", "/smithy/bellows/-/pipelines?status=success"):
        page = ada.open(path)
        assert "Passed with Warnings" in page.text
        assert "87.5 %" in page.text
    assert "test: passed with warnings" in page.text
    assert "Failed, allowed · under 1 s" in ada.open(f"/smithy/bellows/-/pipelines/{pipeline}").text
    assert client.delete(f"/projects/{forge['id']}/pipelines/{pipeline}").status_code == 204


def test_a_pipeline_is_followed_with_all_its_jobs_and_what_they_started(
    smithy: RunningServer, forge: dict[str, Any]
) -> None:
    client = smithy.client(ROOT_TOKEN)
    one, other = (client.ok("POST", f"/projects/{forge['id']}/pipeline", json={"ref": "main"})["id"] for _ in range(2))
    with smithy.services.db.write() as tx:
        job = (
            tx.execute(select(ci_jobs).where(ci_jobs.c.pipeline_id == one, ci_jobs.c.name == "compile")).one()._asdict()
        )
        del job["id"]
        tx.execute(insert(ci_jobs), [{**job, "name": f"job {number}"} for number in range(150)])
        tx.execute(insert(ci_jobs).values(**{**job, "name": "bridge", "kind": "bridge", "downstream_id": other}))

    def state() -> str:
        with smithy.services.db.read() as conn:
            return pipeline_state({"id": one, "status": "running"}, states_of_jobs(conn, one))

    seen = [state()]
    for change in (
        update(ci_jobs).where(ci_jobs.c.pipeline_id == one, ci_jobs.c.name == "compile").values(status="running"),
        update(pipelines).where(pipelines.c.id == other).values(status="failed"),
    ):
        with smithy.services.db.write() as tx:
            tx.execute(change)
        seen.append(state())
    assert len(set(seen)) == 3
    ada = Browser(smithy)
    ada.enter_by_link("ada")
    page = ada.open(f"/smithy/bellows/-/pipelines/{one}")
    shown = page.tree.xpath("//a[@class='job']/@href")
    assert (len(shown), f"/smithy/bellows/-/pipelines/{other}" in shown) == (156, True)
    assert int(page.response.headers["x-query-count"]) < 30
    for number in (one, other):
        assert client.delete(f"/projects/{forge['id']}/pipelines/{number}").status_code == 204


def test_environments_that_nobody_uses_are_stopped_and_deleted(
    smithy: RunningServer, ada: Browser, forge: dict[str, Any]
) -> None:
    client, long_ago = smithy.client(ROOT_TOKEN), now() - timedelta(days=90)
    row = {"project_id": forge["id"], "tier": "development", "created_at": long_ago, "updated_at": long_ago}
    states = {"review/old": "available", "review/done": "stopped", "review/busy": "stopping"}
    with smithy.services.db.write() as tx:
        rows = [{**row, "name": name, "slug": name[:24], "state": state} for name, state in states.items()]
        tx.execute(insert(environments), rows)
    listed = ada.open("/smithy/bellows/-/environments")
    assert "review/busy" in ada.open(next(link for link in listed.links() if "state=stopping" in link)).text
    listed = ada.open("/smithy/bellows/-/environments?search=view%2Fold")
    assert listed.tree.xpath("//main//li//a[@class='title']/text()") == ["review/old"]
    assert "Enter at least 3 characters to search." in ada.open("/smithy/bellows/-/environments?search=ol").text

    cleaning = ada.open("/smithy/bellows/-/environments/cleaning")
    assert ("review/done" in cleaning.text, "review/old" in cleaning.text) == (True, False)
    wrong = ada.open("/smithy/bellows/-/environments/cleaning?limit=0")
    assert (wrong.status, "does not have a valid value" in wrong.text) == (400, True)
    refused = ada.send(cleaning, "/stale", since=now().date().isoformat())
    assert (refused.status, "Invalid Date" in refused.text) == (400, True)
    ada.send(cleaning, "/stale", since=(now() - timedelta(days=30)).date().isoformat())

    def state_of(name: str) -> str:
        return str(client.ok("GET", f"/projects/{forge['id']}/environments?search={name}")[0]["state"])

    until(lambda: state_of("review/old") == "stopped")
    assert state_of("production") == "available"
    deleted = ada.send(cleaning, "/review_apps")
    assert "Stopped review apps: " in deleted.text
    assert "Will be deleted" in ada.open("/smithy/bellows/-/environments?state=stopped").text
    dai = Browser(smithy)
    dai.enter_by_link("dai")
    assert dai.open("/smithy/bellows/-/environments/cleaning").status == 403


def test_every_reason_of_a_failure_has_words() -> None:
    assert set(FAILURE_REASONS) == set(FAILURES)


def test_pipelines_are_narrowed_by_source_person_and_name(
    smithy: RunningServer, ada: Browser, forge: dict[str, Any]
) -> None:
    listed, client = "/smithy/bellows/-/pipelines", smithy.client(ROOT_TOKEN)

    def number(query: str) -> int:
        return len(ada.open(f"{listed}?{query}").tree.xpath("//main//a[contains(@class, 'title')]"))

    # Other tests run pipelines too.
    for query in ("", "source=api", "source=push", "username=root&source=api", "username=ada", "name=nothing"):
        assert number(query) == len(client.ok("GET", f"/projects/{forge['id']}/pipelines?{query}")), query
    assert number("username=root&source=api") >= 2
    assert number("source=api") + number("source=push") == number("")
    assert (number("source=push") > 0, number("name=nothing")) == (True, 0)
    assert number("source=invented") == number("")  # as if it were not there
    nothing = ada.open(f"{listed}?status=failed&username=a%26b")
    assert "No pipelines match these filters." in nothing.text
    assert f"{listed}?status=success&username=a%26b" in nothing.links()


def test_the_merge_box_leads_to_the_pipeline_of_a_fork(
    smithy: RunningServer, ada: Browser, forge: dict[str, Any]
) -> None:
    client = smithy.client(ROOT_TOKEN)
    client.ok("PUT", f"/projects/{forge['id']}", json={"only_allow_merge_if_pipeline_succeeds": True})
    fork = client.ok("POST", f"/projects/{forge['id']}/fork", json={"path": "their-bellows", "visibility": "public"})
    until(lambda: client.ok("GET", f"/projects/{fork['id']}")["import_status"] == "finished")
    action = {"action": "create", "file_path": "leather.txt", "content": "Soft.\n"}
    change = {"branch": "softer", "start_branch": "main", "commit_message": "Soften", "actions": [action]}
    client.ok("POST", f"/projects/{fork['id']}/repository/commits", json=change)
    branches = {"source_branch": "softer", "target_branch": "main", "target_project_id": forge["id"]}
    request = client.ok("POST", f"/projects/{fork['id']}/merge_requests", json={"title": "Softer", **branches})
    where = f"/projects/{forge['id']}/merge_requests/{request['iid']}"
    until(lambda: client.ok("GET", where)["detailed_merge_status"] == "ci_still_running")
    pipeline = client.ok("GET", where)["head_pipeline"]
    assert pipeline["project_id"] == fork["id"]
    box = ada.open(f"/smithy/bellows/-/merge_requests/{request['iid']}")
    (link,) = box.tree.xpath("//a[.='View pipeline']/@href")
    assert ada.open(link).path == f"/{fork['path_with_namespace']}/-/pipelines/{pipeline['id']}"


def test_a_running_job_is_cancelled_at_once_by_maintainers(
    smithy: RunningServer, ada: Browser, forge: dict[str, Any]
) -> None:
    job = jobs_of(smithy, forge, "compile")[0]["id"]
    running = {"status": "running", "started_at": now(), "cancels_gracefully": True}
    with smithy.services.db.write() as tx:
        tx.execute(update(ci_jobs).where(ci_jobs.c.id == job).values(running))
    page, force = f"/smithy/bellows/-/jobs/{job}", "//input[@name='force']/ancestor::form"
    client, address = smithy.client(ROOT_TOKEN), f"/projects/{forge['id']}/jobs/{job}"
    shown = ada.open(page)
    asked = ada.send_form(shown, shown.tree.xpath("//form[contains(@action, '/cancel')][not(.//@value='true')]")[0])
    assert client.ok("GET", address)["status"] == "canceling"

    ended = ada.send_form(asked, asked.tree.xpath(force)[0])

    assert client.ok("GET", address)["status"] == "canceled"
    assert (ended.path, ended.tree.xpath(force)) == (page, [])


def test_strangers_sign_in_to_see_a_job(smithy: RunningServer, forge: dict[str, Any]) -> None:
    job = jobs_of(smithy, forge, "compile")[0]["id"]

    assert smithy.client(None).get(f"/projects/{forge['id']}/jobs/{job}").status_code == 401
    assert Browser(smithy).open(f"/smithy/bellows/-/jobs/{job}").path == "/users/sign_in"


def test_jobs_are_narrowed_by_their_state(ada: Browser, forge: dict[str, Any]) -> None:
    pending = ada.open("/smithy/bellows/-/jobs?status=pending")
    names = {title.text for title in pending.tree.iterfind(".//a[@class='title']")}
    assert "compile" in names
    assert "close" not in names
    assert pending.tree.xpath("//nav[@aria-label='State']/a[@aria-current]/text()") == ["Pending"]
    assert "No jobs in this state" in ada.open("/smithy/bellows/-/jobs?status=failed").text
    assert "close" in ada.open("/smithy/bellows/-/jobs?status=strange").text


def test_the_picture_of_many_jobs_has_the_lines_of_one(
    smithy: RunningServer, ada: Browser, forge: dict[str, Any]
) -> None:
    client = smithy.client(ROOT_TOKEN)
    config = 'first: {script: ["true"]}\n' + "".join(
        f'job-{number}: {{stage: deploy, needs: [first], script: ["true"]}}\n' for number in range(40)
    )
    action = {"action": "update", "file_path": ".gitlab-ci.yml", "content": config}
    body = {"branch": "wide", "start_branch": "main", "commit_message": "Do more", "actions": [action]}
    client.ok("POST", f"/projects/{forge['id']}/repository/commits", json=body)
    pipeline = client.ok("GET", f"/projects/{forge['id']}/pipelines?ref=wide")[0]["id"]
    page = ada.open(f"/smithy/bellows/-/pipelines/{pipeline}/dag")
    drawn = "//path[@class='edge']"
    assert len(page.tree.xpath("//svg//rect")) == 41
    assert page.tree.xpath(drawn) == []
    job = jobs_of(smithy, forge, "job-7")[0]["id"]
    (link,) = (link for link in page.links() if link.endswith(f"?job={job}"))
    focused = ada.open(link)
    assert len(focused.tree.xpath(drawn)) == 1
    assert "Dependencies of job-7" in focused.text
    first = jobs_of(smithy, forge, "first")[0]["id"]
    assert len(ada.open(f"{page.path}?job={first}").tree.xpath(drawn)) == 40
    # Other tests count the pipelines and read the first page of jobs.
    assert client.delete(f"/projects/{forge['id']}/pipelines/{pipeline}").status_code == 204


def test_a_ci_file_is_checked_on_its_way_to_a_commit(
    smithy: RunningServer, ada: Browser, forge: dict[str, Any]
) -> None:
    editor = ada.open("/smithy/bellows/-/ci/editor")
    target = editor.path
    form = _aimed_by(editor, "Check")
    wrong = ada.send_form(editor, form, content="test:\n  script: 1\n", branch="checked", commit_message="Say *it*")
    assert "not valid" in wrong.text
    right = ada.send_form(wrong, _aimed_by(wrong, "Check again"), content="test:\n  script: make\n")
    assert "The file is valid: 1 job" in right.text
    assert ada.send(right, target).status == 200
    commits = f"/projects/{forge['id']}/repository/commits?ref_name=checked&per_page=1"
    assert smithy.client(ROOT_TOKEN).ok("GET", commits)[0]["message"].strip() == "Say *it*"
    # Other files have nothing to check, and a form leads nowhere else.
    assert ada.open("/smithy/bellows/-/new/main?file_name=notes.md").tree.xpath("//button[text()='Check']") == []
    form.set("action", "/smithy/bellows/-/ci/lint?to=https://elsewhere.example.com/")
    assert ada.send_form(editor, form).tree.xpath("//main//form/@action") == ["/smithy/bellows/-/ci/lint"]


def test_a_link_to_the_check_chooses_no_form(ada: Browser, forge: dict[str, Any]) -> None:
    page = ada.open("/smithy/bellows/-/ci/lint?to=/-/user_settings/ssh_keys&words=Check&key=theirs")

    (form,) = page.tree.xpath("//main//form[.//textarea]")
    assert form.get("action") == "/smithy/bellows/-/ci/lint"
    assert set(form.xpath(".//@name")) == {"authenticity_token", "content"}


def _aimed_by(visit: Visit, words: str) -> Any:
    """The form of a button that sends it elsewhere than the form says."""
    (button,) = visit.tree.xpath(f"//button[text()='{words}']")
    (form,) = button.iterancestors("form")
    form.set("action", button.get("formaction"))
    return form


def test_a_job_tells_whose_it_is_and_that_its_artifacts_are_gone(
    smithy: RunningServer, ada: Browser, forge: dict[str, Any]
) -> None:
    job = smithy.client(ROOT_TOKEN).ok("POST", f"/projects/{forge['id']}/pipeline", json={"ref": "main"})
    row = next(row for row in jobs_of(smithy, forge, "compile") if row["pipeline"]["id"] == job["id"])
    here = f"/smithy/bellows/-/jobs/{row['id']}"
    facts = facts_of(ada, here)
    assert facts["Started by"] == row["user"]["name"]
    assert row["commit"]["title"] in facts["Commit"]
    assert facts["Runner"] == "None yet"
    assert "Artifacts" not in facts
    waiting = ada.open(here)
    assert "Waiting for a runner." in waiting.text
    assert waiting.tree.xpath("//a[text()='Raw log' or text()='Follow']") == []
    ended = {"status": "success", "started_at": now(), "finished_at": now()}
    with smithy.services.db.write() as tx:
        gone = now() - timedelta(days=1)
        tx.execute(update(ci_jobs).where(ci_jobs.c.id == row["id"]).values(artifacts_expire_at=gone, **ended))
    facts = facts_of(ada, here)
    assert facts["Artifacts"].startswith("Expired 20")
    left = {"project_id": forge["id"], "pipeline_id": job["id"], "job_id": row["id"], "size": 1, "blob_key": "x"}
    left |= {"created_at": now(), "expire_at": now() + timedelta(days=1)}
    with smithy.services.db.write() as tx:
        tx.execute(update(ci_jobs).where(ci_jobs.c.id == row["id"]).values(artifacts_expire_at=left["expire_at"]))
    assert "Artifacts" not in facts_of(ada, here)  # it had none, and what is due tomorrow is not gone
    with smithy.services.db.write() as tx:
        tx.execute(insert(job_artifacts).values(file_type="junit", filename="junit.xml.gz", **left))
    page = ada.open(here)
    assert facts_of(ada, here)["Artifacts"] == "Reports only: junit. Tests"
    assert page.tree.xpath("//aside//a[text()='Tests']/@href") == [
        f"/smithy/bellows/-/pipelines/{job['id']}/test_report"
    ]
    with smithy.services.db.write() as tx:
        tx.execute(insert(job_artifacts).values(file_type="archive", filename="artifacts.zip", **left))
    assert "expires 20" in facts_of(ada, here)["Artifacts"]
    with smithy.services.db.write() as tx:
        tx.execute(update(ci_jobs).where(ci_jobs.c.id == row["id"]).values(artifacts_expire_at=gone))
    assert "expired 20" in facts_of(ada, here)["Artifacts"]


def test_environments_name_the_pipeline_that_deployed(
    smithy: RunningServer, ada: Browser, forge: dict[str, Any]
) -> None:
    job = jobs_of(smithy, forge, "release")[0]
    with smithy.services.db.write() as tx:
        tx.execute(update(deployments).where(deployments.c.job_id == job["id"]).values(status="success"))
    listed = ada.open("/smithy/bellows/-/environments")
    assert f"pipeline #{job['pipeline']['id']}, release" in listed.text
    assert f"/smithy/bellows/-/pipelines/{job['pipeline']['id']}" in listed.links()
    alone = ada.open(
        next(link for link in listed.links() if link.rpartition("/")[2].isdecimal() and "/environments/" in link)
    )
    assert f"/smithy/bellows/-/pipelines/{job['pipeline']['id']}" in alone.links()
