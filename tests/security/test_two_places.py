"""Whoever reaches into a second place needs a right there, too; a place that the caller cannot see does not exist.

Every declared parameter that names a project, a group or something that lives in one is walked. A new endpoint fails
here by name until it has a case, or a reason why it needs none.
"""

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from ingot.access.abilities import Administrator
from ingot.kit.endpoint import Endpoint
from ingot.kit.params import Field, Params
from tests.support.places import Place, build_place, contents, nowhere
from tests.support.walking import ENDPOINTS, READS, named
from tests.support.world import Person, World

SECOND_PLACE = re.compile(
    r"(^|_)(projects?|namespaces?|groups?|parent|forked_from)(_ids?|_path|_rule_id|_with_project_templates_id)?$"
    r"|^(to|target|source|start|from|blocking|template)_(?!branch|sha|url|date|topic)"
    r"|^(member_role|runner|milestone)_id$"
)
P, G = "/projects/{id}", "/groups/{id}"
MR, ISSUE = f"{P}/merge_requests/{{merge_request_iid}}", f"{P}/issues/{{issue_iid}}"


@dataclass(frozen=True)
class Case:
    """One parameter of an endpoint, and what it names.

    `writes`: seeing the second place is not enough. `told`: the documented answer that does not depend on sight.
    """

    endpoint: str
    param: str
    thing: str
    writes: bool = False
    more: dict[str, Any] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)  # further parameters that name the second place
    told: int | None = None

    def __str__(self) -> str:
        return f"{self.endpoint} {self.param}"


RULE = {"name": "{name}", "approvals_required": 1, "usernames": ["{me}"]}
DEPLOYERS = [{"access_level": 40}]
NEW = {"name": "{name}", "path": "{name}"}
MEMBER = {"user_id": "{friend}", "access_level": 10}
REQUEST = {"title": "t", "source_branch": "{branch}", "target_branch": "main"}
BUCKET = {
    "path": "{name}", "region": "eu", "bucket_name": "b", "file_key": "k", "access_key_id": "a",
    "secret_access_key": "s",
}  # fmt: skip
COMMIT = {
    "branch": "{name}", "commit_message": "m", "start_branch": "main",
    "actions": [{"action": "create", "file_path": "{name}", "content": "x"}],
}  # fmt: skip

