"""Rows as typed records, for passing between functions."""

from typing import Protocol

from ingot.features.ci.engine import JobRow


class CommitStatusRow(JobRow, Protocol):
    """A job with the commit of its pipeline."""

    sha: str
