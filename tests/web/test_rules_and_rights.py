"""Pages of rules: who may push, approve and deploy, what hooks carry; and what ends an issue or a rebase."""

import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from sqlalchemy import update

from ingot.features.review.merge_requests import merge_requests
from ingot.web import pages as folder
from ingot.web.sections import Collection, Settings, SettingsPage
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly

PLACE = "/smithy/anvil/-"
ANVIL = "/projects/smithy%2Fanvil"
# By endpoint: settings whose forms are no declared ones, and those that others say more exactly.
BRANCH_RULES = {"allowed_to_merge", "allowed_to_push", "allowed_to_unprotect"}  # on the page of the branch
RULE = {"usernames", "rule_type", "report_type", "remove_hidden_groups", "approval_project_rule_id"}
ELSEWHERE = {
    "/projects/:id": {
        "name", "description", "default_branch", "visibility", "avatar", "builds_access_level", "issues_access_level",
        "merge_requests_access_level", "snippets_access_level", "wiki_access_level",
        # Older names, and the person in whose name a mirror works, who is the one that sets it up.
        "issues_enabled", "jobs_enabled", "merge_requests_enabled", "snippets_enabled", "wiki_enabled",
        "public_builds", "container_registry_enabled", "emails_disabled", "tag_list", "approvals_before_merge",
        "restrict_user_defined_variables", "mirror_user_id",
    },
    "/groups/:id": {"avatar", "emails_disabled"},
    "/groups/:id/protected_branches": BRANCH_RULES,
    "/projects/:id/protected_branches": BRANCH_RULES,
    "/groups/:id/protected_environments": {"approval_rules"},
    "/projects/:id/protected_environments": {"approval_rules"},
    "/projects/:id/approval_rules": RULE,
    "/projects/:id/approval_rules/:approval_rule_id": RULE,
    "/projects/:id/merge_requests/:merge_request_iid/approval_rules": RULE,
    "/projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id": RULE,
    "/projects/:id/feature_flags": {"version"},  # there is one
    "/projects/:id/feature_flags/:feature_flag_name": {"name", "strategies"},  # on the page of the flag
    "/runners/:id": {"active"},  # the opposite of `paused`
    "/user/runners": {"active"},
    # Of sign-in by a group, which links by itself; and what people choose for themselves.
    "/users/:id": {"group_id_for_saml", "view_diffs_file_by_file"},
    "/users": {"group_id_for_saml", "view_diffs_file_by_file"},
}  # fmt: skip


def asked(server: RunningServer, path: str) -> Any:
    return server.client(ROOT_TOKEN).ok("GET", path)


def test_people_and_groups_get_rights_on_a_protected_branch(smithy: RunningServer, ada: Browser) -> None:
    page = ada.open(f"{PLACE}/settings/repository/branches/main")
    refused = ada.send(page, "/rules", kind="push", who="nobody-here")
    assert (refused.status, "There is no user or group “nobody-here”." in refused.text) == (422, True)
    added = ada.send(ada.send(page, "/rules", kind="push", who="chloe"), "/rules", kind="unprotect", access_level="40")
    branch = asked(smithy, f"{ANVIL}/protected_branches/main")
    chloe = next(entry for entry in branch["push_access_levels"] if entry["user_id"])
    assert chloe["access_level_description"] == "Chloé Martin"
    assert [entry["access_level"] for entry in branch["unprotect_access_levels"]] == [40]
    ada.send(added, "/switches", code_owner_approval_required="true")
    ada.send(ada.open(page.path), f"/rules/{chloe['id']}/remove")
    branch = asked(smithy, f"{ANVIL}/protected_branches/main")
    assert [entry["access_level"] for entry in branch["push_access_levels"]] == [40]
    assert branch["code_owner_approval_required"]


def test_a_branch_that_a_group_protects_is_changed_there(smithy: RunningServer, ada: Browser) -> None:
    group = "/groups/smithy/-/settings/repository"
    ada.send(ada.open(group), "/protected_branches", name="release/*", push_access_level="0")
    inherited = ada.open(f"{PLACE}/settings/repository/branches/release%2F*")
    assert "Change it there" in inherited.text
    assert inherited.tree.findall(".//main//form") == []
    own = ada.open(f"{group}/branches/release%2F*")
    ada.send(own, "/remove")
    assert asked(smithy, "/groups/smithy/protected_branches") == []