CASES = [
    # What is written into the second place
    Case(f"POST {ISSUE}/links", "target_project_id", "project", True, places={"target_issue_iid": "issue"}),
    Case(f"POST {ISSUE}/move", "to_project_id", "project", True),
    Case(f"POST {ISSUE}/clone", "to_project_id", "project", True, {"with_notes": True}),
    Case(f"POST {P}/merge_requests", "target_project_id", "project", True, REQUEST),
    Case("POST /groups", "parent_id", "group", True, NEW),
    Case("POST /groups/import", "parent_id", "group", True, {**NEW, "file": "x"}),
    Case(f"POST {G}/transfer", "group_id", "group", True),
    Case("POST /projects", "namespace_id", "group", True, NEW),
    Case("POST /projects/import", "namespace", "group_path", True, {"path": "{name}", "file": "x"}),
    Case("POST /projects/remote-import", "namespace", "group_path", True,
         {"path": "{name}", "url": "https://example.com/a.tar.gz"}),
    Case("POST /projects/remote-import-s3", "namespace", "group_path", True, BUCKET),
    Case(f"POST {P}/fork", "namespace", "group_path", True, NEW),
    Case(f"POST {P}/fork", "namespace_id", "group", True, NEW),
    Case(f"POST {P}/fork", "namespace_path", "group_path", True, NEW),
    Case(f"PUT {P}/transfer", "namespace", "group_path", True),
    Case("POST /user/runners", "group_id", "group", True, {"runner_type": "group_type"}),
    Case("POST /user/runners", "project_id", "project", True, {"runner_type": "project_type"}),
    Case(f"POST {P}/runners", "runner_id", "runner", True),
    # What is read there, and changes the caller's own place alone
    Case(f"POST {P}/fork/{{forked_from_id}}", "forked_from_id", "project"),
    Case("POST /projects", "template_project_id", "project", more=NEW),
    Case("POST /projects", "group_with_project_templates_id", "group", more=NEW),
    Case(f"PUT {G}", "file_template_project_id", "project"),
    Case(f"POST {P}/import_project_members/{{project_id}}", "project_id", "project"),
    Case(f"POST {P}/repository/commits", "start_project", "project_path", more=COMMIT),
    Case(f"POST {MR}/blocks", "blocking_project_id", "project",
         places={"blocking_merge_request_iid": "request_iid"}),
    Case(f"POST {MR}/blocks", "blocking_merge_request_id", "request", told=403),
    Case(f"POST {P}/share", "group_id", "group", more={"group_access": 10}),
    Case(f"DELETE {P}/share/{{group_id}}", "group_id", "group"),
    Case(f"POST {G}/share", "group_id", "group", more={"group_access": 10}),
    Case(f"DELETE {G}/share/{{group_id}}", "group_id", "group"),
    Case(f"POST {P}/job_token_scope/allowlist", "target_project_id", "project"),
    Case(f"DELETE {P}/job_token_scope/allowlist/{{target_project_id}}", "target_project_id", "project"),
    Case(f"POST {P}/job_token_scope/groups_allowlist", "target_group_id", "group"),
    Case(f"DELETE {P}/job_token_scope/groups_allowlist/{{target_group_id}}", "target_group_id", "group"),
    Case(f"POST {P}/approval_rules", "group_ids", "group", more=RULE),
    Case(f"PUT {P}/approval_rules/{{approval_rule_id}}", "group_ids", "group"),
    Case(f"POST {MR}/approval_rules", "group_ids", "group", more=RULE),
    Case(f"PUT {MR}/approval_rules/{{approval_rule_id}}", "group_ids", "group"),
    Case(f"POST {MR}/approval_rules", "approval_project_rule_id", "rule", more=RULE),
    Case(f"POST {P}/approval_settings/rules", "group_ids", "group", more=RULE),
    Case(f"PUT {P}/approval_settings/rules/{{approval_rule_id}}", "group_ids", "group"),
    Case(f"PUT {P}/approvers", "approver_group_ids", "group", more={"approver_ids": []}),
    Case(f"PUT {MR}/approvers", "approver_group_ids", "group", more={"approver_ids": []}),
    *(Case(f"{verb} {P}/protected_branches{rest}", f"allowed_to_{what}.group_id", "group", more=more)
      for verb, rest, more in (("POST", "", {"name": "{name}"}), ("PATCH", "/{name}", {}))
      for what in ("push", "merge", "unprotect")),
    Case(f"POST {P}/protected_tags", "allowed_to_create.group_id", "group", more={"name": "{name}"}),
    *(Case(f"{verb} {place}/protected_environments{rest}", f"{what}.group_id", "group", more=more)
      for place, name in ((P, "{name}"), (G, "staging"))
      for what in ("deploy_access_levels", "approval_rules")
      for verb, rest, more in (
          ("POST", "", {"name": name, "deploy_access_levels": DEPLOYERS}), ("PUT", "/{name}", {}),
      )),
    # Things of other places
    Case(f"POST {P}/issues", "milestone_id", "milestone", more={"title": "t"}),
    Case(f"PUT {ISSUE}", "milestone_id", "milestone", more={"title": "t"}),
    Case(f"POST {P}/merge_requests", "milestone_id", "milestone", more={**REQUEST, "source_branch": "{new_branch}"}),
    Case(f"PUT {MR}", "milestone_id", "milestone", more={"title": "t"}),
    *(Case(f"{verb} {place}/boards/{{board_id}}{rest}", "milestone_id", "milestone", more=more)
      for place in (P, G) for verb, rest, more in (("PUT", "", {"name": "b"}), ("POST", "/lists", {}))),
    Case(f"PUT {P}/milestones/{{milestone_id}}", "milestone_id", "milestone", True, {"title": "t"}),
    Case(f"DELETE {P}/milestones/{{milestone_id}}", "milestone_id", "milestone", True),
    Case(f"POST {P}/milestones/{{milestone_id}}/promote", "milestone_id", "milestone", True),
    Case(f"PUT {G}/milestones/{{milestone_id}}", "milestone_id", "milestone", True, {"title": "t"}),
    Case(f"DELETE {G}/milestones/{{milestone_id}}", "milestone_id", "milestone", True),
    Case(f"DELETE {P}/runners/{{runner_id}}", "runner_id", "runner", True),
    Case(f"POST {G}/members", "member_role_id", "role", True, MEMBER),
    Case(f"PUT {G}/members/{{user_id}}", "member_role_id", "role", True, {"access_level": 10}),
    Case(f"POST {P}/members", "member_role_id", "role", True, MEMBER),
    Case(f"PUT {P}/members/{{user_id}}", "member_role_id", "role", True, {"access_level": 10}),
    Case(f"POST {G}/invitations", "member_role_id", "role", True, {"email": "{name}@example.com", "access_level": 10}),
    Case(f"POST {P}/invitations", "member_role_id", "role", True, {"email": "{name}@example.com", "access_level": 10}),
    Case(f"POST {G}/saml_group_links", "member_role_id", "role", True,
         {"saml_group_name": "{name}", "access_level": 10}),
]  # fmt: skip

