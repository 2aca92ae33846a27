"""The X.509 certificate of a signature."""

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import pkcs7

from ingot.features.code.repository.signature_entities import X509Certificate, X509Issuer

# What the library raises for what somebody made up.
_UNREADABLE = (
    ValueError, UnsupportedAlgorithm, x509.DuplicateExtension, x509.InvalidVersion, x509.UnsupportedGeneralNameType,
)  # fmt: skip


def read_certificate(der: bytes) -> X509Certificate | None:
    """The certificate of the signer; None where there is none, or none that can be read."""
    try:
        return _read(der)
    except _UNREADABLE:
        return None


def _read(der: bytes) -> X509Certificate | None:
    certificates = pkcs7.load_der_pkcs7_certificates(der)
    issuers = {one.issuer for one in certificates if one.issuer != one.subject}
    signer = next((one for one in certificates if one.subject not in issuers), None)
    if signer is None:
        return None
    return X509Certificate(
        id=None,
        subject=signer.subject.rfc4514_string(),
        subject_key_identifier=_own_key(signer),
        email=_address(signer),
        serial_number=signer.serial_number,
        certificate_status="good",
        x509_issuer=X509Issuer(
            id=None,
            subject=signer.issuer.rfc4514_string(),
            subject_key_identifier=_issuers_key(signer),
            crl_url=_revocations(signer),
        ),
    )


def _own_key(certificate: x509.Certificate) -> str | None:
    try:
        return _hex(certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value.digest)
    except x509.ExtensionNotFound:
        return None


def _issuers_key(certificate: x509.Certificate) -> str | None:
    try:
        value = certificate.extensions.get_extension_for_class(x509.AuthorityKeyIdentifier).value
    except x509.ExtensionNotFound:
        return None
    return None if value.key_identifier is None else _hex(value.key_identifier)


def _address(certificate: x509.Certificate) -> str | None:
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        addresses: list[str] = names.get_values_for_type(x509.RFC822Name)
    except x509.ExtensionNotFound:
        addresses = []
    named = [str(one.value) for one in certificate.subject.get_attributes_for_oid(x509.NameOID.EMAIL_ADDRESS)]
    return next(iter([*addresses, *named]), None)


def _revocations(certificate: x509.Certificate) -> str | None:
    try:
        points = certificate.extensions.get_extension_for_class(x509.CRLDistributionPoints).value
    except x509.ExtensionNotFound:
        return None
    names = [
        name for point in points for name in point.full_name or [] if isinstance(name, x509.UniformResourceIdentifier)
    ]
    return names[0].value if names else None


def _hex(digest: bytes) -> str:
    return digest.hex(":").upper()
