"""Whether the provider can be used: the operator has configured it, and no administrator has switched it off."""

from sqlalchemy import Connection

from ingot.features.people.openid.accounts import PROVIDER
from ingot.instance.settings import application_setting
from ingot.kit.services import Services


def find_label(services: Services, conn: Connection) -> str:
    """The provider's name for people; empty where nobody signs in by it."""
    if not services.settings.openid_issuer or PROVIDER in application_setting(conn, "disabled_oauth_sign_in_sources"):
        return ""
    return services.settings.openid_label
