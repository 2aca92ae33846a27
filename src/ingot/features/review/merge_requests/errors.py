"""Refusals of merging, each with the reason behind the documented text."""

from ingot.features.review.merge_requests.mergeability import SENTENCES
from ingot.kit.errors import ApiError, Conflict


class Refused(ApiError):
    """A documented message, with two more keys for the reason."""

    def __init__(self, reason: str, detail: str | None = None) -> None:
        super().__init__()
        self.reason = reason
        self.detail = detail or SENTENCES.get(reason, "")

    def body(self) -> object:
        return {"message": self.text, "reason": self.reason, "detail": self.detail}


class NotMergeable(Refused):
    """405 Method Not Allowed"""

    status = 405


class BranchCannotBeMerged(Refused):
    """Branch cannot be merged"""

    status = 422


class ShaMismatch(Conflict):
    """SHA does not match HEAD of source branch."""

    def __init__(self, head: str | None) -> None:
        super().__init__(f"SHA does not match HEAD of source branch: {head}")
