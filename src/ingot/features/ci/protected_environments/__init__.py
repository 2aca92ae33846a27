"""Protected environments: who may deploy to them, and who must approve it first."""

from ingot.features.ci.protected_environments.entities import entry_name
from ingot.features.ci.protected_environments.judging import (
    Covering,
    Person,
    covering,
    find_person,
    is_approved,
    may_deploy,
    missing_approvals,
    project_rules,
    protected_from,
    rules_of,
)
from ingot.features.ci.protected_environments.queries import approvals_of
from ingot.features.ci.protected_environments.rows import ApprovalRow, NamedEntryRow
from ingot.features.ci.protected_environments.tables import (
    deployment_approvals,
    protected_environment_entries,
    protected_environments,
)

__all__ = [
    "ApprovalRow", "Covering", "NamedEntryRow", "Person", "approvals_of", "covering", "deployment_approvals",
    "entry_name", "find_person",
    "is_approved", "may_deploy", "missing_approvals", "project_rules", "protected_environment_entries",
    "protected_environments", "protected_from", "rules_of",
]  # fmt: skip
