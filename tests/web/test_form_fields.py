"""Forms that are written by hand: each has every field that the endpoint behind it takes, or a reason why not.

Forms of settings are made from the endpoints' parameters; `test_rules_and_rights` compares those.
"""

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser
from tests.web.test_rules_and_rights import ELSEWHERE, declared_fields

pytestmark = pytest.mark.costly

PLACE, GROUP = "/smithy/anvil/-", "/groups/smithy/-"
PROJECT, REQUEST, ISSUE = "/projects/:id", "/projects/:id/merge_requests/:merge_request_iid", "/projects/:id/issues"
# Why a field of an endpoint is not in its form.
IMPORTED = "numbers and times of records that come from elsewhere, for programs that bring them"
SAID_OTHERWISE = "another field or button of the form, or of the same page, says it"
LATER = "set on the page of the record, once there is one"
PROGRAMS = "for programs: who sends a form is its author, and a form sends text"
NOT_OFFERED = "only where the project is a fork, or asked for it"

PEOPLE = {"assignees": "assignee_ids assignee_id", "reviewers": "reviewer_ids"}
LABELS = {"labels": "labels add_labels remove_labels"}
ROLE = {"access_level": "access_level member_role_id"}
WRITING = {"author_email": PROGRAMS, "author_name": PROGRAMS, "encoding": PROGRAMS,
           "start_branch": SAID_OTHERWISE}  # fmt: skip


class Form(NamedTuple):
    """A form of a page, by the end of its action; which parameters its fields stand for, and which it leaves out."""

    method: str
    address: str
    page: str
    action: str
    names: Mapping[str, str] = {}
    without: Mapping[str, str] = {}


def settings_of(address: str) -> dict[str, str]:
    """What the pages of settings change."""
    return dict.fromkeys(declared_fields()["PUT", address] | ELSEWHERE[address], LATER)


