"""What the walk over parameters sends for each of them."""

from collections.abc import Callable
from typing import Any

from ingot.kit.endpoint import Endpoint
from ingot.kit.params import Field
from tests.contract.parameters import MR, G, P, With, fresh, new_label, rule_of_project, topic
from tests.support.furnishing import Furniture
from tests.support.walking import arguments, named


def values(furniture: Furniture, endpoint: Endpoint, one: Field) -> list[Any]:
    """What to try for a parameter; it must take effect, or be refused, with one of them."""
    if (make := VALUES.get(f"{named(endpoint)} {one.wire}") or VALUES.get(one.wire)) is not None:
        return make(furniture)
    if one.wire.endswith("_access_level") and one.kind == "string":
        return ["private", "enabled"]  # what is disabled is not shown, and hides other parameters
    if one.one_of:
        return [[choice] if one.kind == "list" else choice for choice in one.one_of]
    if one.nested is not None:
        inner = arguments(one.nested)
        return [[inner] if one.kind == "list" else inner]
    return BY_KIND[f"list of {one.item}" if one.kind == "list" else one.kind]()


def guarded(furniture: Furniture) -> list[Any]:
    """A protected branch."""
    return [[furniture.admin.ok("GET", f"{furniture.place}/protected_branches")[0]["id"]]]


BY_KIND: dict[str, Callable[[], list[Any]]] = {
    "boolean": lambda: [True, False],
    "integer": lambda: [7, 11, 1],
    "float": lambda: [7.5],
    "string": lambda: [fresh()],
    "date": lambda: ["2027-05-17"],
    "datetime": lambda: ["2021-05-17T10:11:12Z", "2027-05-17T00:00:00Z"],
    "hash": lambda: [{"a": fresh()}],
    "any": lambda: [fresh()],
    "list of string": lambda: [[fresh()]],
    "list of integer": lambda: [[7]],
    "list of hash": lambda: [[{"a": fresh()}]],
    "list of any": lambda: [[fresh()]],
}
NEW_BRANCH: dict[str, Callable[[Furniture], list[Any]]] = {
    f"{endpoint} start_branch": lambda f: [With("spare", {"branch": fresh("branch")})]
    for endpoint in (
        f"POST {P}/repository/commits", f"POST {P}/repository/files/{{file_path}}",
        f"PUT {P}/repository/files/{{file_path}}",
    )
}  # fmt: skip
VALUES: dict[str, Callable[[Furniture], list[Any]]] = {
    **NEW_BRANCH,
    f"POST {P}/repository/commits force": lambda f: [With(True, {"branch": "spare", "start_branch": "main"})],
    f"POST {P}/deployments sha": lambda f: [f.admin.ok("GET", f"{f.place}/repository/branches/spare")["commit"]["id"]],
    f"POST {P}/releases assets": lambda f: [{"links": [{"name": "walk", "url": "https://example.com"}]}],
    f"POST {P}/merge_requests approval_rules_attributes": lambda f: [
        [{"id": rule_of_project(f), "approvals_required": 3}]
    ],
    f"PUT {MR} approval_rules_attributes": lambda f: [
        [{"id": int(f.values["request of a fork", "approval_rule_id"]), "approvals_required": 3}]
    ],
    "POST /user/runners runner_type": lambda f: [With("project_type", {"project_id": f.project["id"]})],
    "protected_branch_ids": lambda f: [
        [one["id"] for one in f.admin.ok("GET", f"{f.place}/protected_branches") if one["name"] == "guarded"],
        [],
    ],
    f"PUT {MR}/merge squash_commit_message": lambda f: [With(fresh("message"), {"squash": True})],
    f"PUT {G}/boards/{{board_id}} labels": lambda f: [new_label(f, f.above)["name"]],
    "font": lambda f: ["#123456", "#654321"],
    "link_url": lambda f: [f"https://{fresh()}.example"],
    "image_url": lambda f: [f"https://{fresh()}.example"],
    "encoding": lambda f: [With("base64", {"content": "eHh4"})],
    "POST /features/{name} key": lambda f: [With("percentage_of_actors", {"value": "50"})],
    "allowed_to_push": lambda f: [[{"access_level": 30}]],
    "allowed_to_merge": lambda f: [[{"access_level": 30}]],
    "allowed_to_unprotect": lambda f: [[{"access_level": 60}]],
    "deploy_access_levels": lambda f: [[{"access_level": 60}]],
    "approval_rules": lambda f: [[{"access_level": 40, "required_approvals": 2}]],
    "required_approval_count": lambda f: [3],
    f"POST {G}/protected_environments name": lambda f: ["development"],
    f"POST {P}/external_status_checks protected_branch_ids": guarded,
    f"PUT {P}/external_status_checks/{{check_id}} protected_branch_ids": guarded,
    "allowed_to_create": lambda f: [[{"access_level": 30}]],
    "milestone_id": lambda f: [int(f.value(f"{P}/milestones", "milestone_id") or 0)],
    "assignee_id": lambda f: [f.member.id, 1],
    "assignee_ids": lambda f: [[f.member.id], [1]],
    "merge_after": lambda f: ["2027-05-17T00:00:00Z"],
    "container_expiration_policy_attributes": lambda f: [{"enabled": True, "cadence": "7d"}],
    f"PUT {P}/transfer namespace": lambda f: [f.world.group()["id"]],
    f"PATCH {G}/saml/{{uid}} extern_uid": lambda f: [fresh("uid")],
    f"PATCH {G}/scim/{{uid}} extern_uid": lambda f: [fresh("uid")],
    "source_topic_id": lambda f: [topic(f)],
    "target_topic_id": lambda f: [topic(f)],
    "reviewer_ids": lambda f: [[f.member.id]],
    "user_ids": lambda f: [[f.member.id], [1]],
    "usernames": lambda f: [[f.guest.username], ["root"]],
    "group_ids": lambda f: [[int(f.value("/share/", "group_id") or 0)], []],
    "labels": lambda f: ["walk-projects", fresh("label")],
    "add_labels": lambda f: [fresh("label")],
    "remove_labels": lambda f: ["walk-projects"],
    "sha": lambda f: [f.head, "0" * 40],
    "ref": lambda f: ["spare"],
    "start_branch": lambda f: ["main"],
    "cron": lambda f: ["5 4 * * *"],
    "freeze_start": lambda f: ["5 4 * * *"],
    "freeze_end": lambda f: ["6 4 * * *"],
    "cron_timezone": lambda f: ["Berlin"],
    "color": lambda f: ["#abcdef", "#fedcba"],
    "default_branch_protection_defaults": lambda f: [{"allow_force_push": True}],
    "approver_ids": lambda f: [[1], [f.member.id]],
    "approver_group_ids": lambda f: [[int(f.value("/share/", "group_id") or 0)], []],
    "external_url": lambda f: [f"https://{fresh()}.example"],
    "target_url": lambda f: [f"https://{fresh()}.example"],
    "website_url": lambda f: [f"https://{fresh()}.example"],
    "duration": lambda f: ["3h", "5h"],
    "namespace_id": lambda f: [f.group["id"]],
    "parent_id": lambda f: [f.group["id"]],
    "member_role_id": lambda f: [int(f.value("/member_roles/", "member_role_id") or 0)],
    "maximum_timeout": lambda f: [1234],
    "email": lambda f: [f"{fresh('mail')}@example.com"],
    "target_branch": lambda f: ["spare"],
    "topics": lambda f: [[fresh("topic")]],
    "username": lambda f: [fresh("user")],
    "password": lambda f: [fresh("Long-Pass-Word-")],
}
