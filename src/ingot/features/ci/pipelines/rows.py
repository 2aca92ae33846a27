"""Rows as typed records, for where they cross the border of a function."""

from typing import Protocol


class HeadPipelineRow(Protocol):
    """A pipeline that may stand for the head of a merge request."""

    id: int
    status: str
    project_id: int
    sha: str
    ref: str
    merge_request_id: int | None