# Parameters that look like a second place and are none.
EXEMPT = {
    "POST /projects template_name": "the name of a built-in template, of which there are none",
    "POST /markdown project": "the text is rendered for its reader, to whom a hidden project does not exist",
    f"POST {ISSUE}/links target_issue_iid": "an issue of target_project_id, which is walked",
    f"POST {MR}/blocks blocking_merge_request_iid": "a request of blocking_project_id, which is walked",
}


def parameters(params: type[Params], prefix: str = "") -> Iterator[tuple[str, Field]]:
    """All parameters, those inside others as `outer.inner`."""
    for one in params.fields.values():
        yield prefix + one.wire, one
        if one.nested is not None:
            yield from parameters(one.nested, f"{prefix}{one.wire}.")


def second_places() -> list[str]:
    """Parameters of writing endpoints that name another place. Administrators have all rights everywhere."""
    result = []
    for endpoint in ENDPOINTS:
        if endpoint.method in READS or isinstance(endpoint.guard, Administrator):
            continue
        for name, one in parameters(endpoint.params):
            if one.nested is None and one.kind != "boolean" and SECOND_PLACE.search(name.rpartition(".")[2]):
                result.append(f"{named(endpoint)} {name}")
    return result


def test_every_parameter_that_names_a_second_place_is_attacked() -> None:
    result, covered = set(second_places()), {str(case) for case in CASES}

    assert result - covered - EXEMPT.keys() == set(), "without a case or a reason"
    assert (covered | EXEMPT.keys()) - result == set(), "cases and reasons of what is not declared"
    promoting = {named(one) for one in ENDPOINTS if one.path.endswith("/promote")}
    assert promoting == {f"PUT {P}/labels/{{label_id}}/promote", f"POST {P}/milestones/{{milestone_id}}/promote"}