def test_rules_of_approval_name_people_groups_and_branches(smithy: RunningServer, ada: Browser) -> None:
    page = ada.open(f"{PLACE}/settings/merge_requests")
    refused = ada.send(page, "/approval_rules", name="core", user_ids="ben, nobody-here")
    assert (refused.status, 'value="ben, nobody-here"' in refused.response.text) == (422, True)
    names = {"user_ids": "ben", "group_ids": "smithy", "protected_branch_ids": "main"}
    ada.send(page, "/approval_rules", name="core", **names)
    (rule,) = asked(smithy, f"{ANVIL}/approval_rules")
    kinds = ("users", "groups", "protected_branches")
    assert [[row.get("username") or row["name"] for row in rule[kind]] for kind in kinds] == [
        ["ben"],
        ["Smithy"],
        ["main"],
    ]
    editing = ada.open(f"{page.path}?section=approval_rules&edit={rule['id']}")
    ada.send(editing, "/approval_rules/edit", group_ids="")
    (rule,) = asked(smithy, f"{ANVIL}/approval_rules")
    assert [len(rule[kind]) for kind in kinds] == [1, 0, 1]
    ada.send(ada.open(page.path), "/approval_rules/remove")


def test_a_request_has_rules_of_its_own_and_is_merged_once_it_is_ready(smithy: RunningServer, ada: Browser) -> None:
    here = f"{PLACE}/merge_requests/2"
    assert "Approval rules" not in Browser(smithy).open(here).text
    rules = ada.open(f"{here}/approval_rules")
    ada.send(rules, "/rules", name="mine", user_ids="ben")
    box = ada.open(here)
    assert "One more approval is needed: mine." in box.text
    waiting = ada.send(box, "/merge")
    assert "Merges automatically when all checks pass, set by Ada Lind." in waiting.text
    assert asked(smithy, f"{ANVIL}/merge_requests/2")["merge_when_pipeline_succeeds"]
    ada.send(waiting, "/cancel_auto_merge")
    ada.send(ada.open(rules.path), "/rules/remove")
    assert "Merge when the pipeline succeeds" in ada.open(here).text


def test_the_merge_box_says_that_a_rebase_runs_and_why_one_failed(smithy: RunningServer, ada: Browser) -> None:
    client, here = smithy.client(ROOT_TOKEN), f"{PLACE}/merge_requests/2"
    number = asked(smithy, f"{ANVIL}/merge_requests/2")["id"]
    client.ok("PUT", ANVIL, json={"merge_method": "ff"})

    def store(**values: object) -> None:
        with smithy.services.db.write() as tx:
            tx.execute(update(merge_requests).where(merge_requests.c.id == number).values(**values))

    try:
        store(needs_rebase=True, rebase_in_progress=True)
        running = ada.open(here)
        assert "The branch is being rebased onto main." in running.text
        assert running.tree.find(".//*[@data-live]") is not None
        store(rebase_in_progress=False, merge_error="Rebase failed: please rebase locally")
        assert "The last attempt failed: Rebase failed: please rebase locally" in ada.open(here).text
    finally:
        store(needs_rebase=False, rebase_in_progress=False, merge_error=None)
        client.ok("PUT", ANVIL, json={"merge_method": "merge"})


def test_hooks_carry_headers_and_values_that_are_not_shown_again(smithy: RunningServer, ada: Browser) -> None:
    page = ada.open(f"{PLACE}/hooks")
    secrets = {"custom_headers": "X-One=first\nX-Two=second", "url_variables": "part=secret"}
    ada.send(page, "/hooks/hooks", url="http://example.org/{part}", wiki_page_events="true", **secrets)
    hook = asked(smithy, f"{ANVIL}/hooks/{asked(smithy, f'{ANVIL}/hooks')[0]['id']}")
    assert ([row["key"] for row in hook["custom_headers"]], hook["wiki_page_events"]) == (["X-One", "X-Two"], True)
    one = ada.open(f"{PLACE}/hooks/{hook['id']}/edit")
    assert "second" not in one.response.text
    ada.send(one, "/custom_headers/remove", key="X-One")
    ada.send(ada.open(one.path), "/hook", custom_headers="X-Three=third")
    hook = asked(smithy, f"{ANVIL}/hooks/{hook['id']}")
    assert sorted(row["key"] for row in hook["custom_headers"]) == ["X-Three", "X-Two"]
    ada.send(ada.open(one.path), "/hook/remove")


