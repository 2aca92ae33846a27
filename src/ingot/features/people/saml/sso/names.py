"""Names of the SAML and XML signature vocabularies that the profile uses."""

SAML = "urn:oasis:names:tc:SAML:2.0:assertion"
PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"
METADATA = "urn:oasis:names:tc:SAML:2.0:metadata"
SIGNATURE = "http://www.w3.org/2000/09/xmldsig#"
POST_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"
PERSISTENT_NAME_ID = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
TRANSIENT_NAME_ID = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"

ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"
EXCLUSIVE_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#"


def saml(name: str) -> str:
    return f"{{{SAML}}}{name}"


def protocol(name: str) -> str:
    return f"{{{PROTOCOL}}}{name}"


def signature(name: str) -> str:
    return f"{{{SIGNATURE}}}{name}"
