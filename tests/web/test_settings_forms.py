"""Pages of settings and planning: what their forms change is what the API then says."""

from typing import Any

import pygit2
import pytest
from sqlalchemy import delete, insert

from ingot.features.ci.project_flags.tables import flag_user_lists
from ingot.kit.clock import now
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import World
from tests.web.browsing import Browser, Visit, form_values

pytestmark = pytest.mark.costly

PLACE = "/smithy/anvil/-"
# Sections with one record, whose form has the values of now.
SAVED = (
    "merging", "more_merging", "approvals", "pipelines", "more_pipelines", "pull_mirror", "address", "features",
    "advanced", "limits", "general", "more", "sharing", "images", "new_branches", "kept",
)  # fmt: skip
ANVIL = "/projects/smithy%2Fanvil"


def said(value: Any) -> Any:
    """A setting without what nobody has said, also inside an object."""
    return {name: part for name, part in value.items() if part} if isinstance(value, dict) else value or None


def asked(server: RunningServer, path: str) -> Any:
    return server.client(ROOT_TOKEN).ok("GET", f"{ANVIL}{path}")


def test_a_release_is_written_and_deleted(smithy: RunningServer, ada: Browser) -> None:
    form = ada.open(f"{PLACE}/releases/new")
    refused = ada.send(form, "/-/releases", tag_name="v 1", description="Kept text")
    assert (refused.status, "Kept text" in refused.response.text) == (400, True)
    release = ada.send(refused, "/-/releases", tag_name="v1/first", name="First")
    assert release.tree.find(".//h1").text == "First"
    saved = ada.send(ada.open(f"{PLACE}/releases/v1%2Ffirst/edit"), "/edit", name="The first")
    assert saved.tree.find(".//h1").text == "The first"
    gone = ada.send(saved, "/remove")
    assert gone.status == 200
    assert "v1/first" not in [row["tag_name"] for row in asked(smithy, "/releases")]


def test_a_snippet_is_written_edited_and_deleted(smithy: RunningServer, ada: Browser) -> None:
    for place in (PLACE, "/-"):
        form = ada.open(f"{place}/snippets/new")
        snippet = ada.send(form, "/snippets", title="A die", file_name="die.py", content="x = 1", visibility="private")
        assert "x = 1" in snippet.text
        saved = ada.send(ada.open(f"{snippet.path}/edit"), "/edit", content="x = 2")
        assert "x = 2" in saved.text
        assert Browser(smithy).open(snippet.path).status == 404
        assert ada.send(saved, "/remove").path.endswith("/snippets")


def test_a_wiki_page_is_written_compared_and_deleted(smithy: RunningServer, ada: Browser) -> None:
    for place in (PLACE, "/groups/smithy/-"):
        form = ada.open(f"{place}/wikis/new")
        refused = ada.send(form, "/wikis", title="../up", content="Kept text")
        assert (refused.status, "Kept text" in refused.response.text) == (400, True)
        page = ada.send(refused, "/wikis", title="guides/Cold iron", content="one\n\n![x](uploads/a/b.png)")
        assert page.path == f"{place}/wikis/guides/Cold-iron"
        assert f'src="{place}/wikis/uploads/a/b.png"' in page.response.text
        ada.send(ada.open(f"{page.path}/edit"), "/edit", content="two")
        history = ada.open(f"{page.path}/history")
        changes = [link for link in history.links() if "/diff?version_id=" in link]
        assert len(changes) == 2
        assert ada.open(changes[0]).status == 200
        old = next(link for link in history.links() if "?version_id=" in link and "/diff" not in link)
        assert "View the latest version" in ada.open(old).text
        saved = ada.send(ada.open(f"{page.path}/edit"), "/edit", title="Warm iron")
        assert saved.path == f"{place}/wikis/guides/Warm-iron"
        assert place != PLACE or saved.path in ada.open("/smithy/anvil/activity").links()
        assert ada.send(ada.open(f"{saved.path}/edit"), "/remove").path == f"{place}/wikis/pages"
        for activity in ("/smithy/anvil/activity", "/groups/smithy/-/activity", "/ada"):
            assert saved.path not in ada.open(activity).links(), activity
        assert ada.open(saved.path).path == f"{place}/wikis/new"