def test_variables_of_one_key_are_told_apart_by_their_environments(smithy: RunningServer, ada: Browser) -> None:
    for scope in ("*", "production"):
        form = ada.open(f"{PLACE}/settings/ci_cd")
        ada.send(form, "/ci_cd/variables", key="COIN", value=f"of {scope}", environment_scope=scope)
    editing = ada.open(f"{PLACE}/settings/ci_cd?section=variables&edit=COIN&scope=production")
    ada.send(editing, "/variables/edit", value="gold")
    values = {row["environment_scope"]: row["value"] for row in asked(smithy, f"{ANVIL}/variables")}
    assert values == {"*": "of *", "production": "gold"}
    for scope in values:
        ada.send(ada.open(f"{PLACE}/settings/ci_cd"), "/variables/remove", scope=scope)
    assert asked(smithy, f"{ANVIL}/variables") == []


def test_service_accounts_get_tokens(smithy: RunningServer, ada: Browser) -> None:
    accounts = "/groups/smithy/-/service_accounts"
    ada.send(ada.open(accounts), "/accounts", name="Robot")
    account = asked(smithy, "/groups/smithy/service_accounts")[0]
    page = ada.send(ada.open(f"{accounts}/{account['id']}"), "/tokens", name="deploy", **{"scopes[]": "read_api"})
    assert page.tree.find(".//input[@id='secret_tokens']").get("value").startswith("glpat-")
    ada.send(ada.open(accounts), "/accounts/remove")
    assert asked(smithy, "/groups/smithy/service_accounts") == []


