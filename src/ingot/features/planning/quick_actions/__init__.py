"""Quick actions: lines such as `/label ~bug` in comments and descriptions that are carried out and removed.

`split` removes them from a text, `interpret` computes their changes to an issuable; `quick_effects` does the rest.
"""

from ingot.features.planning.quick_actions.interpreting import Extras, Outcome, SpentTime, Subject, interpret, people_of
from ingot.features.planning.quick_actions.parsing import Command, split
from ingot.features.planning.quick_actions.reasons import reason_of

__all__ = ["Command", "Extras", "Outcome", "SpentTime", "Subject", "interpret", "people_of", "reason_of", "split"]
