"""Who may manage SAML: owners, on a server whose tier has it."""

import msgspec

from ingot.access.call import Call
from ingot.access.policy import OWN_GROUP
from ingot.access.subjects import find_group
from ingot.features.people.saml.queries import find_provider_above
from ingot.kit.errors import Unauthorized


class AdminSamlGroupLinks(msgspec.Struct, frozen=True):
    """Owners of the group, where SAML is available."""

    ability: str = "admin_saml_group_links"
    callers: str = OWN_GROUP.callers
    needs_user: bool = True

    def admit(self, call: Call) -> None:
        """Without the group, the right, the licence or SAML, the answer is 401."""
        group = find_group(call.conn, call.actor, call.path["id"])
        if group is None or not OWN_GROUP.allows(call.actor, group):
            raise Unauthorized
        settings = call.services.settings
        if not settings.has_tier("premium"):
            raise Unauthorized
        if not settings.saml_links_without_provider:
            provider = find_provider_above(call.conn, group.id)
            if provider is None or not provider.enabled:
                raise Unauthorized
        call.group = group


ADMIN_SAML_GROUP_LINKS = AdminSamlGroupLinks()