def test_attached_files_are_shown_or_downloaded_and_never_run(smithy: RunningServer, ada: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    picture = b"\x89PNG\r\n\x1a\n" + b"x" * 20
    kinds = {}
    for name, content in (("a.png", picture), ("b.html", b"<script>alert(1)</script>"), ("c.svg", b"<svg/>")):
        added = client.post(f"{ANVIL}/wikis/attachments", files={"file": (name, content, "text/html")}).json()
        sent = ada.open(f"{PLACE}/wikis/{added['file_path']}").response
        assert sent.content == content
        disposition = sent.headers["content-disposition"].partition(";")[0]
        kinds[name] = (sent.headers["content-type"].partition(";")[0], disposition)
    assert kinds["a.png"] == ("image/png", "inline")
    assert kinds["b.html"] == kinds["c.svg"] == ("application/octet-stream", "attachment")
    assert Browser(smithy).open(f"{PLACE}/wikis/uploads/../home.md").status == 404


def test_variables_hooks_and_keys_are_added_changed_and_removed(smithy: RunningServer, ada: Browser) -> None:
    page = ada.send(ada.open(f"{PLACE}/settings/ci_cd"), "/variables", key="COIN", value="gold")
    assert "COIN" in page.text
    refused = ada.send(page, "/ci_cd/variables", key="no key", value="kept value")
    assert (refused.status, "kept value" in refused.response.text) == (400, True)
    editing = ada.open(f"{PLACE}/settings/ci_cd?section=variables&edit=COIN")
    ada.send(editing, "/variables/edit", value="silver")
    assert [(row["key"], row["value"]) for row in asked(smithy, "/variables")] == [("COIN", "silver")]
    ada.send(ada.open(f"{PLACE}/settings/ci_cd"), "/variables/remove")
    assert asked(smithy, "/variables") == []


def test_branches_and_tags_are_protected(smithy: RunningServer, ada: Browser) -> None:
    page = ada.open(f"{PLACE}/settings/repository")
    ada.send(page, "/protected_branches", name="stable/*", push_access_level="0")
    rows = asked(smithy, "/protected_branches?search=stable")
    assert [row["push_access_levels"][0]["access_level"] for row in rows] == [0]
    ada.send(page, "/protected_branches/remove", key="stable/*")
    assert asked(smithy, "/protected_branches?search=stable") == []


def test_mails_are_chosen(smithy: RunningServer, ada: Browser) -> None:
    form = ada.open("/-/profile/notifications")
    refused = ada.send(form, "/notifications", level="nothing")
    assert refused.status == 400
    saved = ada.send(form, "/notifications", level="custom", new_issue="true", notified_of_own_activity="true")
    assert (saved.status, "Notifications saved." in saved.text) == (200, True)
    marked = {one.get("name") for one in saved.tree.findall(".//input[@checked]")}
    assert {"new_issue", "notified_of_own_activity"} <= marked
    assert "new_note" not in marked


def test_a_token_is_shown_once(ada: Browser) -> None:
    page = ada.open(f"{PLACE}/settings/access_tokens")
    created = ada.send(page, "/tokens", name="anvilbot", access_level="30", **{"scopes[]": "read_api"})
    secret = created.tree.find(".//input[@id='secret_tokens']").get("value")
    assert "The token of “anvilbot”." in created.text
    assert secret not in ada.open(f"{PLACE}/settings/access_tokens").response.text
    ada.send(ada.open(f"{PLACE}/settings/access_tokens"), "/tokens/remove")
    assert "anvilbot" not in ada.open(f"{PLACE}/settings/access_tokens").text


def test_rules_of_merging_are_saved(smithy: RunningServer, ada: Browser) -> None:
    page = ada.open(f"{PLACE}/settings/merge_requests")
    ada.send(page, "/merging", merge_method="ff", only_allow_merge_if_pipeline_succeeds="true")
    project = asked(smithy, "")
    assert (project["merge_method"], project["only_allow_merge_if_pipeline_succeeds"]) == ("ff", True)


def test_labels_milestones_boards_members_and_schedules(smithy: RunningServer, ada: Browser) -> None:
    ada.send(ada.open(f"{PLACE}/labels/new"), "/-/labels", name="urgent", color="#ff0000")
    number = next(row["id"] for row in asked(smithy, "/labels") if row["name"] == "urgent")
    ada.send(ada.open(f"{PLACE}/labels/{number}/edit"), "/edit", name="very urgent")
    board = ada.send(ada.open(f"{PLACE}/boards"), "/-/boards", name="Forge")
    with_column = ada.send(board, "/lists", label_id=str(number))
    assert "very urgent" in with_column.text
    milestone = ada.send(ada.open(f"{PLACE}/milestones/new"), "/-/milestones", title="Spring", due_date="2030-03-01")
    assert "due 2030-03-01" in milestone.text
    added = ada.send(ada.open(f"{PLACE}/project_members"), "/project_members", who="dai", access_level="20")
    assert "dai" in added.text
    nobody = ada.send(added, "/project_members", who="nobody-at-all")
    assert nobody.status in (400, 404)
    schedule = ada.send(ada.open(f"{PLACE}/pipeline_schedules"), "/schedules", description="Nightly", ref="main")
    assert "Nightly" in schedule.text
    taken = "//button[text()='Take ownership']"
    assert schedule.tree.xpath(taken) == []  # it is ada's already
    ben = Browser(smithy)
    ben.enter_by_link("ben")
    assert ben.open(f"{PLACE}/pipeline_schedules").tree.xpath(taken) != []


def test_branches_and_tags_are_made_and_deleted(smithy: RunningServer, ada: Browser) -> None:
    added = ada.send(ada.open(f"{PLACE}/branches"), "/-/branches", branch="idea/one")
    assert added.path.endswith("/-/tree/idea/one")
    ada.send(ada.open(f"{PLACE}/branches/remove?branch=idea/one"), "/branches/remove", branch="idea/one")
    tag = ada.send(ada.open(f"{PLACE}/tags"), "/-/tags", tag_name="v9/x", message="Nine")
    assert "Nine" in tag.text
    assert ada.send(tag, "/tags/remove").status == 200
    assert asked(smithy, "/repository/tags?search=v9") == []


def test_branches_are_parted_by_age(smithy: RunningServer, ada: Browser) -> None:
    git = World(smithy).repository(asked(smithy, "")).odb
    then = pygit2.Signature("Old Smith", "old@example.com", 1_500_000_000)
    tree = git.references["refs/heads/main"].peel(pygit2.Commit).tree_id
    git.create_commit("refs/heads/forgotten", then, then, "Before", tree, [])
    assert asked(smithy, "/repository/branches/forgotten")["name"] == "forgotten"

    def names(part: str) -> list[str]:
        return [link.text for link in ada.open(f"{PLACE}/branches{part}").tree.xpath("//li//a[@class='title mono']")]

    assert names("/stale") == ["forgotten"]
    assert "forgotten" not in names("/active")
    assert set(names("")) == set(names("/all")) == {*names("/active"), "forgotten"}
    assert ada.open(f"{PLACE}/branches/other").status == 404


def test_projects_and_groups_have_pictures(smithy: RunningServer, ada: Browser) -> None:
    picture = b"\x89PNG\r\n\x1a\n" + b"x" * 20
    for place, listed in (("/smithy/anvil", "/explore/projects"), ("/groups/smithy", "/explore/groups")):
        page = ada.open(f"{place}/-/edit")
        token = form_values(page.tree.xpath("//form[@id='picture']")[0])
        for content, status in ((b"<svg/>", 400), (picture, 200), (b"", 200)):
            files = {"avatar": ("a.png" if content else "", content, "image/png")}
            saved = Visit(ada.http.post(f"{place}/-/edit/avatar", data=token, files=files))
            assert saved.status == status
            shown = ada.open(listed).tree.xpath("//main//img[contains(@class, 'avatar')]/@src")
            assert len(shown) == (content == picture)
            assert all(ada.open(source).response.content == picture for source in shown)


def test_settings_are_for_maintainers(smithy: RunningServer) -> None:
    chloe = Browser(smithy)
    chloe.enter_by_link("chloe")
    for path in ("settings/repository", "settings/ci_cd", "settings/access_tokens", "hooks", "settings/merge_requests"):
        assert chloe.open(f"{PLACE}/{path}").status in (403, 404), path
        assert Browser(smithy).open(f"{PLACE}/{path}").path == "/users/sign_in"
    assert chloe.open("/groups/smithy/-/edit").status in (403, 404)


def test_a_group_has_settings(smithy: RunningServer, ada: Browser) -> None:
    saved = ada.send(ada.open("/groups/smithy/-/edit"), "/general", description="Where iron is bent.")
    assert "Saved." in saved.text
    assert smithy.client(ROOT_TOKEN).ok("GET", "/groups/smithy")["description"] == "Where iron is bent."


def test_a_project_is_deleted_once_its_path_was_typed(smithy: RunningServer, ada: Browser) -> None:
    ada.send(ada.open("/projects/new"), "/projects", name="Scrap")
    page = ada.open("/ada/scrap/edit")
    assert ada.send(page, "/edit/remove", confirm="scrap").status == 400
    assert ada.open("/ada/scrap").status == 200
    gone = ada.send(page, "/edit/remove", confirm="ada/Scrap")
    assert (gone.status, gone.path) == (200, "/")
    assert ada.open("/ada/scrap").status == 404


def test_projects_are_fetched_from_addresses_only_while_the_instance_allows_it(
    smithy: RunningServer, ada: Browser
) -> None:
    form = ada.open("/projects/new")
    client, flag = smithy.client(ROOT_TOKEN), "/features/import_project_from_remote_file"
    client.ok("POST", flag, json={"value": False})
    try:
        assert ada.send(form, "/projects/import", path="fetched", url="https://example.com/a.tar.gz").status == 404
        assert "Or archive URL" not in ada.open("/projects/new").text
    finally:
        client.ok("DELETE", flag)
    assert "Or archive URL" in ada.open("/projects/new").text


def test_a_push_rule_is_set_before_there_is_one_and_changed(smithy: RunningServer, ada: Browser) -> None:
    page = ada.open(f"{PLACE}/settings/repository")
    refused = ada.send(page, "/push_rule", branch_name_regex="(?=a)")
    assert (refused.status, "not valid RE2 syntax" in refused.response.text) == (400, True)
    saved = ada.send(refused, "/push_rule", branch_name_regex="^fix/", prevent_secrets="1")
    assert "Saved." in saved.text
    assert asked(smithy, "/push_rule")["branch_name_regex"] == "^fix/"
    ada.send(saved, "/push_rule", branch_name_regex="")
    assert asked(smithy, "/push_rule")["branch_name_regex"] == ""


def test_feature_flags_are_added_and_switched_off_and_maintainers_see_the_instance_id(
    smithy: RunningServer, ada: Browser
) -> None:
    page = ada.open(f"{PLACE}/feature_flags")
    assert "glffct-" in page.text
    added = ada.send(page, "/feature_flags/feature_flags", name="new_forge")
    assert "new_forge" in added.text
    (flag,) = asked(smithy, "/feature_flags")
    assert [one["environment_scope"] for one in flag["strategies"][0]["scopes"]] == ["*"]
    page = ada.open(f"{PLACE}/feature_flags/new_forge")
    number = flag["strategies"][0]["id"]
    refused = ada.send(page, f"/strategies/{number}", environments="x" * 300)
    assert (refused.status, "too long" in refused.text) == (400, True)
    page = ada.send(refused, f"/strategies/{number}", environments="production, review/*")
    ids = next(form for form in page.tree.iter("form") if form.xpath(".//input[@value='userWithId']"))
    page = ada.send_form(page, ids, userIds="7, 9", environments="")
    (flag,) = asked(smithy, "/feature_flags")
    assert [
        (row["parameters"], sorted(scope["environment_scope"] for scope in row["scopes"])) for row in flag["strategies"]
    ] == [({}, ["production", "review/*"]), ({"userIds": "7,9"}, ["*"])]
    ada.send(page, f"/strategies/{number}/remove")
    page = ada.send(page, "/edit/flag", description="For the new forge")
    (flag,) = asked(smithy, "/feature_flags")
    assert (len(flag["strategies"]), flag["description"]) == (1, "For the new forge")
    ada.send(added, "/feature_flags/remove", key="new_forge")
    assert asked(smithy, "/feature_flags") == []


def test_user_lists_have_a_page_where_the_api_says(smithy: RunningServer, ada: Browser) -> None:
    ada.send(ada.open(f"{PLACE}/feature_flags"), "/user_lists", name="Smiths", user_xids="1,2")
    (row,) = asked(smithy, "/feature_flags_user_lists")
    assert ada.open(row["path"]).path == row["edit_path"]
    page = ada.send(ada.open(row["edit_path"]), "/user_list", user_xids="1,2,3")
    assert asked(smithy, "/feature_flags_user_lists")[0]["user_xids"] == "1,2,3"
    assert ada.send(page, "/user_list/remove").path == f"{PLACE}/feature_flags"


def test_a_strategy_keeps_a_user_list_that_is_not_among_the_first(smithy: RunningServer, ada: Browser) -> None:
    client, moment = smithy.client(ROOT_TOKEN), now()
    row = {"project_id": client.ok("GET", ANVIL)["id"], "user_xids": "1", "created_at": moment, "updated_at": moment}
    with smithy.services.db.write() as tx:
        tx.execute(insert(flag_user_lists), [{**row, "iid": n, "name": f"List {n}"} for n in range(1001, 1102)])
    last = client.ok("GET", f"{ANVIL}/feature_flags_user_lists/1101")
    strategies = [{"name": "gitlabUserList", "parameters": {}, "user_list_id": last["id"]}]
    flag = {"name": "far", "version": "new_version_flag", "strategies": strategies}
    client.ok("POST", f"{ANVIL}/feature_flags", json=flag)
    chosen = ada.open(f"{PLACE}/feature_flags/far").tree.xpath(f"//option[@value='{last['id']}']/@selected")
    client.ok("DELETE", f"{ANVIL}/feature_flags/far")
    with smithy.services.db.write() as tx:
        tx.execute(delete(flag_user_lists).where(flag_user_lists.c.iid > 1000))
    assert len(chosen) == 1


@pytest.mark.parametrize(
    ("place", "address", "name"),
    [(PLACE, "/projects/smithy%2Fanvil", "live/blue"), ("/groups/smithy/-", "/groups/smithy", "staging")],
)
def test_environments_are_protected_and_their_rules_changed(
    smithy: RunningServer, ada: Browser, place: str, address: str, name: str
) -> None:
    client = smithy.client(ROOT_TOKEN)
    page = ada.send(
        ada.open(f"{place}/settings/ci_cd"), "/protected_environments", name=name, deploy_access_levels="30"
    )
    link = next(path for path in page.links() if "/ci_cd/environments/" in path)
    page = ada.open(link)
    assert "Developers + Maintainers" in page.text
    approvals = next(form for form in page.tree.iter("form") if form.xpath(".//input[@name='required_approvals']"))
    refused = ada.send_form(page, approvals, who="nobody-here")
    assert (refused.status, "no user or group “nobody-here”" in refused.text) == (422, True)
    ada.send_form(page, approvals, who="@ben", required_approvals="2")
    page = ada.send(ada.open(link), "/rules", who="smithy")
    page = ada.send(page, "/count", required_approval_count="3")
    (row,) = client.ok("GET", f"{address}/protected_environments")
    assert [entry["access_level_description"] for entry in row["deploy_access_levels"]] == [
        "Developers + Maintainers", "Smithy",
    ]  # fmt: skip
    assert [(rule["access_level_description"], rule["required_approvals"]) for rule in row["approval_rules"]] == [
        ("Ben Okoro", 2)
    ]
    assert row["required_approval_count"] == 3
    ada.send(page, f"/rules/{row['deploy_access_levels'][0]['id']}/remove")
    assert len(client.ok("GET", f"{address}/protected_environments")[0]["deploy_access_levels"]) == 1
    assert "Ben Okoro (2)" in ada.open(f"{place}/settings/ci_cd").text
    assert ada.send(page, "/remove").path == f"{place}/settings/ci_cd"
    assert client.ok("GET", f"{address}/protected_environments") == []


def test_records_have_pages_of_their_own(smithy: RunningServer, ada: Browser) -> None:
    hook = ada.send(ada.open(f"{PLACE}/hooks"), "/hooks/hooks", url="https://hooks.example.com/x")
    link = next(path for path in hook.links() if path.endswith("/edit") and "/hooks/" in path)
    saved = ada.send(ada.open(link), "/hook", name="Told of pushes")
    assert (saved.path, "Saved." in saved.text, "No recent deliveries." in saved.text) == (link, True, True)
    assert ada.send(saved, "/hook/remove").path == f"{PLACE}/hooks"
    assert ada.open(link).status == 404

    new = ada.open(f"{PLACE}/pipeline_schedules/new")
    listed = ada.send(new, "/schedules", description="Nightly", ref="main", cron="0 3 * * *")
    one = ada.open(next(path for path in listed.links() if path.endswith("/edit") and "schedules" in path))
    ada.send(one, "/variables", key="MODE", value="deep")
    assert "MODE" in ada.open(one.path).text

    added = ada.send(
        ada.open("/groups/smithy/-/roles"), "/roles", name="Auditor", base_access_level="10", read_code="1"
    )
    assert "read code" in added.text
    for path in ("runners", "saml", "saml_group_links", "scim", "audit_events"):
        assert ada.open(f"/groups/smithy/-/{path}").status == 200, path
    token = ada.open(f"{PLACE}/hooks").tree.xpath("//input[@name='authenticity_token']/@value")[0]
    for address in (f"{PLACE}/audit_events/events", f"{PLACE}/audit_events/events/remove"):
        assert ada.http.post(address, data={"authenticity_token": token, "key": "1"}).status_code == 404, address


def test_commits_and_requests_are_texts_for_git(smithy: RunningServer, ada: Browser) -> None:
    sha = smithy.client(ROOT_TOKEN).ok("GET", "/projects/smithy%2Fanvil/repository/commits/main")["id"]
    patch, diff = (ada.http.get(f"{PLACE}/commit/{sha}.{kind}") for kind in ("patch", "diff"))
    assert patch.text.startswith(f"From {sha} ")
    assert diff.text.startswith("diff --git ")
    assert diff.text in patch.text
    assert patch.headers["content-type"].startswith("text/plain")
    mails = ada.http.get(f"{PLACE}/merge_requests/2.patch").text
    assert "Subject: [PATCH" in mails
    assert ada.http.get(f"{PLACE}/merge_requests/2.diff").text.startswith("diff --git ")
    assert ada.open("/ada/no-such/-/merge_requests/2.diff").status == 404
    log = ada.http.get(f"{PLACE}/jobs/1/raw").headers
    assert (log["content-type"], log["content-disposition"]) == ("text/plain; charset=utf-8", "inline")
    for path in (
        "network/main", "files/main", "merge_requests/2/widget", "merge_requests/2/conflicts", "pipelines/1/dag",
        "pipelines/1/test_report", "import", "audit_events",
    ):  # fmt: skip
        assert ada.open(f"{PLACE}/{path}").status == 200, path


def test_the_patch_of_a_request_leaves_merges_out(smithy: RunningServer, ada: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    new = {"name": "Patched", "visibility": "public", "initialize_with_readme": True}
    project = client.ok("POST", "/projects", json=new)
    place, requests = f"/projects/{project['id']}", f"/projects/{project['id']}/merge_requests"
    for name in ("left", "right"):
        action = {"action": "create", "file_path": f"{name}.txt", "content": "1\n"}
        commit = {"branch": name, "start_branch": "main", "commit_message": f"Add {name}", "actions": [action]}
        client.ok("POST", f"{place}/repository/commits", json=commit)
    inner = client.ok("POST", requests, json={"source_branch": "right", "target_branch": "left", "title": "Inner"})
    client.ok("PUT", f"{requests}/{inner['iid']}/merge")
    outer = client.ok("POST", requests, json={"source_branch": "left", "target_branch": "main", "title": "Outer"})

    mails = ada.http.get(f"/{project['path_with_namespace']}/-/merge_requests/{outer['iid']}.patch").text

    subjects = [line[9:] for line in mails.splitlines() if line.startswith("Subject: [PATCH")]
    assert [subject[:12] for subject in subjects] == ["[PATCH 1/2] ", "[PATCH 2/2] "]
    assert {subject[12:] for subject in subjects} == {"Add left", "Add right"}  # both are of the same second


def test_a_form_of_settings_that_nobody_changed_changes_nothing(smithy: RunningServer, ada: Browser) -> None:
    before = asked(smithy, "")
    sections = ("merge_requests/merging", "merge_requests/more_merging", "ci_cd/pipelines", "ci_cd/more_pipelines",
                "advanced/address", "advanced/features", "advanced/advanced")  # fmt: skip
    for section in sections:
        page = ada.open(f"{PLACE}/settings/{section.partition('/')[0]}")
        # Without what says how it was drawn, all fields are saved.
        assert ada.send(page, f"/settings/{section}", seen="").status == 200, section
    after = asked(smithy, "")
    moving = ("updated_at", "last_activity_at", "_links")
    changed = {name: (before[name], after[name]) for name in before if (before[name] or None) != (after[name] or None)}
    assert {name: pair for name, pair in changed.items() if name not in moving} == {}
    page = ada.open(f"{PLACE}/settings/advanced")
    ada.send(page, "/settings/advanced/address", topics="iron, coal")
    ada.send(page, "/settings/advanced/features", releases_access_level="private")
    again = asked(smithy, "")
    assert (sorted(again["topics"]), again["releases_access_level"]) == (["coal", "iron"], "private")
    ada.send(page, "/settings/advanced/address")  # as it was drawn, before somebody saved other topics
    assert asked(smithy, "")["topics"] == again["topics"]
    page = ada.open(f"{PLACE}/settings/advanced")
    ada.send(page, "/settings/advanced/address", topics=", ".join(before["topics"]))
    ada.send(page, "/settings/advanced/features", releases_access_level=before["releases_access_level"])
    assert asked(smithy, "")["topics"] == before["topics"]


@pytest.mark.parametrize("visitor", ["ada", "root"])
def test_settings_that_are_saved_unchanged_stay_as_they_are(smithy: RunningServer, visitor: str) -> None:
    browser = Browser(smithy)
    browser.enter_by_link(visitor)
    group = [f"/groups/smithy/-/{page}" for page in ("edit", "settings/repository")]
    project = [f"{PLACE}/settings/{page}" for page in ("merge_requests", "repository", "ci_cd", "advanced")]
    for pages, path in ((project, ANVIL), (group, "/groups/smithy?with_projects=false")):
        before = smithy.client(ROOT_TOKEN).ok("GET", path)
        for address in pages:
            page = browser.open(address)
            keys = {f"{page.path}/{section}" for section in SAVED if f'id="{section}"' in page.response.text}
            for form in page.tree.iterfind(".//form[@method='post']"):
                if form.get("action") in keys:
                    answer = browser.send_form(page, form, seen="")  # so that all its fields are saved
                    assert (answer.status, "Saved." in answer.text) == (200, True), (form.get("action"), answer.text)
        after = smithy.client(ROOT_TOKEN).ok("GET", path)
        # A box that is not ticked says no, also where nobody had said anything.
        changed = {name for name in before if said(before[name]) != said(after[name])}
        assert changed <= {"updated_at", "last_activity_at"}
    assert ("Limits" in browser.open(f"{PLACE}/settings/advanced").text) == (visitor == "root")


def test_settings_that_are_objects_are_saved(smithy: RunningServer, ada: Browser) -> None:
    policy = "container_expiration_policy_attributes"
    page = ada.open(f"{PLACE}/settings/advanced")
    ada.send(page, "/images", **{f"{policy}.enabled": "true", f"{policy}.cadence": "7d", f"{policy}.keep_n": "25"})
    saved = asked(smithy, "")["container_expiration_policy"]
    assert (saved["enabled"], saved["cadence"], saved["keep_n"]) == (True, "7d", 25)
    ada.send(ada.open(f"{PLACE}/settings/advanced"), "/images", **{f"{policy}.older_than": "30d"})
    saved = asked(smithy, "")["container_expiration_policy"]
    assert (saved["enabled"], saved["keep_n"], saved["older_than"]) == (True, 25, "30d")

    rules = "default_branch_protection_defaults"
    ada.send(ada.open("/groups/smithy/-/edit"), "/new_branches", **{f"{rules}.allowed_to_merge": "30"})
    client = smithy.client(ROOT_TOKEN)
    saved = client.ok("GET", "/groups/smithy")[rules]
    assert (saved["allowed_to_merge"], saved["allowed_to_push"]) == ([{"access_level": 30}], [{"access_level": 40}])

    root = Browser(smithy)
    root.enter_by_link("root")
    page = root.open("/admin/application_settings/repository")
    root.send(page, "/storages", repository_storages_weighted="default=60\n")
    assert client.ok("GET", "/application/settings")["repository_storages_weighted"] == {"default": 60}


def test_a_push_mirror_is_set_up_and_removed(smithy: RunningServer, ada: Browser) -> None:
    page = ada.open(f"{PLACE}/settings/repository")
    address = smithy.url.replace("://", "://ada:hidden-word@")
    setting = {"allow_local_requests_from_web_hooks_and_services": True}
    smithy.client(ROOT_TOKEN).ok("PUT", "/application/settings", json=setting)
    added = ada.send(page, "/push_mirrors", url=f"{address}/copies/anvil.git")
    assert ("/copies/anvil.git" in added.text, "hidden-word" in added.response.text) == (True, False)
    mirror = asked(smithy, "/remote_mirrors")[0]
    edited = ada.open(f"{PLACE}/settings/repository?section=push_mirrors&edit={mirror['id']}")
    ada.send(edited, "/push_mirrors/edit", only_protected_branches="on")
    assert asked(smithy, "/remote_mirrors")[0]["only_protected_branches"] is True
    ada.send(ada.open(f"{PLACE}/settings/repository"), "/push_mirrors/remove")
    assert asked(smithy, "/remote_mirrors") == []
    smithy.client(ROOT_TOKEN).ok("PUT", "/application/settings", json=dict.fromkeys(setting, False))


def test_a_chosen_theme_is_that_of_every_page_of_the_browser(ada: Browser) -> None:
    page = ada.open("/-/profile/preferences")
    assert "data-theme" not in page.response.text
    chosen = ada.send(page, "/preferences/theme", theme="dark")
    shown = [chosen, *map(ada.open, (PLACE, "/-/user_settings/personal_access_tokens", "/nothing-here"))]
    assert [visit.tree.get("data-theme") for visit in shown] == ["dark"] * 4
    assert ada.send(chosen, "/preferences/theme", theme="red").tree.get("data-theme") is None
