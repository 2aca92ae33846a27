"""Settings of merge requests and issues."""

from typing import Annotated

from ingot.features.spaces.projects.settings.declaring import IN_ROOT, NOT_IN_ARCHIVES, ProjectSetting, Reader, Writer
from ingot.features.spaces.projects.settings.offers import OfferSettings
from ingot.kit.catalogue import Archived, LeftOut

MERGE_METHODS = ("ff", "rebase_merge", "merge")
SQUASH_OPTIONS = ("never", "always", "default_on", "default_off")
MERGERS = Writer.MERGE_MANAGERS


class MergeSettings(OfferSettings, kw_only=True, omit_defaults=True):
    """How requests merge, and what merging needs."""

    merge_method: Annotated[
        str,
        ProjectSetting(
            "How requests merge.",
            Archived(names=("merge_requests_rebase_enabled", "merge_requests_ff_only_enabled")),
            written_by=MERGERS,
            one_of=MERGE_METHODS,
            forked=True,
        ),
    ] = "merge"
    squash_option: Annotated[
        str,
        ProjectSetting("Whether requests squash.", IN_ROOT, written_by=MERGERS, one_of=SQUASH_OPTIONS, forked=True),
    ] = "default_off"
    resolve_outdated_diff_discussions: Annotated[
        bool, ProjectSetting("Resolve threads on lines that a push changed.", IN_ROOT, written_by=MERGERS)
    ] = False
    only_allow_merge_if_pipeline_succeeds: Annotated[
        bool, ProjectSetting("Merging needs a successful pipeline.", IN_ROOT, written_by=MERGERS)
    ] = False
    allow_merge_on_skipped_pipeline: Annotated[
        bool | None, ProjectSetting("Merging counts a skipped pipeline as a success.", IN_ROOT, written_by=MERGERS)
    ] = None
    only_allow_merge_if_all_discussions_are_resolved: Annotated[
        bool, ProjectSetting("Merging needs all threads resolved.", IN_ROOT, written_by=MERGERS)
    ] = False
    only_allow_merge_if_all_status_checks_passed: Annotated[
        bool,
        ProjectSetting(
            "Merging needs all status checks.",
            NOT_IN_ARCHIVES,
            written_by=MERGERS,
            tier="premium",
            shown_tier="ultimate",
        ),
    ] = False
    remove_source_branch_after_merge: Annotated[
        bool, ProjectSetting("New requests remove their branch when merged.", IN_ROOT, written_by=MERGERS)
    ] = True
    printing_merge_request_link_enabled: Annotated[
        bool,
        ProjectSetting(
            "Pushes print a link for a merge request.",
            IN_ROOT,
            written_by=MERGERS,
            aliases=("printing_merge_requests_link_enabled",),
        ),
    ] = True
    autoclose_referenced_issues: Annotated[
        bool, ProjectSetting("Close issues that merged requests mention.", IN_ROOT)
    ] = True
    suggestion_commit_message: Annotated[
        str | None,
        ProjectSetting(
            "Template of commits that apply suggestions.", IN_ROOT, written_by=MERGERS, longest=255, forked=True
        ),
    ] = None
    merge_commit_template: Annotated[
        str | None,
        ProjectSetting("Template of merge commits.", IN_ROOT, written_by=MERGERS, longest=500, forked=True),
    ] = None
    squash_commit_template: Annotated[
        str | None,
        ProjectSetting("Template of squash commits.", IN_ROOT, written_by=MERGERS, longest=500, forked=True),
    ] = None
    issue_branch_template: Annotated[
        str | None, ProjectSetting("Branch name template for issues.", NOT_IN_ARCHIVES, longest=255)
    ] = None
    issues_template: Annotated[
        str | None,
        ProjectSetting("Default description of issues.", IN_ROOT, Reader.ISSUE_READERS, tier="premium"),
    ] = None
    merge_requests_template: Annotated[
        str | None,
        ProjectSetting(
            "Default description of merge requests.", IN_ROOT, Reader.MERGE_REQUEST_READERS, MERGERS, tier="premium"
        ),
    ] = None
    approvals_before_merge: Annotated[
        int,
        ProjectSetting(
            "Older number of required approvals.",
            IN_ROOT,
            written_by=MERGERS,
            tier="premium",
            least=0,
            listed_last=True,
        ),
    ] = 0
    mr_default_target_self: Annotated[
        bool,
        ProjectSetting(
            "Requests of a fork target the fork itself by default.",
            LeftOut("an imported project is no fork"),
            Reader.OF_FORKS,
            MERGERS,
        ),
    ] = False
    merge_pipelines_enabled: Annotated[
        bool,
        ProjectSetting(
            "Run pipelines on the merged result.", Archived("ci_cd_settings"), written_by=MERGERS, tier="premium"
        ),
    ] = False
    merge_trains_enabled: Annotated[
        bool, ProjectSetting("Queue merges.", Archived("ci_cd_settings"), written_by=MERGERS, tier="premium")
    ] = False
    merge_trains_skip_train_allowed: Annotated[
        bool,
        ProjectSetting(
            "Allow merging around the queue.", Archived("ci_cd_settings"), written_by=MERGERS, tier="premium"
        ),
    ] = False
    prevent_merge_without_jira_issue: Annotated[
        bool, ProjectSetting("Merging needs a Jira issue.", NOT_IN_ARCHIVES, written_by=MERGERS, tier="premium")
    ] = False
