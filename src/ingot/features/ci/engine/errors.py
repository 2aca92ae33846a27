"""Refusals of pipelines and jobs."""

from ingot.kit.errors import BadRequest, Forbidden, Invalid


class PipelineRefused(Invalid):
    """No pipeline is created; the message says why."""

    def __init__(self, sentence: str, reason: str = "") -> None:
        super().__init__({"base": [sentence]})
        self.sentence = sentence
        self.reason = reason  # failure_reason of the failed pipeline that a push creates


class NotRetryable(Forbidden):
    """The job has not ended, or a newer attempt took its place."""

    def __init__(self) -> None:
        super().__init__("Job is not retryable")


class NotErasable(Forbidden):
    """The job has not ended, or there is nothing to erase."""

    def __init__(self) -> None:
        super().__init__("Job is not erasable!")


class Unplayable(BadRequest):
    """The job does not wait for a manual start."""

    def __init__(self) -> None:
        super().__init__("Unplayable Job")
