"""Names that the interface promises: parameters by endpoint, and fields of what endpoints answer."""

# Names in brackets are inside a hash.
PARAMETERS: dict[str, str] = {
    "POST /projects/{id}/export": "description upload upload[url] upload[http_method]",
    "POST /projects/import": "file path name namespace override_params overwrite",
    "POST /projects/remote-import": "path url name namespace overwrite override_params",
    "POST /projects/import-relation": "file path relation",
    "POST /projects/remote-import-s3": (
        "access_key_id bucket_name file_key path region secret_access_key name namespace"
    ),
    "GET /projects/{id}": "license statistics with_custom_attributes",
    "GET /projects": (
        "archived id_after id_before imported include_hidden include_pending_delete last_activity_after "
        "last_activity_before membership min_access_level order_by owned repository_checksum_failed "
        "wiki_checksum_failed repository_storage search_namespaces search simple sort starred statistics topic_id "
        "topic updated_after updated_before visibility with_custom_attributes with_issues_enabled "
        "with_merge_requests_enabled with_programming_language marked_for_deletion_on custom_attributes"
    ),
    "PUT /projects/{id}/merge_requests/{merge_request_iid}": (
        "add_labels allow_collaboration allow_maintainer_to_push assignee_id assignee_ids description "
        "discussion_locked labels merge_after milestone_id remove_labels remove_source_branch reviewer_ids squash "
        "state_event target_branch title"
    ),
    "PUT /projects/{id}/merge_requests/{merge_request_iid}/merge": (
        "auto_merge merge_commit_message merge_when_pipeline_succeeds sha should_remove_source_branch "
        "squash_commit_message squash"
    ),
    "GET /merge_requests": (
        "approved_by_ids approver_ids approved assignee_id author_id author_username created_after created_before "
        "deployed_after deployed_before environment in labels merge_user_id merge_user_username milestone "
        "my_reaction_emoji not order_by sort page per_page reviewer_id reviewer_username scope search "
        "source_branch target_branch state updated_after updated_before view with_labels_details "
        "with_merge_status_recheck wip"
    ),
    "GET /projects/{id}/merge_requests": (
        "approved_by_ids approver_ids approved assignee_id author_id author_username created_after created_before "
        "environment iids labels merge_user_id merge_user_username milestone my_reaction_emoji not order_by sort "
        "page per_page reviewer_id reviewer_username scope search source_branch target_branch state updated_after "
        "updated_before view with_labels_details with_merge_status_recheck wip"
    ),
    "GET /groups/{id}/merge_requests": (
        "approved_by_ids approved_by_usernames approver_ids approved assignee_id author_id author_username "
        "created_after created_before labels merge_user_id merge_user_username milestone my_reaction_emoji "
        "non_archived not order_by sort page per_page reviewer_id reviewer_username scope search source_branch "
        "target_branch state updated_after updated_before view with_labels_details with_merge_status_recheck"
    ),
    "PUT /groups/{id}/merge_request_approval_setting": (
        "allow_author_approval allow_committer_approval allow_overrides_to_approver_list_per_merge_request "
        "retain_approvals_on_push selective_code_owner_removals require_reauthentication_to_approve"
    ),
    "PUT /projects/{id}/merge_request_approval_setting": (
        "allow_author_approval allow_committer_approval allow_overrides_to_approver_list_per_merge_request "
        "retain_approvals_on_push selective_code_owner_removals require_reauthentication_to_approve"
    ),
    "POST /projects/{id}/merge_requests/{merge_request_iid}/blocks": "blocking_merge_request_id",
    "GET /users/{user_id}/projects": "archived id_after",
    "GET /projects/{id}/users": "search skip_users",
    "GET /projects/{id}/jobs/artifacts/{ref_name}/download": "job",
    "GET /projects/{id}/jobs/artifacts/{ref_name}/raw/{artifact_path}": "job",
    "PATCH /groups/{id}/saml/{uid}": "extern_uid",
    "POST /groups/{id}/saml_group_links": "saml_group_name access_level member_role_id",
    "GET /application/plan_limits": "plan_name",
    "PUT /application/plan_limits": (
        "plan_name ci_instance_level_variables ci_pipeline_size ci_active_jobs ci_project_subscriptions "
        "ci_pipeline_schedules ci_needs_size_limit ci_registered_group_runners ci_registered_project_runners "
        "dotenv_size dotenv_variables conan_max_file_size generic_packages_max_file_size helm_max_file_size "
        "maven_max_file_size npm_max_file_size nuget_max_file_size pypi_max_file_size "
        "terraform_module_max_file_size enforcement_limit notification_limit storage_size_limit"
    ),
}

