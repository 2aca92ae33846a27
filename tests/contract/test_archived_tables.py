"""Every table that belongs to a project is carried by archives, or stays behind for a reason."""

from ingot.app import load_features
from ingot.archives.relations import archived_tables
from ingot.features.transfer.project_exports import SINGLES, collections, preserved_collections
from ingot.kit.db import metadata

# Where in an archive each table is: a relation of the tree, or a folder of files (ends with a slash).
CARRIED = {
    "approval_project_rules": "approval_rules",
    "archive_files": "uploads/",  # and large files of the wiki, histories of snippets: what nobody here reads
    "archive_leftovers": "issues",  # and every other relation: keys and records that no table holds
    "boards": "boards",
    "ci_jobs": "ci_pipelines",
    "deploy_key_projects": "deploy_keys",
    "events": "issues",  # below issues, merge requests, milestones and notes
    "invitations": "project_members",
    "issues": "issues",
    "label_priorities": "labels",
    "labels": "labels",
    "lfs_objects": "lfs-objects/",
    "members": "project_members",
    "merge_requests": "merge_requests",
    "milestones": "milestones",
    "notes": "issues",  # below issues and merge requests; those on commits are `commit_notes`
    "pipeline_schedules": "pipeline_schedules",
    "pipelines": "ci_pipelines",
    "project_approval_settings": "project",
    "project_push_rules": "push_rule",
    "protected_branches": "protected_branches",
    "protected_environments": "protected_environments",
    "protected_tags": "protected_tags",
    "releases": "releases",
    "snippets": "snippets",  # with `snippets/`, for their files
    "timelogs": "issues",  # below issues and merge requests
    "uploads": "uploads/",
    "web_hooks": "hooks",
}
LEFT_OUT = {
    "secrets, and what runs with them": {
        "ci_variables", "deploy_tokens", "group_integration_messages", "integrations", "pipeline_triggers",
        "project_import_logins", "remote_mirrors", "resource_bots",
    },
    "what jobs left behind": {"deployments", "environments", "job_artifacts", "resource_groups"},
    "rights that people or other projects have here": {
        "access_requests", "job_token_allowed_groups", "job_token_allowed_projects",
        "project_authorizations",
        "project_group_links", "runner_projects",
    },
    "what people did or wanted here": {
        "lfs_locks", "notification_settings", "project_contributions", "project_stars", "todos",
    },
    "counted or derived": {
        "code_files", "code_indexes", "judged_signatures", "project_fetches", "project_languages",
        "project_mirror_updates", "project_statistics", "push_notes", "redirects", "wiki_pages", "wikis",
    },
    "not in the format of archives": {
        "external_status_checks", "flag_user_lists", "freeze_periods", "project_flags", "project_topics",
    },
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

    forgotten = owned - CARRIED.keys() - declared - left_out
    assert not forgotten, f"declare with `archive_table`, or list as left out: {', '.join(sorted(forgotten))}"
    assert (CARRIED.keys() | left_out) <= owned  # the lists name nothing that is gone
    assert not CARRIED.keys() & left_out
    relations = {*collections(), *SINGLES, *preserved_collections(), "project"}
    assert {place for place in CARRIED.values() if not place.endswith("/")} <= relations
