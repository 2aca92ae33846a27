"""How the headers of mails are written."""

from email.headerregistry import BaseHeader, HeaderRegistry, UnstructuredHeader
from email.policy import EmailPolicy, Policy

ON_ONE_LINE = ("list-id", "list-unsubscribe", "message-id", "references", "in-reply-to", "x-gitlab-project-path")


class OneLineHeader(UnstructuredHeader, BaseHeader):
    """Addresses and paths: folding a long one would make encoded words of it, which mail programs do not read there."""

    def fold(self, *, policy: Policy) -> str:
        """The line."""
        line = f"{self.name}: {self}"
        return f"{line}{policy.linesep}" if line.isascii() else super().fold(policy=policy)


def _registry() -> HeaderRegistry:
    registry = HeaderRegistry()
    for name in ON_ONE_LINE:
        registry.map_to_type(name, OneLineHeader)
    return registry


POLICY = EmailPolicy(header_factory=_registry())