# At least these; more may be there.
FIELDS: dict[str, str] = {
    "GET /projects/{id}/merge_requests/{merge_request_iid}": (
        "id iid project_id title description state imported imported_from merged_by merge_user merged_at "
        "closed_at created_at updated_at prepared_at merge_after closed_by target_branch source_branch upvotes "
        "downvotes author assignee assignees reviewers source_project_id target_project_id labels draft "
        "work_in_progress milestone merge_when_pipeline_succeeds merge_status detailed_merge_status has_conflicts "
        "blocking_discussions_resolved sha merge_commit_sha squash_commit_sha squash squash_on_merge "
        "user_notes_count discussion_locked should_remove_source_branch force_remove_source_branch "
        "allow_collaboration allow_maintainer_to_push web_url reference references time_stats "
        "task_completion_status approvals_before_merge"
    ),
    "GET /groups/{id}/merge_requests": (
        "id iid project_id title description state imported imported_from merged_by merge_user merged_at "
        "closed_at created_at updated_at prepared_at merge_after closed_by target_branch source_branch upvotes "
        "downvotes author assignee assignees reviewers source_project_id target_project_id labels draft "
        "work_in_progress milestone merge_when_pipeline_succeeds merge_status detailed_merge_status has_conflicts "
        "blocking_discussions_resolved sha merge_commit_sha squash_commit_sha squash squash_on_merge "
        "user_notes_count discussion_locked should_remove_source_branch force_remove_source_branch "
        "allow_collaboration allow_maintainer_to_push web_url reference references time_stats "
        "task_completion_status approvals_before_merge group_id"
    ),
    "GET /projects/{id}/merge_requests/{merge_request_iid}/commits": (
        "id short_id title message author_name author_email committer_name committer_email created_at "
        "authored_date committed_date parent_ids trailers extended_trailers web_url"
    ),
    "GET /projects/{id}": (
        "id name name_with_namespace path path_with_namespace description description_html default_branch "
        "visibility web_url ssh_url_to_repo http_url_to_repo readme_url avatar_url topics tag_list creator_id "
        "owner namespace created_at updated_at last_activity_at archived empty_repo issues_enabled "
        "merge_requests_enabled jobs_enabled wiki_enabled snippets_enabled packages_enabled service_desk_enabled "
        "lfs_enabled request_access_enabled shared_runners_enabled group_runners_enabled public_jobs "
        "can_create_merge_request_in issues_access_level repository_access_level merge_requests_access_level "
        "forking_access_level wiki_access_level builds_access_level snippets_access_level pages_access_level "
        "analytics_access_level container_registry_access_level security_and_compliance_access_level "
        "requirements_access_level container_registry_enabled forks_count star_count open_issues_count "
        "merge_method squash_option only_allow_merge_if_pipeline_succeeds allow_merge_on_skipped_pipeline "
        "only_allow_merge_if_all_discussions_are_resolved only_allow_merge_if_all_status_checks_passed "
        "remove_source_branch_after_merge resolve_outdated_diff_discussions printing_merge_requests_link_enabled "
        "autoclose_referenced_issues suggestion_commit_message merge_commit_template squash_commit_template "
        "issue_branch_template enforce_auth_checks_on_uploads approvals_before_merge mr_default_target_self "
        "ci_default_git_depth ci_forward_deployment_enabled ci_forward_deployment_rollback_allowed "
        "ci_allow_fork_pipelines_to_run_in_parent_project ci_separated_caches "
        "ci_restrict_pipeline_cancellation_role ci_pipeline_variables_minimum_override_role "
        "ci_push_repository_for_job_token_allowed ci_job_token_scope_enabled build_timeout "
        "auto_cancel_pending_pipelines ci_config_path keep_latest_artifact runner_token_expiration_interval "
        "runners_token restrict_user_defined_variables allow_pipeline_trigger_approve_deployment "
        "auto_devops_enabled auto_devops_deploy_strategy import_url import_type import_status import_error mirror "
        "mirror_user_id mirror_trigger_builds only_mirror_protected_branches mirror_overwrites_diverged_branches "
        "container_expiration_policy container_registry_image_prefix license_url license permissions "
        "shared_with_groups repository_storage external_authorization_classification_label service_desk_address "
        "compliance_frameworks warn_about_potentially_unwanted_characters pre_receive_secret_detection_enabled "
        "security_and_compliance_enabled requirements_enabled emails_disabled emails_enabled "
        "marked_for_deletion_on marked_for_deletion_at _links issues_template merge_requests_template "
        "forked_from_project statistics"
    ),
    "GET /application/plan_limits": (
        "ci_instance_level_variables ci_pipeline_size ci_active_jobs ci_project_subscriptions "
        "ci_pipeline_schedules ci_needs_size_limit ci_registered_group_runners ci_registered_project_runners "
        "dotenv_size dotenv_variables conan_max_file_size generic_packages_max_file_size helm_max_file_size "
        "maven_max_file_size npm_max_file_size nuget_max_file_size pypi_max_file_size "
        "terraform_module_max_file_size enforcement_limit notification_limit storage_size_limit"
    ),
    "GET /projects/{id}/export": (
        "id description name name_with_namespace path path_with_namespace created_at export_status _links"
    ),
    "GET /projects/{id}/import": (
        "id description name name_with_namespace path path_with_namespace created_at import_status import_type "
        "correlation_id failed_relations import_error"
    ),
    "GET /projects/{id}/relation-imports": "id project_path relation status created_at updated_at",
    "GET /groups/{id}/saml/identities": "extern_uid user_id",
    "GET /groups/{id}/saml_group_links": "name access_level member_role_id",
    "GET /projects/{id}/merge_request_approval_setting": (
        "allow_author_approval allow_committer_approval allow_overrides_to_approver_list_per_merge_request "
        "retain_approvals_on_push selective_code_owner_removals require_reauthentication_to_approve "
        "require_password_to_approve"
    ),
    "GET /groups/{id}/merge_request_approval_setting": (
        "allow_author_approval allow_committer_approval allow_overrides_to_approver_list_per_merge_request "
        "retain_approvals_on_push selective_code_owner_removals require_reauthentication_to_approve "
        "require_password_to_approve"
    ),
    "POST /projects/{id}/jobs/{job_id}/artifacts/keep": (
        "commit coverage allow_failure download_url id name ref artifacts runner stage created_at started_at "
        "finished_at duration status failure_reason tag web_url user"
    ),
}

ENDPOINTS = (
    "GET /projects/{id}/export/download",
    "GET /projects/{id}/jobs/{job_id}/artifacts",
    "GET /projects/{id}/jobs/{job_id}/artifacts/{artifact_path}",
    "DELETE /projects/{id}/jobs/{job_id}/artifacts",
    "DELETE /projects/{id}/artifacts",
    "GET /groups/{id}/saml/{uid}",
    "DELETE /groups/{id}/saml/{uid}",
    "GET /groups/{id}/saml_group_links/{saml_group_name}",
    "DELETE /groups/{id}/saml_group_links/{saml_group_name}",
    "GET /projects/{id}/merge_requests/{merge_request_iid}/blocks",
    "DELETE /projects/{id}/merge_requests/{merge_request_iid}/blocks/{block_id}",
    "DELETE /projects/{id}/merge_requests/{merge_request_iid}",
    "GET /projects/{id}/merge_requests/{merge_request_iid}/merge_ref",
)
