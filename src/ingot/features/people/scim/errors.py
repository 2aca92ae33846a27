"""Refusals: of the endpoints for owners in the API's form, of the interface for identity providers in SCIM's own."""

from collections.abc import Mapping
from typing import Any

from ingot.kit.errors import ApiError, BadRequest

ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error"


class BlankUid(ApiError):
    """Extern uid can't be blank"""


class UidTaken(ApiError):
    """Extern uid has already been taken"""


class LongUid(ApiError):
    """Extern uid is too long (maximum is 255 characters)"""


class NoProvider(BadRequest):
    """400 Bad request"""

    def __init__(self) -> None:
        super().__init__("SAML sign-in must be configured and enabled for the group")


class ScimError(ApiError):
    """An error in the form of RFC 7644, section 3.12. `kind`: its word for what is wrong, where it has one."""

    def __init__(self, status: int, detail: str, kind: str = "", headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail, headers)
        self.status = status
        self.kind = kind

    def body(self) -> dict[str, Any]:
        result: dict[str, Any] = {"schemas": [ERROR_SCHEMA], "detail": self.text, "status": self.status}
        return {**result, "scimType": self.kind} if self.kind else result


def invalid_syntax(detail: str) -> ScimError:
    """The message as a whole cannot be read."""
    return ScimError(400, detail, "invalidSyntax")


def invalid_value(detail: str) -> ScimError:
    """One of its values cannot be used."""
    return ScimError(400, detail, "invalidValue")


def taken(detail: str) -> ScimError:
    """Somebody else has it."""
    return ScimError(409, detail, "uniqueness")


def unlinked() -> ScimError:
    """There is an account with this address, and only its owner can connect it: by signing in through the group."""
    return ScimError(412, "The member's email address is not linked to a SAML account")
