"""Real archives go in and come out again: every key of every record is there, with its value."""

import json
from pathlib import Path
from typing import Any

import pytest

from ingot.features.transfer.project_imports.values import EVENT_ACTIONS
from tests.features.transfer.project_imports.making import exported, files_of, imported
from tests.support.world import Person, World

FIXTURES = Path(__file__).parents[5] / "shared" / "fixtures" / "exports"
pytestmark = pytest.mark.skipif(not FIXTURES.is_dir(), reason="the real archives are not beside this checkout")

# Ids of the source, texts that it rendered, secrets, and columns of old versions that no current archive has.
GONE = frozenset(
    {
        "id", "iid_internal", "project_id", "target_id", "group_id", "noteable_id", "milestone_id", "label_id",
        "issue_id", "merge_request_id", "merge_request_diff_id", "target_project_id", "source_project_id",
        "protected_branch_id", "awardable_id", "board_id", "head_pipeline_id", "namespace_id", "pipeline_id",
        "commit_author_id", "committer_id", "latest_merge_request_diff_id", "state_id", "moved_to_id",
        "duplicated_to_id", "promoted_to_epic_id", "note_id", "review_id", "closed_by_id", "creator_id",
        "cached_markdown_version", "invite_token", "external_webhook_token", "runners_token", "textColor",
        "merge_when_pipeline_succeeds", "milestone_release_id", "epic_id", "issue_milestone_id", "namespace_settings",
        "stored_externally", "external_diff_store", "external_diff", "position_in_board", "push_event_payload",
        "jobs_cache_index", "import_type", "import_source", "import_status", "last_activity_at", "created_at_project",
    }
)  # fmt: skip
# What an import decides anew: people become the importer, notes say who wrote them, open requests are checked again.
DECIDED = frozenset(
    {
        "author_id", "user_id", "created_by_id", "merge_user_id", "updated_by_id", "assignee_id", "last_edited_by_id",
        "note", "user", "author", "relative_position", "merge_status", "updated_at", "created_at", "next_run_at",
        "resolved_by_id", "merged_by_id", "access_level",
    }
)  # fmt: skip


def tree(content: bytes) -> dict[str, Any]:
    """Relation to records, whichever form the archive has; `project` is the root."""
    files = files_of(content)
    if "tree/project.json" not in files:
        result = json.loads(files["project.json"])
        relations = {key: value for key, value in result.items() if key in LEGACY}
        root = {key: value for key, value in result.items() if key not in LEGACY}
        return {"project": [root], **{key: as_list(value) for key, value in relations.items()}}
    result = {"project": [json.loads(files["tree/project.json"])]}
    for name, text in files.items():
        if name.startswith("tree/project/"):
            result[Path(name).stem] = [json.loads(line) for line in text.splitlines()]
    return result


LEGACY = (
    "labels", "milestones", "issues", "merge_requests", "ci_pipelines", "protected_branches", "protected_tags",
    "project_members", "project_feature", "snippets", "releases", "boards", "events", "triggers", "services", "hooks",
    "pipelines", "deploy_keys", "auto_devops", "ci_cd_settings", "custom_attributes", "project_badges",
    "pipeline_schedules", "container_expiration_policy", "error_tracking_setting", "external_pull_requests",
    "metrics_setting", "prometheus_metrics",
)  # fmt: skip
# Null where the original falls back to a default, which we say.
WRITTEN_OUT = ("project[0].reset_approvals_on_push", "merge_requests[0].metrics.commits_count")
NOT_TAKEN = ("services", "triggers", "pipelines", "project_members", "events")


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def lost(old: Any, new: Any, place: str) -> list[str]:
    """Where the second record lacks a key of the first, or says something else."""
    if isinstance(old, dict):
        if not isinstance(new, dict):
            return [f"{place}: {str(new)[:40]} is no record"]
        result = []
        for key, value in old.items():
            if key in GONE or key.endswith("_html") or (key not in new and value in (None, [], {})):
                continue
            if key not in new:
                result.append(f"{place}.{key} is missing")
            elif key not in DECIDED:
                result += lost(value, new[key], f"{place}.{key}")
        return result
    if isinstance(old, list):
        if not isinstance(new, list) or len(old) != len(new):
            return [f"{place}: {len(old)} became {len(as_list(new))}"]
        return [
            line for index, (a, b) in enumerate(zip(old, new, strict=True)) for line in lost(a, b, f"{place}[{index}]")
        ]
    if place in WRITTEN_OUT:
        return []
    return [] if same(old, new) else [f"{place}: {old!r} became {new!r}"]


def same(old: Any, new: Any) -> bool:
    if isinstance(old, int) and new in EVENT_ACTIONS.values():  # old archives write numbers
        return EVENT_ACTIONS.get(old) == new
    if isinstance(old, str) and isinstance(new, str) and old.endswith("UTC"):
        return old.replace(" UTC", "").replace(" ", "T") == new[:19]
    return bool(old == new) or (old in (None, False, "", {}, []) and new in (None, False, "", {}, []))


@pytest.mark.parametrize("name", ["jsonnet", "lightweight_project_export", "test_project_export"])
def test_nothing_of_a_real_archive_is_lost(world: World, name: str) -> None:
    owner: Person = world.user()
    real = (FIXTURES / f"{name}.tar.gz").read_bytes()
    record = imported(world, owner, real)

    ours = tree(exported(world, owner, record["id"]))

    problems: list[str] = []
    for relation, records in tree(real).items():
        if relation == "protected_branches" and not records:  # the default branch gets the instance's protection
            assert len(ours[relation]) == 1
        elif relation not in NOT_TAKEN:
            problems += lost(records, ours.get(relation, []), relation)
    assert not problems, "\n".join(problems)


def test_the_complete_set_of_files_is_written(world: World) -> None:
    owner: Person = world.user()
    real = files_of((FIXTURES / "jsonnet.tar.gz").read_bytes())

    ours = files_of(exported(world, owner, world.project(owner, initialize_with_readme=True)["id"]))

    old = {"prometheus_metrics", "triggers", "metrics_setting"}
    expected = {name for name in real if Path(name).stem not in old}
    assert expected <= set(ours)
    assert ours["VERSION"] == b"0.2.4"
    for name in ("error_tracking_setting", "service_desk_setting", "security_setting"):
        assert ours[f"tree/project/{name}.ndjson"] == b"null"
    assert not ours["tree/project/project_feature.ndjson"].endswith(b"\n")
    assert ours["tree/project/issues.ndjson"] == b""
    for name in ("project_feature", "ci_cd_settings", "container_expiration_policy"):
        mine, theirs = (json.loads(where[f"tree/project/{name}.ndjson"]) for where in (ours, real))
        assert set(theirs) - set(mine) <= {"id", "metrics_dashboard_access_level"}, name
    root = set(json.loads(real["tree/project.json"])) - set(json.loads(ours["tree/project.json"]))
    assert root <= {"container_registry_enabled", "external_webhook_token"}
