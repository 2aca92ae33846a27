"""What is built here, before `make release` builds it: the version of a tag, or a build to try.

A release is made from a commit with a tag `vMAJOR.MINOR.PATCH`. The tag, the version of the program and a section of
the changelog must agree, and every file must be as committed. Without such a tag it is a build to try, and says so.
"""

import subprocess
import sys
from pathlib import Path

from ingot import __version__

ROOT = Path(__file__).parents[1]


def problems_of(folder: Path, version: str) -> list[str]:
    """Why the commit that is checked out there cannot be released as this version; none without a tag."""
    tags = _git(folder, "tag", "--points-at", "HEAD", "--list", "v*").split()
    if not tags:
        return []
    problems = []
    if tags != [f"v{version}"]:
        problems.append(f"The tag is {', '.join(tags)}, but src/ingot/__init__.py says {version}.")
    if f"\n## {version} " not in (folder / "CHANGELOG.md").read_text():
        problems.append(f"CHANGELOG.md has no section `## {version} (date)`: rename `## Not yet released`.")
    if _git(folder, "status", "--porcelain", "--untracked-files=no"):
        problems.append("Some files differ from the commit: commit them and move the tag, or restore them.")
    return problems


def is_tagged(folder: Path, version: str) -> bool:
    """The commit carries the tag of this version."""
    return f"v{version}" in _git(folder, "tag", "--points-at", "HEAD").split()


def main() -> None:
    """Say what is built; end with status 1 where the tag lies."""
    if problems := problems_of(ROOT, __version__):
        sys.exit("\n".join(problems))
    tagged = is_tagged(ROOT, __version__)
    note = "" if tagged else f" to try: the commit has no tag v{__version__}."
    sys.stdout.write(f"Ingot {__version__}{note}\n")


def _git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True, timeout=60).stdout


if __name__ == "__main__":
    main()