def forms(board: int, group_board: int) -> list[Form]:
    """All of them; `board` and `group_board` are numbers of boards."""
    fields = {"name": "name", "description": "description"}
    boards = [
        form
        for base, place, number in ((PROJECT, PLACE, board), ("/groups/:id", GROUP, group_board))
        for form in (
            Form("POST", f"{base}/boards", f"{place}/boards", "/-/boards"),
            Form("PUT", f"{base}/boards/:board_id", f"{place}/boards/{number}/edit", f"/{number}/edit",
                 {"assignee": "assignee_id"}),
            Form("POST", f"{base}/boards/:board_id/lists", f"{place}/boards/{number}/edit", "/edit/lists",
                 {"of": "label_id milestone_id assignee_id"}),
        )
    ]  # fmt: skip
    members = [
        form
        for base, page in ((PROJECT, f"{PLACE}/project_members"), ("/groups/:id", f"{GROUP}/group_members"))
        for form in (
            Form("POST", f"{base}/members", page, page, {"who": "username user_id", **ROLE},
                 {"invite_source": PROGRAMS}),
            Form("POST", f"{base}/invitations", page, page, {"who": "email user_id", **ROLE},
                 {"invite_source": PROGRAMS}),
            Form("PUT", f"{base}/invitations/:email", page, "/invitation"),
            Form("POST", f"{base}/share", page, "/share", {"group": "group_id", "access_level": "group_access"}),
        )
    ]  # fmt: skip
    planning = [
        form
        for base, place in ((PROJECT, PLACE), ("/groups/:id", GROUP))
        for form in (
            Form("POST", f"{base}/labels", f"{place}/labels/new", "/-/labels"),
            Form("POST", f"{base}/milestones", f"{place}/milestones/new", "/-/milestones"),
            Form("POST", f"{base}/wikis", f"{place}/wikis/new", "/-/wikis"),
            Form("PUT", f"{base}/notification_settings", f"{place}/notifications", "/notifications"),
        )
    ]
    return [
        *boards, *members, *planning,
        Form("POST", "/projects", "/projects/new", "/projects",
             {"new_path": "path", "readme": "initialize_with_readme", **fields},
             {**settings_of(PROJECT), **dict.fromkeys(
                 ("template_name", "template_project_id", "use_custom_template", "group_with_project_templates_id"),
                 "there are no templates in this world"), "repository_object_format": "there is one: sha1"}),
        Form("POST", "/projects/import", "/projects/new", "/projects/import"),
        Form("POST", "/projects/remote-import", "/projects/new", "/projects/import"),
        Form("POST", "/projects/remote-import-s3", "/projects/new", "/projects/import"),
        Form("POST", "/groups", "/groups/new", "/groups", {},
             {**settings_of("/groups/:id"), "parent_id": "the form of a subgroup knows its group"}),
        Form("POST", "/groups/import", "/groups/new", "/groups/import", {},
             {"parent_id": "the form of a subgroup knows its group"}),
        Form("POST", ISSUE, f"{PLACE}/issues/new?merge_request_to_resolve_discussions_of=2&discussion_to_resolve=a",
             "/-/issues", {**PEOPLE, **LABELS},
             {"created_at": IMPORTED, "iid": IMPORTED, "discussion_locked": LATER}),
        Form("PUT", f"{ISSUE}/:issue_iid", f"{PLACE}/issues/1/edit", "/1/edit", {**PEOPLE, **LABELS},
             {"updated_at": IMPORTED, "state_event": SAID_OTHERWISE}),
        Form("POST", f"{ISSUE}/:issue_iid/add_spent_time", f"{PLACE}/issues/1", "/time", {"spent": "duration"}),
        Form("POST", f"{ISSUE}/:issue_iid/time_estimate", f"{PLACE}/issues/1", "/time", {"estimate": "duration"}),
        Form("POST", f"{ISSUE}/:issue_iid/links", f"{PLACE}/issues/1", "/links",
             {"other": "target_project_id target_issue_iid"}),
        Form("POST", f"{PROJECT}/merge_requests", f"{PLACE}/merge_requests/new?merge_request[source_branch]="
             "round-things&merge_request[target_branch]=add-the-hammer", "/-/merge_requests", {**PEOPLE, **LABELS},
             {"merge_after": LATER, "approval_rules_attributes": LATER, "approvals_before_merge": LATER,
              "target_project_id": NOT_OFFERED, "allow_collaboration": NOT_OFFERED,
              "allow_maintainer_to_push": NOT_OFFERED}),
        Form("PUT", REQUEST, f"{PLACE}/merge_requests/2/edit", "/2/edit", {**PEOPLE, **LABELS},
             {"state_event": SAID_OTHERWISE, "allow_collaboration": NOT_OFFERED,
              "allow_maintainer_to_push": NOT_OFFERED, "approval_rules_attributes": SAID_OTHERWISE,
              "approvals_before_merge": SAID_OTHERWISE}),
        Form("PUT", f"{REQUEST}/merge", f"{PLACE}/merge_requests/2", "/merge", {},
             {"auto_merge": SAID_OTHERWISE, "merge_when_pipeline_succeeds": SAID_OTHERWISE,
              "skip_merge_train": NOT_OFFERED}),
        Form("POST", f"{REQUEST}/add_spent_time", f"{PLACE}/merge_requests/2", "/time", {"spent": "duration"}),
        Form("POST", f"{REQUEST}/blocks", f"{PLACE}/merge_requests/2", "/block",
             {"blocking": "blocking_merge_request_iid blocking_merge_request_id blocking_project_id"}),
        Form("POST", f"{PROJECT}/releases", f"{PLACE}/releases/new", "/-/releases",
             {"milestone_ids[]": "milestones milestone_ids"}, {"assets": LATER}),
        Form("PUT", f"{PROJECT}/releases/:tag_name", f"{PLACE}/releases/v0.1/edit", "/v0.1/edit",
             {"milestone_ids[]": "milestones milestone_ids"}),
        Form("POST", f"{PROJECT}/releases/:tag_name/assets/links", f"{PLACE}/releases/v0.1/edit", "/links"),
        Form("POST", f"{PROJECT}/repository/branches", f"{PLACE}/branches", "/-/branches"),
        Form("POST", f"{PROJECT}/repository/tags", f"{PLACE}/tags", "/-/tags"),
        Form("POST", f"{PROJECT}/repository/files/:file_path", f"{PLACE}/new/main", "/new/main", {}, WRITING),
        Form("PUT", f"{PROJECT}/repository/files/:file_path", f"{PLACE}/edit/main/README.md", "/README.md", {},
             WRITING),
        Form("POST", f"{PROJECT}/pipeline", f"{PLACE}/pipelines/new", "/-/pipelines", {},
             {"inputs": "the file declares none; those that one declares are in test_pipeline_running"}),
        Form("POST", f"{PROJECT}/environments", f"{PLACE}/environments/new", "/-/environments"),
        Form("POST", f"{PROJECT}/snippets", f"{PLACE}/snippets/new", "/-/snippets", {"file_name": "file_name files"}),
        Form("POST", f"{PROJECT}/export", "/smithy/anvil/edit", "/edit/export", {"upload[url]": "upload"}),
        Form("POST", f"{PROJECT}/fork", f"{PLACE}/forks/new", "/-/forks",
             {"namespace_id": "namespace namespace_id namespace_path"}, {"mr_default_target_self": LATER}),
        Form("PUT", "/notification_settings", "/-/profile/notifications", "/notifications"),
        Form("POST", "/user/keys", "/-/user_settings/ssh_keys", "/ssh_keys"),
        Form("POST", "/user/gpg_keys", "/-/user_settings/gpg_keys", "/gpg_keys"),
        Form("PUT", "/user/status", "/-/user_settings/profile", "/status", {"busy": "availability"}),
    ]  # fmt: skip


def test_every_field_of_the_api_is_in_the_form_that_is_written_by_hand(smithy: RunningServer, ada: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    board, group_board = (
        client.ok("POST", f"{base}/boards", json={"name": "Fields"})["id"]
        for base in ("/projects/smithy%2Fanvil", "/groups/smithy")
    )
    for base in ("/projects/smithy%2Fanvil", "/groups/smithy"):
        client.ok("POST", f"{base}/invitations", json={"email": "una@example.com", "access_level": 10})
    findings = []
    for form in forms(board, group_board):
        segments = ["1" if part.startswith(":") else part for part in form.address.strip("/").split("/")]
        match = smithy.services.router.match(segments)
        assert match is not None, form.address
        known = set(match.methods[form.method].params.fields) - set(match.values[form.method])
        page = ada.open(form.page)
        shown = [
            name
            for tree in page.tree.iterfind(".//form[@method='post']")
            if (tree.get("action") or "").endswith(form.action)
            for name in tree.xpath(".//@name")
        ]
        stands_for = {part for name in shown for part in form.names.get(name, name.partition("[")[0]).split()}
        missing = known - stands_for - form.without.keys()
        needless = {name for name, reason in form.without.items() if reason != LATER} & stands_for & known
        findings += [f"{form.method} {form.address}: {sorted(missing)}"] if missing or not shown else []
        findings += [f"{form.method} {form.address} has {sorted(needless)}"] if needless else []
    assert findings == []
