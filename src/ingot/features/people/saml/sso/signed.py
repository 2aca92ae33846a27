"""Which part of a response is signed by the identity provider; only that part is ever read.

Signature wrapping moves a genuine signed element aside and puts a forged one where the reader looks. The
defence is twofold: the document may have only one shape (one assertion below the response, signatures only in
these two places, each over its own parent, no ID twice), and what is returned is the text that the signature
library has verified, parsed afresh.
"""

from typing import TYPE_CHECKING, cast

from ingot.features.people.saml.sso.errors import ResponseRefused
from ingot.features.people.saml.sso.fingerprints import BadCertificate, certificate_fingerprint, normal_certificate
from ingot.features.people.saml.sso.names import ENVELOPED, EXCLUSIVE_C14N, protocol, saml, signature
from ingot.features.people.saml.sso.parties import IdentityProvider

if TYPE_CHECKING:
    from cryptography.x509 import Certificate
    from lxml.etree import _Element
    from signxml.verifier import SignatureConfiguration

_ID_NAMES = ("ID", "Id", "id", "{http://www.w3.org/XML/1998/namespace}id")


def signed_assertion(root: "_Element", idp: IdentityProvider) -> "_Element":
    """The assertion out of verified text. Every signature in the document must be right, and one must be there."""
    assertion = _only_assertion(root)
    _refuse_repeated_ids(root)
    places = {"./": root, f"./{saml('Assertion')}/": assertion}
    signatures = {place: result for place, parent in places.items() if (result := _only_signature(parent)) is not None}
    if len(list(root.iter(signature("Signature")))) != len(signatures):
        raise ResponseRefused("The SAML response has a signature in an unexpected place.")
    if not signatures:
        raise ResponseRefused("The SAML response is not signed.")

    verified: list[_Element] = []
    for place, element in signatures.items():
        _check_reference(element, places[place])
        verified.append(_verify(root, element, place, idp))
    outermost = verified[0]
    return _only_assertion(outermost) if outermost.tag == protocol("Response") else outermost


def _only_assertion(root: "_Element") -> "_Element":
    if next(root.iter(saml("EncryptedAssertion")), None) is not None:
        raise ResponseRefused("Encrypted assertions are not supported; let the identity provider send them signed.")
    result = list(root.iter(saml("Assertion")))
    if len(result) != 1 or result[0].getparent() is not root:
        raise ResponseRefused("The SAML response must hold exactly one assertion.")
    return result[0]


def _refuse_repeated_ids(root: "_Element") -> None:
    seen = [element.get(name) for element in root.iter() for name in _ID_NAMES if element.get(name) is not None]
    if len(seen) != len(set(seen)):
        raise ResponseRefused("The SAML response uses an ID twice.")


def _only_signature(parent: "_Element") -> "_Element | None":
    result = parent.findall(signature("Signature"))
    if len(result) > 1:
        raise ResponseRefused("The SAML response has a signature in an unexpected place.")
    return result[0] if result else None


def _check_reference(element: "_Element", parent: "_Element") -> None:
    """One reference, to the parent by its ID, with no transform that could select other content."""
    references = list(element.iter(signature("Reference")))
    if len(references) != 1 or not parent.get("ID") or references[0].get("URI") != f"#{parent.get('ID')}":
        raise ResponseRefused("The signature does not cover the element that holds it.")
    transforms = [transform.get("Algorithm") for transform in references[0].iter(signature("Transform"))]
    if sorted(filter(None, transforms)) != sorted([ENVELOPED, EXCLUSIVE_C14N]):
        raise ResponseRefused("The signature uses transforms that SAML does not allow.")


def _verify(root: "_Element", element: "_Element", place: str, idp: IdentityProvider) -> "_Element":
    from cryptography import x509
    from signxml.verifier import XMLVerifier

    certificate = x509.load_pem_x509_certificate(_trusted_certificate(element, idp).encode())
    try:
        result = XMLVerifier().verify(
            root, x509_cert=certificate, id_attribute="ID", expect_config=_expectation(place, certificate)
        )
    except Exception as error:
        # Malformed signatures end in errors of many kinds: of the library, of the XML parser and its schemas, of the
        # cryptography below, and plain Python ones. None of them is a reason to believe the response.
        raise ResponseRefused("The signature of the SAML response is not valid.") from error
    signed = cast("_Element | None", getattr(result, "signed_xml", None))
    expected = protocol("Response") if place == "./" else saml("Assertion")
    if signed is None or signed.tag != expected:
        raise ResponseRefused("The signature does not cover the element that holds it.")
    return signed


def _expectation(place: str, certificate: "Certificate") -> "SignatureConfiguration":
    from signxml.algorithms import DigestAlgorithm, SignatureMethod
    from signxml.verifier import SignatureConfiguration

    families = ("RSA_SHA", "ECDSA_SHA")
    methods = frozenset(one for one in SignatureMethod if one.name.startswith(families) and "SHA1" not in one.name)
    digests = frozenset(one for one in DigestAlgorithm if "SHA1" not in one.name)
    return SignatureConfiguration(
        location=place,
        signature_methods=methods,
        digest_algorithms=digests,
        ignore_ambiguous_key_info=True,  # the key is always the pinned one, whatever the document offers
        # Trust is the pin that the owner configured, not the dates in the certificate: signing certificates of
        # identity providers are self-signed and are replaced by hand.
        verification_time=certificate.not_valid_before_utc,
    )


def _trusted_certificate(element: "_Element", idp: IdentityProvider) -> str:
    if idp.certificate is not None:
        return idp.certificate
    if idp.fingerprint is None:
        raise ResponseRefused("No certificate is configured for the identity provider.")
    sent = element.find(f"{signature('KeyInfo')}/{signature('X509Data')}/{signature('X509Certificate')}")
    if sent is None or not sent.text:
        raise ResponseRefused("The signature carries no certificate to compare with the configured fingerprint.")
    try:
        pem = normal_certificate(sent.text)
    except BadCertificate as error:
        raise ResponseRefused("The signature carries an unreadable certificate.") from error
    if certificate_fingerprint(pem, like=idp.fingerprint) != idp.fingerprint:
        raise ResponseRefused("The certificate of the signature does not have the configured fingerprint.")
    return pem
