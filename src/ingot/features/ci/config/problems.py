"""How a faulty configuration is reported: located sentences, collected or raised."""

from __future__ import annotations


class ConfigInvalid(Exception):
    """The configuration cannot produce a pipeline; `errors` says why, one sentence each."""

    def __init__(self, errors: list[str], warnings: list[str] | None = None) -> None:
        super().__init__(errors[0] if errors else "Invalid configuration format")
        self.errors = errors or ["Invalid configuration format"]
        self.warnings = warnings or []


class PipelineNotCreated(Exception):
    """The configuration is valid, but this event produces no pipeline."""


class PipelineFiltered(PipelineNotCreated):
    """Pipeline filtered out by workflow rules."""

    def __init__(self) -> None:
        super().__init__("Pipeline filtered out by workflow rules.")


class PipelineEmpty(PipelineNotCreated):
    """No stages / jobs for this pipeline."""

    def __init__(self) -> None:
        super().__init__("No stages / jobs for this pipeline.")


class Problems:
    """Sentences about one configuration, in the order in which they were found."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.warnings: list[str] = []

    def add(self, where: str, sentence: str) -> None:
        self.errors.append(f"{where} {sentence}")

    def warn(self, where: str, sentence: str) -> None:
        self.warnings.append(f"{where} {sentence}")

    def raise_if_any(self) -> None:
        if self.errors:
            raise ConfigInvalid(self.errors, self.warnings)
