"""What the merge box says to those who read it: who may merge, what is missing, and the next step."""

import pytest

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly


class Forge:
    """A project of Ben's group whose requests Chloé opens."""

    def __init__(self, server: RunningServer, path: str, **settings: object) -> None:
        self.client = server.client(ROOT_TOKEN)
        group = self.client.ok("GET", "/groups/smithy")["id"]
        fields = {"name": path, "namespace_id": group, "visibility": "public", "initialize_with_readme": True}
        project = self.client.ok("POST", "/projects", json={**fields, **settings})
        self.base, self.home = f"/projects/{project['id']}", f"/{project['path_with_namespace']}"

    def request(self, branch: str, **files: str) -> str:
        """The page of a request; without files, the branch has no commits of its own."""
        if files:
            actions = [{"action": "create", "file_path": name, "content": text} for name, text in files.items()]
            body = {"branch": branch, "start_branch": "main", "commit_message": branch, "actions": actions}
            self.client.ok("POST", f"{self.base}/repository/commits", json=body)
        else:
            self.client.ok("POST", f"{self.base}/repository/branches", json={"branch": branch, "ref": "main"})
        fields = {"source_branch": branch, "target_branch": "main", "title": branch}
        iid = self.client.ok("POST", f"{self.base}/merge_requests", json=fields)["iid"]
        where = f"{self.base}/merge_requests/{iid}"
        unsettled = ("preparing", "unchecked", "checking")
        until(lambda: self.client.ok("GET", where)["detailed_merge_status"] not in unsettled)
        return f"{self.home}/-/merge_requests/{iid}"


def enter(server: RunningServer, name: str) -> Browser:
    browser = Browser(server)
    browser.enter_by_link(name)
    return browser


def box(visit: Visit) -> str:
    return " ".join("".join(visit.tree.xpath("//section[@id='live-box']")[0].itertext()).split())


def test_who_may_merge_is_said_as_the_protection_has_it(smithy: RunningServer, ben: Browser) -> None:
    forge = Forge(smithy, "Swage")
    page, chloe = forge.request("swage", swage="x\n"), enter(smithy, "chloe")
    assert "Only maintainers can merge into main: Ada Lind, Ben Okoro." in box(chloe.open(page))
    assert "Only maintainers can merge into main." in box(Browser(smithy).open(page))
    protection = f"{forge.base}/protected_branches"
    dai = forge.client.ok("GET", "/users?username=dai")[0]["id"]

    forge.client.ok("DELETE", f"{protection}/main")
    assert "Only developers and maintainers can merge into main." in box(Browser(smithy).open(page))
    forge.client.ok("POST", f"{forge.base}/members", json={"user_id": dai, "access_level": 30})
    chosen = {"name": "main", "allowed_to_merge": [{"user_id": dai}], "push_access_level": 0}
    forge.client.ok("POST", protection, json=chosen)
    said = box(ben.open(page))
    assert "Only users and groups named in the branch protection can merge into main: Dai Nakamura." in said
    forge.client.ok("POST", f"{forge.base}/archive")
    assert "The project is archived, so nothing can be merged." in box(chloe.open(page))


def test_a_branch_without_commits_is_not_called_a_conflict(smithy: RunningServer, ben: Browser) -> None:
    page = Forge(smithy, "Tongs").request("same")
    said = box(ben.open(page))
    assert "Nothing to merge: same has no commits that are not in main." in said
    assert "Change target branch" in said
    assert "has conflicts with" not in said


def test_strangers_are_not_sent_to_threads_that_they_cannot_read(smithy: RunningServer, ben: Browser) -> None:
    forge = Forge(smithy, "Vise", only_allow_merge_if_all_discussions_are_resolved=True)
    page = forge.request("vise", vise="x\n")
    ben.send(ben.open(page), "/comment", body="Why?", thread="1")
    assert "A thread is open." in box(ben.open(page))
    said = box(Browser(smithy).open(page))
    assert "There are open threads. Resolve all threads before merging." in said
    assert "other pages" not in said


def test_nobody_is_offered_to_ask_themselves_and_checks_lead_to_their_service(
    smithy: RunningServer, ben: Browser
) -> None:
    forge = Forge(smithy, "Punch", only_allow_merge_if_all_status_checks_passed=True)
    ids = [forge.client.ok("GET", f"/users?username={name}")[0]["id"] for name in ("ada", "ben")]
    rule = {"name": "core", "approvals_required": 2, "user_ids": ids}
    forge.client.ok("POST", f"{forge.base}/approval_rules", json=rule)
    check = {"name": "Licences", "external_url": "https://licences.example.com/check"}
    forge.client.ok("POST", f"{forge.base}/external_status_checks", json=check)
    visit = ben.open(forge.request("punch", punch="x\n"))
    said = box(visit)
    assert ("Request review from Ada Lind" in said, "Request review from Ben Okoro" in said) == (True, False)
    assert "The check “Licences” has not responded yet." in said
    assert "https://licences.example.com/check" in visit.tree.xpath("//section[@id='live-box']//a/@href")


def test_a_pipeline_that_was_cancelled_says_so(smithy: RunningServer, ben: Browser) -> None:
    forge = Forge(smithy, "Rivet", only_allow_merge_if_pipeline_succeeds=True)
    config = "test:\n  script: make\n  tags: [nobody]\n"
    page = forge.request("rivet", **{".gitlab-ci.yml": config})
    number = forge.client.ok("GET", f"{forge.base}/pipelines")[0]["id"]
    forge.client.ok("POST", f"{forge.base}/pipelines/{number}/cancel")
    where = f"{forge.base}/merge_requests/{page.rpartition('/')[2]}"
    until(lambda: forge.client.ok("GET", where)["detailed_merge_status"] == "ci_must_pass")
    assert "The pipeline was cancelled. It must pass before merging." in box(ben.open(page))


