"""Quick actions: lines such as `/label ~bug` in comments and descriptions that are carried out and removed.

`split` takes them out of a text, `interpret` says what they mean for an issuable; `quick_effects` does what is no edit.
"""

from ingot.features.planning.quick_actions.interpreting import Outcome, Subject, interpret, people_of
from ingot.features.planning.quick_actions.parsing import Command, split

__all__ = ["Command", "Outcome", "Subject", "interpret", "people_of", "split"]
