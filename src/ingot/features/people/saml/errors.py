"""Refusals of the SAML endpoints. Model errors are one string here, not an object per attribute."""

from ingot.kit.errors import ApiError, BadRequest


class BlankNameId(ApiError):
    """SAML NameID can't be blank"""


class NameIdTaken(ApiError):
    """Extern uid has already been taken"""


class LongNameId(ApiError):
    """Extern uid is too long (maximum is 255 characters)"""


class LinkInvalid(ApiError):
    """The group link cannot be saved."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(", ".join(problems))


class SeveralLinks(ApiError):
    """Multiple group links found with the same name. Please specify a provider parameter to disambiguate."""

    status = 422


class NotTopLevel(BadRequest):
    """400 Bad request"""

    def __init__(self) -> None:
        super().__init__("SAML is configured on the top-level group")
