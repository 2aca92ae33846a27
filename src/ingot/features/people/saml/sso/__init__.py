"""The SAML 2.0 service-provider profile: metadata, sign-in requests and checked responses.

Pure: knows nothing of groups, HTTP or the database. The XML libraries load with the first response that is
checked, so a server that nobody signs in to pays nothing for them.
"""

from ingot.features.people.saml.sso.errors import ResponseRefused
from ingot.features.people.saml.sso.fingerprints import (
    BadCertificate,
    certificate_fingerprint,
    normal_certificate,
    normal_fingerprint,
)
from ingot.features.people.saml.sso.metadata import service_provider_metadata
from ingot.features.people.saml.sso.parties import IdentityProvider, ServiceProvider, SignIn
from ingot.features.people.saml.sso.request import sign_in_url
from ingot.features.people.saml.sso.response import check_response

__all__ = [
    "BadCertificate",
    "IdentityProvider",
    "ResponseRefused",
    "ServiceProvider",
    "SignIn",
    "certificate_fingerprint",
    "check_response",
    "normal_certificate",
    "normal_fingerprint",
    "service_provider_metadata",
    "sign_in_url",
]
