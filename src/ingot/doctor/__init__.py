"""`ingot doctor`: checks that what is stored is consistent, and repairs what can be repaired without loss.

The same in the background, for administrators who ask for it on a page.
"""

from ingot.doctor.background import LastExamination, begin_examination, last_examination
from ingot.doctor.examinations import EXAMINATIONS, examine
from ingot.doctor.finding import Finding

__all__ = [
    "EXAMINATIONS", "Finding", "LastExamination", "begin_examination", "examine", "last_examination",
]  # fmt: skip