@dataclass
class Attack:
    """The attacker with a place of their own, where they may do everything."""

    world: World
    me: Person
    friend: Person
    member: Person
    home: Place
    known: dict[str, Any]

    def call(self, case: Case, place: Place) -> Any:
        """Call the endpoint on the attacker's own place, and name the other one."""
        method, path = case.endpoint.split(" ")
        endpoint: Endpoint = next(one for one in ENDPOINTS if named(one) == case.endpoint)
        values = {
            case.param: place.value(case.thing),
            **{name: place.value(item) for name, item in case.places.items()},
        }
        known = {**self.known, **values}
        known["approval_rule_id"] = known["request_rule" if "merge_request_iid" in path else "project_rule"]
        kind = "project" if path.startswith("/projects") else "group"
        known |= {"id": self.home.ids[kind], "board_id": known[f"{kind}_board"], "name": known[f"{kind}_name"]}
        url = re.sub(r"\{(\w+)(:int|\*)?\}", lambda part: str(known[part[1]]), path)
        body = self._filled(case.more)
        for name, value in values.items():
            outer, _, inner = name.rpartition(".")
            if name in endpoint.path_params:
                continue
            if outer:
                body[outer] = [{inner: value}]
            else:
                body[name] = [value] if endpoint.params.fields[name].kind == "list" else value
        if "file" in body:
            return self.me.client.request(
                method, url, files={"file": ("a.tar.gz", gzip.compress(b"x"))}, data={**body, "file": None}
            )
        return self.me.client.request(method, url, **({} if method == "DELETE" else {"json": body}))

    def _filled(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._filled(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self._filled(one) for one in value]
        if value == "{friend}":
            return self.friend.id
        if value == "{new_branch}":
            branch = self.world.name("branch")
            self.world.commit(self.home.project, branch, {"new.txt": branch})
            return branch
        if not isinstance(value, str) or "{" not in value:
            return value
        return value.format(name=self.world.name("made"), me=self.me.username, branch=self.known["branch"])


@pytest.fixture(scope="module")
def victim(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def attack(world: World) -> Attack:
    me, friend, member = world.user(), world.user(), world.user()
    home = build_place(world, me, "public")
    base = f"/projects/{home.ids['project']}"
    for kind, item in (("projects", home.project), ("groups", home.group)):
        world.member(item, member, "guest", kind)
    me.client.ok("POST", f"{base}/protected_branches", json={"name": "kept"})
    for owner, name in ((base, "kept"), (f"/groups/{home.ids['group']}", "production")):
        environment = {"name": name, "deploy_access_levels": DEPLOYERS}
        me.client.ok("POST", f"{owner}/protected_environments", json=environment)
    world.commit(home.project, "offer", {"offer.txt": "x\n"})
    request = f"{base}/merge_requests/{home.ids['request_iid']}"
    rule = {"name": "Own", "approvals_required": 1, "user_ids": [me.id]}
    known = {
        "issue_iid": home.ids["issue"],
        "merge_request_iid": home.ids["request_iid"],
        "project_rule": home.ids["rule"],
        "request_rule": me.client.ok("POST", f"{request}/approval_rules", json=rule)["id"],
        "project_board": me.client.ok("POST", f"{base}/boards", json={"name": "Own"})["id"],
        "group_board": me.client.ok("POST", f"/groups/{home.ids['group']}/boards", json={"name": "Own"})["id"],
        "project_name": "kept",
        "group_name": "production",
        "user_id": member.id,
        "branch": "offer",
    }
    return Attack(world, me, friend, member, home, known)


@pytest.fixture(scope="module")
def hidden(world: World, victim: Person) -> Place:
    return build_place(world, victim, "private")


@pytest.fixture(scope="module")
def seen(world: World, victim: Person) -> Place:
    """Public: everyone sees it, only members change it."""
    return build_place(world, victim, "public")


@pytest.fixture(scope="module")
def visited(world: World, victim: Person, attack: Attack) -> Place:
    """Private; the attacker is a guest."""
    place = build_place(world, victim, "private")
    world.member(place.group, attack.me, "guest", kind="groups")
    return place


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_hidden_place_answers_like_none(world: World, attack: Attack, hidden: Place, case: Case) -> None:
    before = contents(world, hidden)

    without = attack.call(case, nowhere())
    reply = attack.call(case, hidden)

    assert contents(world, hidden) == before
    assert not any(name in reply.text for name in hidden.names), reply.text[:300]
    if case.told is not None:
        assert reply.status_code == case.told
        return
    assert reply.status_code == without.status_code, f"{without.text[:200]} | {reply.text[:200]}"
    assert reply.status_code < 500
    if reply.status_code >= 400:
        blank = re.compile(r"\d+|no-such[\w/-]*|\S*secret-[\w/-]*|made-\d+")
        assert blank.sub("_", reply.text) == blank.sub("_", without.text)


@pytest.mark.parametrize("case", [case for case in CASES if case.writes], ids=str)
@pytest.mark.parametrize("sight", ["seen", "visited"])
def test_seeing_a_place_is_not_enough_to_write_there(
    world: World, attack: Attack, request: pytest.FixtureRequest, sight: str, case: Case
) -> None:
    place: Place = request.getfixturevalue(sight)
    before = contents(world, place)

    reply = attack.call(case, place)

    # Invitations answer 201 with an error for each of them.
    refused = 400 <= reply.status_code < 500 or reply.json().get("status") == "error"
    assert refused, f"{reply.status_code} {reply.text[:300]}"
    assert contents(world, place) == before


@pytest.mark.parametrize("kind", ["milestones", "labels"])
@pytest.mark.parametrize("role", [None, "guest"])
def test_promoting_needs_the_right_in_the_group(world: World, victim: Person, kind: str, role: str | None) -> None:
    place, developer = build_place(world, victim, "private"), world.user()
    world.member(place.project, developer, "developer")
    if role is not None:
        world.member(place.group, developer, role, kind="groups")
    item = victim.client.ok("GET", f"/projects/{place.ids['project']}/{kind}")[0]
    path = f"/projects/{place.ids['project']}/{kind}/{item['id']}/promote"
    method = "POST" if kind == "milestones" else "PUT"

    refused = developer.client.request(method, path)

    assert refused.status_code in (403, 404), refused.text
    assert victim.client.ok("GET", f"/groups/{place.ids['group']}/{kind}") == []
    if role is None:
        world.member(place.group, developer, "developer", kind="groups")
        assert developer.client.request(method, path).status_code in (200, 201)


def test_a_clone_does_not_take_internal_comments_along(world: World, attack: Attack, seen: Place) -> None:
    owner = build_place(world, attack.friend, "public")
    issue = f"/projects/{owner.ids['project']}/issues/{owner.ids['issue']}"
    attack.friend.client.ok("POST", f"{issue}/notes", json={"body": "inside only", "internal": True})
    body = {"to_project_id": attack.home.ids["project"], "with_notes": True}

    refused = attack.me.client.post(f"{issue}/clone", json=body)

    assert refused.status_code == 400, refused.text
    titles = [one["title"] for one in attack.me.client.ok("GET", f"/projects/{attack.home.ids['project']}/issues")]
    assert f"{owner.names[0]}-issue" not in titles


def test_a_link_is_removed_with_the_right_on_both_sides(world: World, attack: Attack, victim: Person) -> None:
    place = build_place(world, victim, "public")
    world.member(place.project, attack.me, "planner")
    links = f"/projects/{attack.home.ids['project']}/issues/{attack.home.ids['issue']}/links"
    body = {"target_project_id": place.ids["project"], "target_issue_iid": place.ids["issue"]}
    attack.me.client.ok("POST", links, json=body)
    link = attack.me.client.ok("GET", links)[0]["issue_link_id"]
    members = f"/projects/{place.ids['project']}/members/{attack.me.id}"
    world.admin.ok("PUT", members, json={"access_level": 10})

    assert attack.me.client.delete(f"{links}/{link}").status_code == 403
    world.admin.ok("PUT", members, json={"access_level": 15})
    assert attack.me.client.delete(f"{links}/{link}").status_code == 200


def test_the_fork_behind_a_request_belongs_to_its_members(world: World, attack: Attack, victim: Person) -> None:
    """Maintainers of the target neither rebase nor remove a branch of a fork where they have no right."""
    base = f"/projects/{attack.home.ids['project']}"
    path = world.name("fork")
    fork = victim.client.ok("POST", f"{base}/fork", json={"path": path, "name": path})
    world.run_jobs()
    tip = world.commit(fork, "theirs", {"theirs.txt": "x\n"})
    body = {"title": "t", "source_branch": "theirs", "target_branch": "main"}
    body |= {"target_project_id": attack.home.ids["project"], "allow_collaboration": False}
    created = victim.client.ok("POST", f"/projects/{fork['id']}/merge_requests", json=body)
    world.commit(attack.home.project, "main", {world.name("more"): "x\n"})
    request = f"{base}/merge_requests/{created['iid']}"

    refused = attack.me.client.put(f"{request}/rebase")
    world.run_jobs()

    branch = f"/projects/{fork['id']}/repository/branches/theirs"
    assert refused.status_code == 403, refused.text
    assert victim.client.ok("GET", branch)["commit"]["id"] == tip
    attack.me.client.ok("POST", f"{request}/approve")
    attack.me.client.ok("PUT", f"{request}/merge", json={"should_remove_source_branch": True})
    assert victim.client.ok("GET", branch)["commit"]["id"] == tip
