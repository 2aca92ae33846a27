"""Every table that belongs to a project is carried by archives, or stays behind for a reason."""

from ingot.app import load_features
from ingot.archives.relations import archived_tables
from ingot.kit.db import metadata

# By the modules of `project_exports/relations` and `project_imports/builders`.
CARRIED = {
    "approval_project_rules", "archive_files", "archive_leftovers", "ci_jobs", "events", "invitations", "issues",
    "label_priorities", "labels", "lfs_objects", "members", "merge_requests", "milestones", "notes", "pipeline_schedules", "pipelines",
    "project_approval_settings", "protected_branches", "protected_tags", "releases",
    "snippets", "timelogs", "uploads",
}  # fmt: skip
LEFT_OUT = {
    "secrets, and what runs with them": {
        "ci_variables", "deploy_tokens", "pipeline_triggers", "project_import_logins", "resource_bots",
    },
    "what jobs left behind": {"deployments", "environments", "job_artifacts", "resource_groups"},
    "rights that people or other projects have here": {
        "access_requests", "deploy_key_projects", "job_token_allowed_groups", "job_token_allowed_projects",
        "project_authorizations",
        "project_group_links", "runner_projects",
    },
    "what people did or wanted here": {"project_contributions", "project_stars", "todos"},
    "counted or derived": {
        "project_fetches", "project_languages", "project_mirror_updates", "project_statistics", "push_notes",
        "redirects",
    },
    "not in the format of archives": {"project_topics", "web_hooks"},
    "exports and imports themselves": {
        "project_export_files", "project_exports", "project_import_failures", "project_imports", "relation_exports",
        "relation_imports",
    },
}  # fmt: skip


def test_every_table_of_a_project_is_carried_or_left_out_for_a_reason() -> None:
    load_features()
    owned = {
        table.name
        for table in metadata.sorted_tables
        if any(key.column.table.name == "projects" for column in table.c for key in column.foreign_keys)
    }
    declared = {archived.table.name for archived in archived_tables().values()}
    left_out = set().union(*LEFT_OUT.values())

    forgotten = owned - CARRIED - declared - left_out
    assert not forgotten, f"declare with `archive_table`, or list as left out: {', '.join(sorted(forgotten))}"
    assert (CARRIED | left_out) <= owned  # the lists name nothing that is gone
    assert not CARRIED & left_out
