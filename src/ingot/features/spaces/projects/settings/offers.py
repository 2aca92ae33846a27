"""Settings of what a project offers."""

from datetime import datetime
from typing import Annotated

import msgspec

from ingot.features.instance.plan_limits import size_limit_problem
from ingot.features.spaces.projects.settings.declaring import (
    IN_ROOT,
    NOT_IN_ARCHIVES,
    ProjectSetting,
    Reader,
    Writer,
)
from ingot.kit.catalogue import Apart, Archived, LeftOut


class ExpirationPolicy(msgspec.Struct, kw_only=True, omit_defaults=True):
    """When images of the container registry are cleaned up."""

    cadence: str = "1d"
    enabled: bool = False
    keep_n: int | None = 10
    older_than: str | None = "90d"
    name_regex: str | None = ".*"
    name_regex_keep: str | None = None
    next_run_at: datetime | None = None


class OfferSettings(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What the project offers, and to whom."""

    packages_enabled: Annotated[
        bool,
        ProjectSetting(
            "Offer the package registry.", Archived("project_feature", names=("package_registry_access_level",))
        ),
    ] = True
    # None: as the closest group that says it, else yes; the project shows what follows.
    lfs_enabled: Annotated[
        bool | None, ProjectSetting("Offer Git LFS; empty: as the group.", NOT_IN_ARCHIVES, forked=True)
    ] = None
    # None: as the closest group, else the instance.
    repository_size_limit: Annotated[
        int | None,
        ProjectSetting(
            "Largest repository with its LFS objects in MB, 0 for no limit (administrators).",
            LeftOut("administrators of each server decide it"),
            Reader.MAINTAINERS,
            Writer.ADMINISTRATORS,
            check=size_limit_problem,
        ),
    ] = None
    request_access_enabled: Annotated[bool, ProjectSetting("People may ask for access.", IN_ROOT)] = True
    service_desk_enabled: Annotated[
        bool | None, ProjectSetting("Turn emails into issues.", IN_ROOT, instance_default=True)
    ] = None
    emails_enabled: Annotated[bool, ProjectSetting("Send emails.", NOT_IN_ARCHIVES)] = True
    show_default_award_emojis: Annotated[
        bool,
        ProjectSetting(
            "Show the usual reactions.", NOT_IN_ARCHIVES, Apart("the documented form of a project lacks it")
        ),
    ] = True
    show_diff_preview_in_email: Annotated[
        bool,
        ProjectSetting("Emails show the diff.", NOT_IN_ARCHIVES, Apart("the documented form of a project lacks it")),
    ] = True
    container_expiration_policy: Annotated[
        ExpirationPolicy,
        ProjectSetting(
            "Clean-up of container images.",
            Archived(
                "container_expiration_policy",
                names=("cadence", "older_than", "keep_n", "enabled", "name_regex", "name_regex_keep", "next_run_at"),
            ),
            read_by=Apart("shown as an object with more fields"),
            written_by=Apart("sent as `container_expiration_policy_attributes`"),
        ),
    ] = msgspec.field(default_factory=ExpirationPolicy)
    repository_object_format: Annotated[
        str,
        ProjectSetting(
            "Object format; only sha1 is offered.",
            LeftOut("the repository in the archive has it"),
            written_by=Apart("only a new project can choose it"),
        ),
    ] = "sha1"
    external_authorization_classification_label: Annotated[
        str | None, ProjectSetting("Classification label.", IN_ROOT, tier="premium", forked=True)
    ] = None
    compliance_frameworks: Annotated[
        list[str],
        ProjectSetting(
            "Names of compliance frameworks.",
            LeftOut("frameworks belong to the group"),
            written_by=Apart("projects are assigned to frameworks, frameworks are not settings"),
            tier="premium",
        ),
    ] = msgspec.field(default_factory=list)
    pre_receive_secret_detection_enabled: Annotated[
        bool,
        ProjectSetting(
            "Reject pushes that contain secrets.",
            NOT_IN_ARCHIVES,
            read_by=Reader.SECRET_DETECTION_READERS,
            tier="premium",
        ),
    ] = False
    warn_about_potentially_unwanted_characters: Annotated[
        bool, ProjectSetting("Warn about misleading characters.", NOT_IN_ARCHIVES)
    ] = True
    enforce_auth_checks_on_uploads: Annotated[
        bool, ProjectSetting("Uploads need the right to read the project.", NOT_IN_ARCHIVES)
    ] = True
