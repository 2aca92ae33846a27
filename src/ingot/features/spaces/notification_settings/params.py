"""Parameters of notification settings."""

from ingot.kit.params import Param, Params


class UpdateNotifications(Params):
    """What to change; the events count at the level `custom`."""

    level: str | None = Param("`disabled`, `participating`, `watch`, `global`, `mention` or `custom`.")
    new_release: bool | None = Param("New releases.")
    new_note: bool | None = Param("Comments.")
    new_issue: bool | None = Param("New issues.")
    reopen_issue: bool | None = Param("Reopened issues.")
    close_issue: bool | None = Param("Closed issues.")
    reassign_issue: bool | None = Param("Issues with other assignees.")
    issue_due: bool | None = Param("Issues that are due the next day.")
    new_merge_request: bool | None = Param("New merge requests.")
    push_to_merge_request: bool | None = Param("Pushes to merge requests.")
    reopen_merge_request: bool | None = Param("Reopened merge requests.")
    close_merge_request: bool | None = Param("Closed merge requests.")
    reassign_merge_request: bool | None = Param("Merge requests with other assignees.")
    change_reviewer_merge_request: bool | None = Param("Merge requests with other reviewers.")
    merge_merge_request: bool | None = Param("Merged merge requests.")
    failed_pipeline: bool | None = Param("Failed pipelines.")
    fixed_pipeline: bool | None = Param("Pipelines that succeed after one that failed.")
    success_pipeline: bool | None = Param("Successful pipelines.")
    moved_project: bool | None = Param("Projects that have moved.")
    merge_when_pipeline_succeeds: bool | None = Param("Requests that are set to auto-merge.")


class UpdateGeneralNotifications(UpdateNotifications):
    """What to change in general."""

    notification_email: str | None = Param("The confirmed address of the caller that emails are sent to.")
    notified_of_own_activity: bool | None = Param("Email the caller about their own activity, too.")
