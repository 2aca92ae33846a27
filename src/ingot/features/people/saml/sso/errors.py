"""Why a SAML response was refused, in a sentence that helps the person who configures the identity provider."""


class ResponseRefused(Exception):
    """The SAML response cannot be accepted."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
