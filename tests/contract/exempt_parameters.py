"""Parameters that do nothing a caller could see in the answer or the next read, and endpoints that need more than a
walk has; each with its reason.
"""

from ingot.kit.endpoint import Endpoint
from ingot.kit.params import Field
from tests.support.walking import ENDPOINTS, named

P, G, U = "/projects/{id}", "/groups/{id}", "/users/{id:int}"
MR = f"{P}/merge_requests/{{merge_request_iid}}"
RUNNERS = "the runner protocol, which tests/features/ci/runners speaks with real jobs"
ARCHIVES = "background work, which tests/features/transfer/project_exports and project_imports follow to its end"
THREADS = "resolves threads of a request, which tests/features/review/related_issues opens"
OWN = "it would be the walk's own token"
INHERITED = "needs a group above with settings, which tests/features/integrations/project_integrations has"

UNWALKED = {
    "POST /jobs/request": RUNNERS,
    "PATCH /jobs/{job_id}/trace": RUNNERS,
    "PUT /jobs/{job_id}": RUNNERS,
    "POST /jobs/{job_id}/artifacts": RUNNERS,
    "POST /runners/verify": RUNNERS,
    "POST /runners/reset_authentication_token": RUNNERS,
    f"POST {P}/export": ARCHIVES,
    f"POST {P}/export_relations": ARCHIVES,
    "POST /groups/{id}/export": ARCHIVES,
    "POST /groups/import": ARCHIVES,
    "POST /projects/import": ARCHIVES,
    "POST /projects/remote-import": ARCHIVES,
    "POST /projects/remote-import-s3": ARCHIVES,
    "POST /projects/import-relation": ARCHIVES,
    "POST /personal_access_tokens/self/rotate": OWN,
    f"POST {P}/access_tokens/self/rotate": OWN,
    f"POST {G}/access_tokens/self/rotate": OWN,
    f"PUT {P}/repository/submodules/{{submodule}}": "needs a submodule, which tests/features/code/repository pushes",
    f"POST {P}/repository/changelog": "needs commits with trailers, which tests/features/review/changelog makes",
    f"POST {P}/deployments/{{deployment_id}}/approval": (
        "needs a deployment that waits, which tests/features/ci/protected_environments makes"
    ),
    f"POST {MR}/status_checks/{{external_status_check_id}}/retry": (
        "needs a check that failed, which tests/features/integrations/status_checks has"
    ),
    "PUT /suggestions/{id}/apply": "needs a suggestion, which tests/features/review/merge_request_threads makes",
    "PUT /suggestions/batch_apply": "needs suggestions, which tests/features/review/merge_request_threads makes",
}

