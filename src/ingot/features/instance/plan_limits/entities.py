"""The plan limits object."""

from ingot.features.instance.plan_limits.queries import PlanLimits
from ingot.kit.entity import Entity


class LimitChange(Entity):
    """One change of a storage limit."""

    user_id: int
    username: str
    timestamp: int
    value: int


class PlanLimitsObject(Entity):
    """Every limit of a plan."""

    ci_instance_level_variables: int
    ci_pipeline_size: int
    ci_active_jobs: int
    ci_project_subscriptions: int
    ci_pipeline_schedules: int
    ci_needs_size_limit: int
    ci_registered_group_runners: int
    ci_registered_project_runners: int
    conan_max_file_size: int
    dotenv_variables: int
    dotenv_size: int
    enforcement_limit: int
    generic_packages_max_file_size: int
    helm_max_file_size: int
    limits_history: dict[str, list[LimitChange]]
    maven_max_file_size: int
    notification_limit: int
    npm_max_file_size: int
    nuget_max_file_size: int
    pipeline_hierarchy_size: int
    pypi_max_file_size: int
    terraform_module_max_file_size: int
    storage_size_limit: int
    # Nothing limits how often hooks are called.
    web_hook_calls: int = 0
    web_hook_calls_low: int = 0
    web_hook_calls_mid: int = 0


def present(limits: PlanLimits) -> PlanLimitsObject:
    history = {name: [LimitChange(**entry) for entry in entries] for name, entries in limits.history.items()}
    return PlanLimitsObject(limits_history=history, **limits.values)
