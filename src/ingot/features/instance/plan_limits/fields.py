"""Every limit with its default, in the order of the wire, and the plans that exist."""

import msgspec

INT32 = 2**31 - 1
INT64 = 2**63 - 1


class Limit(msgspec.Struct, frozen=True):
    """One limit. `keeps_history`: changes are recorded and the value may not be negative where `least` says so."""

    default: int
    doc: str
    largest: int = INT32
    least: int | None = None
    keeps_history: bool = False


def _file_size(default: int, format_name: str) -> Limit:
    return Limit(default, f"Largest {format_name} package file, in bytes.", largest=INT64)


# spec: "0 = unlimited" holds for counts, not for ci_needs_size_limit, dotenv_size and dotenv_variables.
LIMITS: dict[str, Limit] = {
    "ci_instance_level_variables": Limit(25, "CI/CD variables of the instance."),
    "ci_pipeline_size": Limit(0, "Jobs in one pipeline; 0 means unlimited."),
    "ci_active_jobs": Limit(0, "Jobs in active pipelines of one project; 0 means unlimited."),
    "ci_project_subscriptions": Limit(2, "Pipeline subscriptions to and from one project."),
    "ci_pipeline_schedules": Limit(10, "Pipeline schedules of one project."),
    "ci_needs_size_limit": Limit(50, "`needs` entries of one job; 0 forbids them."),
    "ci_registered_group_runners": Limit(1000, "Runners of one group, created or active in the last 7 days."),
    "ci_registered_project_runners": Limit(1000, "Runners of one project, created or active in the last 7 days."),
    "conan_max_file_size": _file_size(3_221_225_472, "Conan"),
    "dotenv_variables": Limit(20, "Variables in one dotenv report; 0 forbids them."),
    "dotenv_size": Limit(5120, "Size of one dotenv report, in bytes."),
    "enforcement_limit": Limit(0, "Storage of a root namespace that is enforced, in MiB.", least=0, keeps_history=True),
    "generic_packages_max_file_size": _file_size(5_368_709_120, "generic"),
    "helm_max_file_size": _file_size(5_242_880, "Helm"),
    "maven_max_file_size": _file_size(3_221_225_472, "Maven"),
    "notification_limit": Limit(
        0, "Storage of a root namespace that is notified, in MiB.", least=0, keeps_history=True
    ),
    "npm_max_file_size": _file_size(524_288_000, "npm"),
    "nuget_max_file_size": _file_size(524_288_000, "NuGet"),
    "pipeline_hierarchy_size": Limit(1000, "Downstream pipelines in one tree of pipelines."),
    "pypi_max_file_size": _file_size(3_221_225_472, "PyPI"),
    "terraform_module_max_file_size": _file_size(1_073_741_824, "Terraform module"),
    "storage_size_limit": Limit(0, "Storage of a root namespace, in MiB; 0 means unlimited.", keeps_history=True),
}

DEFAULT_PLAN = "default"
PLAN_NAMES = (
    DEFAULT_PLAN, "free", "bronze", "silver", "premium", "gold", "ultimate", "ultimate_trial",
    "ultimate_trial_paid_customer", "premium_trial", "opensource",
)  # fmt: skip

# The plans that an instance of this tier has; a name above without a record here is answered with 404.
PLANS_OF_TIER: dict[str, tuple[str, ...]] = {
    "free": (DEFAULT_PLAN,),
    "premium": (DEFAULT_PLAN, "free", "premium"),
    "ultimate": (DEFAULT_PLAN, "free", "premium", "ultimate"),
}