# By the endpoint and the parameter, or by the parameter alone where the reason holds wherever it occurs.
EXEMPT = {
    f"POST {P}/environments/stop_stale before": "background work; nothing here is stale",
    f"POST {P}/environments/{{environment_id}}/stop force": "matters only where a stop job waits",
    f"POST {P}/deployments tag": "answers do not show it",
    f"POST {MR}/status_check_responses status": "shown by the list, as tests/features/integrations/status_checks sees",
    "POST /applications trusted": "people are not asked for consent, which tests/features/people/oauth tries",
    "PUT /application/settings dsa_key_restriction": "has one value",
    "POST /markdown gfm": "references stay plain text with it and without",
    f"POST {P}/jobs/{{job_id}}/cancel force": "matters only to jobs that are being canceled",
    f"POST {P}/jobs/{{job_id}}/play job_variables_attributes": "only the runner is told",
    f"PUT {P}/variables/{{key}} filter": "chooses between variables of one name",
    f"PUT {G}/variables/{{key}} filter": "chooses between variables of one name",
    f"POST {G}/invitations member_role_id": "shown with the member, once the invitation is accepted",
    f"POST {P}/invitations member_role_id": "shown with the member, once the invitation is accepted",
    " invite_source": "GitLab counts by it and shows it nowhere",
    " password": "never shown",
    f"PUT {P}/integrations/{{slug}} webhook": "never shown",
    f"PUT {G}/integrations/{{slug}} webhook": "never shown",
    f"PUT {P}/integrations/{{slug}} use_inherited_settings": INHERITED,
    f"PUT {G}/integrations/{{slug}} use_inherited_settings": INHERITED,
    **{
        f"PUT {place}/integrations/{{slug}} {name}": "a setting of another integration"
        for place in (P, G)
        for name in (
            "recipients",
            "disable_diffs",
            "send_from_committer_email",
            "url",
            "api_url",
            "jira_issue_transition_id",
            "jira_issue_prefix",
            "project_keys",
            "project_url",
            "issues_url",
            "new_issue_url",
            "external_wiki_url",
            "token",
            "api_key",
        )
    },
    f"PUT {P}/hooks/{{hook_id}}/custom_headers/{{key}} value": "never shown",
    f"PUT {G}/hooks/{{hook_id}}/custom_headers/{{key}} value": "never shown",
    f"PUT {P}/hooks/{{hook_id}}/url_variables/{{key}} value": "never shown",
    f"PUT {G}/hooks/{{hook_id}}/url_variables/{{key}} value": "never shown",
    "PUT /hooks/{hook_id}/url_variables/{key} value": "never shown",
    " build_coverage_regex": "shown by the coverage of jobs, which tests/features/ci/runners tries",
    " mirror_branch_regex": "shown only while the project mirrors",
    " mirror_overwrites_diverged_branches": "shown only while the project mirrors",
    " mirror_trigger_builds": "shown only while the project mirrors",
    " mirror_user_id": "shown only while the project mirrors",
    " only_mirror_protected_branches": "shown only while the project mirrors",
    f"POST {P}/issues remove_labels": "a new issue has none",
    f"POST {P}/merge_requests remove_labels": "a new request has none",
    f"POST {P}/issues merge_request_to_resolve_discussions_of": THREADS,
    f"POST {P}/issues discussion_to_resolve": THREADS,
    f"POST {MR}/blocks blocking_project_id": "the project of `blocking_merge_request_iid`",
    f"PUT {MR}/rebase skip_ci": "whether a pipeline starts afterwards",
    "POST /topics/merge source_topic_id": "the source is gone afterwards",
    " view_diffs_file_by_file": "a preference of web pages, which no answer shows",
    " show_default_award_emojis": "the documented form of a project lacks it",
    " show_diff_preview_in_email": "the documented form of a project lacks it",
    " group_id_for_saml": "the group of `provider: group_saml`",
    "POST /users avatar": "each user has another picture anyway; PUT shows it",
    "POST /users reset_password": "passwords are never shown",
    "POST /users force_random_password": "passwords are never shown",
    "POST /projects mr_default_target_self": "only for forks",
    "POST /projects use_custom_template": "chooses between kinds of templates",
    "POST /projects group_with_project_templates_id": "where `template_name` is looked for",
    "POST /projects repository_object_format": "the only one there is; others are refused",
    f"PUT {U} skip_reconfirmation": "matters only with a new `email`",
    f"POST {P}/issues/{{issue_iid}}/notes merge_request_diff_head_sha": "for the quick action `/merge`",
    f"POST {MR}/notes merge_request_diff_head_sha": "for the quick action `/merge`",
    f"POST {P}/snippets/{{snippet_id}}/notes merge_request_diff_head_sha": "for the quick action `/merge`",
    f"PUT {P}/snippets/{{snippet_id}}/notes/{{note_id}} confidential": "of old clients; GitLab no longer changes it",
    f"POST {P}/snippets/{{snippet_id}}/discussions commit_id": "for threads on merge requests",
    f"PUT {P}/issues/{{issue_iid}}/notes/{{note_id}} confidential": "of old clients; GitLab no longer changes it",
    f"PUT {MR}/notes/{{note_id}} confidential": "of old clients; GitLab no longer changes it",
    f"POST {P}/issues/{{issue_iid}}/discussions commit_id": "for threads on merge requests",
    f"POST {P}/repository/commits/{{sha}}/discussions commit_id": "for threads on merge requests",
    f"POST {P}/issues/{{issue_iid}}/add_spent_time summary": "kept with the time log, which no answer shows",
    f"POST {MR}/add_spent_time summary": "kept with the time log, which no answer shows",
    " remove_hidden_groups": "matters only where the rule names groups that the caller cannot see",
    f"POST {P}/merge_requests allow_collaboration": "only for requests from forks; PUT shows it",
    f"POST {P}/merge_requests allow_maintainer_to_push": "only for requests from forks; PUT shows it",
}
SHARED = "walked with POST /projects, whose declaration and handler it shares"


PROJECT_WORDS = next(
    {one.wire for one in endpoint.params.fields.values()}
    for endpoint in ENDPOINTS
    if named(endpoint) == "POST /projects"
)


def reason(endpoint: Endpoint, one: Field) -> str | None:
    """Why a parameter may show nothing."""
    if named(endpoint) == "POST /projects/user/{user_id:int}" and one.wire in PROJECT_WORDS:
        return SHARED
    return EXEMPT.get(f"{named(endpoint)} {one.wire}") or EXEMPT.get(f" {one.wire}")
