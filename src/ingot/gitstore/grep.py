"""Files of a commit that contain a text."""

from __future__ import annotations

from ingot.gitstore.errors import RevisionNotFound
from ingot.gitstore.model import text
from ingot.gitstore.names import is_sha
from ingot.gitstore.process import Limits
from ingot.gitstore.repository import Repository

_LIMITS = Limits(seconds=10.0, output=16 << 20)


def files_with(repo: Repository, sha: str, phrase: str) -> set[str]:
    """Paths of the text files that contain the phrase in one line; letter case does not count."""
    if not is_sha(sha):
        raise RevisionNotFound(sha)
    # Not threaded: several searches at once would take all cores.
    options = ("-l", "-z", "-I", "-i", "-F", "--full-name", "--threads=1", "--no-textconv")
    output = repo.git("grep", *options, "-e", phrase, sha, "--", limits=_LIMITS, accept=(0, 1)).stdout
    return {text(line[len(sha) + 1 :]) for line in output.split(b"\0")[:-1]}