def test_a_ci_file_that_cannot_be_used_is_said_wherever_its_pipeline_failed(
    smithy: RunningServer, ben: Browser
) -> None:
    forge = Forge(smithy, "Rasp")
    page = forge.request("rasp", **{".gitlab-ci.yml": "rasp: {script: [make], stage: nowhere}\n"})
    pipeline = forge.client.ok("GET", f"{forge.base}/pipelines")[0]["id"]
    words = "The CI configuration is invalid, so no jobs were created: "
    wrong = forge.client.ok("GET", f"{forge.base}/pipelines/{pipeline}")["yaml_errors"]
    assert "chosen stage does not exist" in wrong

    assert words + wrong in box(ben.open(page))
    failures = ben.open(f"{forge.home}/-/pipelines/{pipeline}/failures").text
    assert words + wrong in failures
    assert "No failed jobs." not in failures


def test_a_request_is_edited_from_each_of_its_tabs(smithy: RunningServer, ben: Browser) -> None:
    page = Forge(smithy, "Burr").request("burr", burr="x\n")
    for tail in ("", "/commits", "/pipelines", "/diffs", "/conflicts"):
        assert f"{page}/edit" in ben.open(page + tail).links()
        assert f"{page}/edit" not in enter(smithy, "dai").open(page + tail).links()


def test_a_suggestion_that_is_applied_in_the_discussion_leads_back_to_it(smithy: RunningServer, ben: Browser) -> None:
    forge = Forge(smithy, "Fuller")
    page = forge.request("fuller", **{"fuller.py": "one = 1\n"})
    changes = ben.open(f"{page}/diffs")
    link = changes.tree.xpath("//tr[td[@data-sign='+'][.='one = 1']]//a/@href")[0]
    form = ben.open(f"{page}/diffs{link.partition('#')[0]}")
    ben.send(form, "/line", body="```suggestion:-0+0\none = 1.0\n```")
    talk = ben.open(page)
    branch = talk.tree.xpath("//div[@class='head']//a[.='fuller']/@href")[0]
    assert ben.open(branch).status == 200
    action = talk.tree.xpath("//form[contains(@action, '/suggestions/')]/@action")[0]
    assert ben.send(talk, action).path == page


def test_titles_of_pushed_commits_stay_as_they_were_written(smithy: RunningServer, ben: Browser) -> None:
    forge = Forge(smithy, "Drift")
    page = forge.request("drift", drift="x\n")
    action = {"action": "create", "file_path": "more", "content": "x\n"}
    body = {"branch": "drift", "commit_message": "Return List<b> & <i>", "actions": [action]}
    forge.client.ok("POST", f"{forge.base}/repository/commits", json=body)
    talk = f"{forge.base}/merge_requests/{page.rpartition('/')[2]}/notes"
    until(lambda: any("added 1 commit" in note["body"] for note in forge.client.ok("GET", talk)))
    assert "- Return List<b> & <i>" in ben.open(page).text


def add_commit(forge: Forge, branch: str) -> None:
    """One more commit on the branch of a request."""
    body = {
        "branch": branch,
        "commit_message": "More",
        "actions": [{"action": "create", "file_path": "m", "content": ""}],
    }
    forge.client.ok("POST", f"{forge.base}/repository/commits", json=body)


def test_what_squashing_does_is_said_and_an_unticked_box_does_not_squash(smithy: RunningServer, ben: Browser) -> None:
    forge = Forge(smithy, "Squeeze")
    page = forge.request("flat", flat="x\n")
    only = "When selected, the only commit is rewritten, with your message below or, by default, the title"
    assert f"{only} of this merge request." in box(ben.open(page))
    add_commit(forge, "flat")
    where = f"{forge.base}/merge_requests/{page.rpartition('/')[2]}"
    forge.client.ok("PUT", where, json={"squash": True})
    until(lambda: forge.client.ok("GET", where)["detailed_merge_status"] == "mergeable")

    visit = ben.open(page)
    hint = visit.tree.xpath("//input[@name='squash'][@checked]/@aria-describedby")[0]
    assert visit.tree.xpath(f"string(//*[@id='{hint}'])").startswith(
        "When selected, the 2 commits are squashed into one, with"
    )
    form = visit.tree.xpath("//form[@class='merge-form']")[0]
    box_of_squash = form.xpath(".//input[@name='squash']")[0]
    box_of_squash.getparent().remove(box_of_squash)
    ben.send_form(visit, form)

    merged = forge.client.ok("GET", where)
    assert (merged["state"], merged["squash"], merged["squash_commit_sha"]) == ("merged", False, None)


def test_a_project_that_always_squashes_offers_no_choice(smithy: RunningServer, ben: Browser) -> None:
    forge = Forge(smithy, "Press", squash_commit_template="%{title} as one")
    page = forge.request("always", always="x\n")
    add_commit(forge, "always")
    where = f"{forge.base}/merge_requests/{page.rpartition('/')[2]}"
    forge.client.ok("PUT", forge.base, json={"squash_option": "always"})
    until(lambda: forge.client.ok("GET", where)["detailed_merge_status"] == "mergeable")

    visit = ben.open(page)
    said = box(visit)
    merged = ben.send(visit, "/merge")

    assert "This project always squashes: the 2 commits are squashed into one, with your message below" in said
    assert "or, by default, the project's squash commit template." in said
    assert not visit.tree.xpath("//input[@name='squash'][@type='checkbox']")
    assert "Merged" in merged.text
    sha = forge.client.ok("GET", where)["squash_commit_sha"]
    assert forge.client.ok("GET", f"{forge.base}/repository/commits/{sha}")["message"] == "always as one"
