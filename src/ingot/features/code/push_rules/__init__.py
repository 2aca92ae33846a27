"""Rules that pushes to a project must obey: messages and people of commits, names of branches and files, sizes."""

from ingot.features.code.push_rules.judging import (
    RuleBroken,
    Tips,
    find_rule,
    refuse_commits,
    refuse_ref,
    require_obedience,
)
from ingot.features.code.push_rules.rows import PushRuleRow
from ingot.features.code.push_rules.tables import FIELDS, project_push_rules
from ingot.features.code.push_rules.values import rule_problems

__all__ = [
    "FIELDS", "PushRuleRow", "RuleBroken", "Tips", "find_rule", "project_push_rules", "refuse_commits", "refuse_ref",
    "require_obedience", "rule_problems",
]  # fmt: skip
