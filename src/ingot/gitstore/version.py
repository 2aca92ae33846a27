"""The required git version: it merges without a working tree, and reads hostile repositories safely."""

from __future__ import annotations

import shutil
import subprocess

from ingot.kit.patterns import pattern

NEEDED = "Ingot needs git 2.38.3, 2.39.1 or newer"
# Attackers control the input of these faults: attribute files (CVE-2022-23521) and placeholders that `git archive`
# expands (CVE-2022-41903). Git repaired each line by itself; every release from 2.40 on has the repair.
_FIRST_SAFE = {(2, 38): 3, (2, 39): 1}
_FIRST_LINE = min(_FIRST_SAFE)
_VERSION = pattern(r"git version ([0-9]{1,9})\.([0-9]{1,9})(?:\.([0-9]{1,9}))?")
_UNSAFE = "a vulnerability allows a pushed file to run code on this machine (CVE-2022-23521, CVE-2022-41903)"
_UNMERGED = "and it cannot merge without a working tree"


def problem_with_git() -> str | None:
    """The sentence that says why the installed git cannot be used, or None when it can."""
    program = shutil.which("git")
    if program is None:
        return f"git is not installed; {NEEDED}."
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=30).stdout
    return problem_with_version(answer.strip())


def problem_with_version(answer: str) -> str | None:
    """The same for what `git --version` says."""
    match = _VERSION.match(answer)
    if match is None:
        return f"The git version is too old ({answer[:100] or 'unknown version'}). {NEEDED}."
    line, patch = (int(match[1]), int(match[2])), int(match[3] or 0)
    if line < _FIRST_LINE:
        return f"The git version is too old ({answer[:100]}): {_UNSAFE}, {_UNMERGED}; {NEEDED}."
    if patch < _FIRST_SAFE.get(line, 0):
        return f"git is not safe ({answer[:100]}): {_UNSAFE}; {NEEDED}."
    return None
