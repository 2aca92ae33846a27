"""Parameters of the SAML endpoints."""

from ingot.access.levels import DEVELOPER, GUEST, MAINTAINER, MINIMAL, OWNER, PLANNER, REPORTER
from ingot.kit.params import Param, Params

LINK_LEVELS = (MINIMAL, GUEST, PLANNER, REPORTER, DEVELOPER, MAINTAINER, OWNER)


def _known_level(level: int) -> str | None:
    return None if level in LINK_LEVELS else "does not have a valid value"


class NewNameId(Params):
    """The person's new name at the identity provider."""

    extern_uid: str = Param("New external UID (NameID).", required=True)


class LinkName(Params):
    """Which of several links with the same name."""

    provider: str | None = Param("Provider of the link; empty for the link without one.")


class NewLink(Params):
    """A group at the identity provider, and the role that it gives."""

    saml_group_name: str = Param("Name of the SAML group.", required=True)
    # A check instead of `one_of`: a missing level is reported as missing and nothing else.
    access_level: int = Param("Role of its people: 5, 10, 15, 20, 30, 40 or 50.", required=True, check=_known_level)
    member_role_id: int | None = Param("Custom role; its base role replaces `access_level`.")
    provider: str | None = Param("Only sign-ins through this provider count.")


class ProviderSettings(Params):
    """How the group signs its people in; on a change, what is not sent stays."""

    enabled: bool | None = Param("Sign-ins are accepted. Default true.")
    sso_url: str | None = Param("URL that users are redirected to for sign-in.")
    certificate: str | None = Param("Signing certificate of the identity provider (PEM or bare base64).")
    certificate_fingerprint: str | None = Param(
        "SHA-256 or SHA-1 fingerprint of the signing certificate, instead of the certificate itself."
    )
    idp_entity_id: str | None = Param("Issuer that responses must name; empty accepts any.", max_length=1024)
    default_membership_role: int | None = Param(
        "Role that people get in the group at their first sign-in. Default 10.", one_of=LINK_LEVELS
    )
    enforced_sso: bool | None = Param("New members must have signed in through the provider. Default false.")
