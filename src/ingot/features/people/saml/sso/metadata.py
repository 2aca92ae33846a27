"""The document that an identity provider reads to learn about us."""

from xml.sax.saxutils import quoteattr

from ingot.features.people.saml.sso.names import METADATA, PERSISTENT_NAME_ID, POST_BINDING, PROTOCOL
from ingot.features.people.saml.sso.parties import ServiceProvider

# Assertions must be signed: an unsigned one inside a signed response is accepted too, but asking for both
# is what most identity providers understand.
_TEMPLATE = """<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md={metadata} entityID={entity_id}>
  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration={protocol}>
    <md:NameIDFormat>{name_id}</md:NameIDFormat>
    <md:AssertionConsumerService Binding={binding} Location={consumer_url} index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
"""


def service_provider_metadata(provider: ServiceProvider) -> str:
    return _TEMPLATE.format(
        metadata=quoteattr(METADATA),
        entity_id=quoteattr(provider.entity_id),
        protocol=quoteattr(PROTOCOL),
        name_id=PERSISTENT_NAME_ID,
        binding=quoteattr(POST_BINDING),
        consumer_url=quoteattr(provider.consumer_url),
    )