def test_an_issue_begins_with_a_template_is_locked_and_deleted(smithy: RunningServer, ada: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    client.ok("PUT", ANVIL, json={"issues_template": "What happened?"})
    form = ada.open(f"{PLACE}/issues/new")
    assert form.tree.find(".//textarea[@id='description']").text.strip() == "What happened?"
    client.ok("PUT", ANVIL, json={"issues_template": ""})
    issue = ada.send(form, "/-/issues", title="It cracks", issue_type="incident")
    ada.send(ada.open(f"{issue.path}/edit"), "/edit", discussion_locked="on")
    stored = asked(smithy, f"{ANVIL}/issues/{issue.path.rpartition('/')[2]}")
    assert (stored["issue_type"], stored["discussion_locked"]) == ("incident", True)
    stranger = client.ok("POST", "/users", json={
        "name": "Una", "username": "una", "email": "una@example.com", "force_random_password": True,
        "skip_confirmation": True,
    })  # fmt: skip
    una = Browser(smithy)
    una.enter_by_link(stranger["username"])
    assert "The discussion is locked: only members can comment." in una.open(issue.path).text
    assert "Delete permanently" not in una.open(f"{issue.path}/edit").text
    gone = ada.send(ada.open(f"{issue.path}/edit"), "/remove")
    assert (gone.path, ada.open(issue.path).status) == (f"{PLACE}/issues", 404)


def waiting_deployment(server: RunningServer, name: str, rules: list[dict[str, Any]]) -> tuple[str, str, int]:
    """A deployment of a new project that waits for approvals: the project, the page of its environment, its number."""
    client = server.client(ROOT_TOKEN)
    project = client.ok("POST", "/projects", json={"name": name, "initialize_with_readme": True})
    base, home = f"/projects/{project['id']}", f"/{project['path_with_namespace']}/-"
    for person, level in (("ada", 40), ("chloe", 30)):
        client.ok("POST", f"{base}/members", json={"username": person, "access_level": level})
    rule = {"name": "production", "deploy_access_levels": [{"access_level": 40}], "approval_rules": rules}
    client.ok("POST", f"{base}/protected_environments", json=rule)
    config = "release: {script: ['true'], environment: production}"
    action = {"action": "create", "file_path": ".gitlab-ci.yml", "content": config}
    body = {"branch": "main", "commit_message": "Deploy", "actions": [action]}
    client.ok("POST", f"{base}/repository/commits", json=body)
    (environment,) = client.ok("GET", f"{base}/environments")
    (waiting,) = client.ok("GET", f"{base}/deployments")
    return base, f"{home}/environments/{environment['id']}", waiting["id"]


def test_a_deployment_that_waits_is_approved_or_rejected(smithy: RunningServer, ada: Browser) -> None:
    _, here, number = waiting_deployment(smithy, "Forge", [{"access_level": 40, "required_approvals": 2}])
    chloe = Browser(smithy)
    chloe.enter_by_link("chloe")
    assert ["Approve or reject" in browser.open(here).text for browser in (ada, chloe)] == [True, False]
    assert not ada.open(here).tree.xpath("//select[@name='represented_as']")  # there is one rule to speak for
    approved = ada.send(ada.open(here), f"/deployments/{number}", status="approved", comment="Well done")
    assert "1 approval needed" in approved.text
    assert "Well done" in approved.text
    rejected = ada.send(approved, f"/deployments/{number}", status="rejected", comment="")
    assert "Deployment rejected." in rejected.text


def test_an_approval_counts_for_the_rule_that_is_chosen(smithy: RunningServer, ada: Browser) -> None:
    person = smithy.client(ROOT_TOKEN).ok("GET", "/users?username=ada")[0]["id"]
    rules = [{"access_level": 40, "required_approvals": 1}, {"user_id": person, "required_approvals": 1}]
    base, here, number = waiting_deployment(smithy, "Foundry", rules)

    page = ada.open(here)
    names = page.tree.xpath("//select[@name='represented_as']/option/text()")
    ada.send(page, f"/deployments/{number}", status="approved", represented_as=names[1])

    summary = smithy.client(ROOT_TOKEN).ok("GET", f"{base}/deployments/{number}")["approval_summary"]["rules"]
    approved = {rule["user_id"]: len(rule["deployment_approvals"]) for rule in summary}
    assert (names, approved) == (["Maintainers", "Ada Lind"], {None: 0, person: 1})


def test_every_setting_of_the_api_has_a_form(smithy: RunningServer) -> None:
    doors = declared_fields()
    # What a new record cannot be given at once is set on its own page.
    doors["POST", "/users"] |= doors["PUT", "/users/:id"]
    doors["PUT", "/projects/:id/mirror/pull"] |= {"enabled", "url", *doors["PUT", "/projects/:id"]}
    without = {}
    for (method, address), fields in doors.items():
        segments = ["1" if part.startswith(":") else part for part in address.strip("/").split("/")]
        match = smithy.services.router.match(segments)
        assert match is not None, address
        known = set(match.methods[method].params.fields) - set(match.values[method])
        if missing := known - fields - ELSEWHERE.get(address, set()):
            without[method, address] = missing
    assert without == {}


def declared_fields() -> dict[tuple[str, str], set[str]]:
    """What the forms of settings send, by method and address of the endpoint: all that the pages declare."""
    result: dict[tuple[str, str], set[str]] = defaultdict(set)
    for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
        for section in _sections(list(vars(importlib.import_module(module.name)).values())):
            names = {entry.name.partition(".")[0] for entry in section.inputs}
            if isinstance(section, Settings):
                if section.inputs:
                    result[section.method, section.address] |= names | set(section.fixed)
                continue
            if section.inputs:
                given = {*section.new, section.own_id, *([section.scope and "filter"])}
                result[section.add_method, section.add_address or section.address] |= names | given
            if section.edits:
                edited = {entry.name.partition(".")[0] for entry in section.edits}
                result[section.edit_method, section.one_address] |= edited | ({"filter"} if section.scope else set())
    return result


def _sections(values: Iterable[Any]) -> Iterator[Settings | Collection]:
    for value in values:
        if isinstance(value, Settings | Collection):
            yield value
        elif isinstance(value, SettingsPage):
            yield from value.sections
        elif isinstance(value, list | tuple):
            yield from _sections(value)
        elif isinstance(value, dict) and value and all(isinstance(key, str) for key in value):
            yield from _sections(part for part in value.values() if isinstance(part, list | tuple))
