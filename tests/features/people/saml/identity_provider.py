"""A real identity provider for the tests: pysaml2 builds the responses, libxmlsec signs them.

Neither library is used by the server, so a misreading of the standards would show.
"""

import warnings
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import xmlsec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from lxml import etree

with warnings.catch_warnings():
    # The library names a cipher that cryptography is about to move; nothing here uses it.
    warnings.simplefilter("ignore")
    from saml2 import BINDING_HTTP_REDIRECT
    from saml2.config import IdPConfig
    from saml2.saml import NAMEID_FORMAT_PERSISTENT, NAMEID_FORMAT_UNSPECIFIED, NameID
    from saml2.server import Server

SAML = "{urn:oasis:names:tc:SAML:2.0:assertion}"
PROTOCOL = "{urn:oasis:names:tc:SAML:2.0:protocol}"
DSIG = "{http://www.w3.org/2000/09/xmldsig#}"
Edit = Callable[[etree._Element], None]


@cache
def key_pair(name: str) -> tuple[bytes, str]:
    """A private key and its self-signed certificate, both PEM; made once per name."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    start = datetime.now(UTC) - timedelta(days=400)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        # Expired on purpose: the pin is what counts.
        .not_valid_after(start + timedelta(days=365))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private, certificate.public_bytes(serialization.Encoding.PEM).decode()


class IdentityProviderRole:
    """An identity provider that knows one service provider, from that one's metadata document."""

    entity_id = "https://idp.example/metadata"
    sso_url = "https://idp.example/sso"

    def __init__(self, folder: Path, service_provider_metadata: str, key_name: str = "idp") -> None:
        self.private_key, self.certificate = key_pair(key_name)
        (folder / "key.pem").write_bytes(self.private_key)
        (folder / "certificate.pem").write_text(self.certificate)
        config = IdPConfig()
        config.load(
            {
                "entityid": self.entity_id,
                "crypto_backend": "XMLSecurity",
                "key_file": str(folder / "key.pem"),
                "cert_file": str(folder / "certificate.pem"),
                "metadata": {"inline": [service_provider_metadata]},
                "service": {
                    "idp": {
                        "endpoints": {"single_sign_on_service": [(self.sso_url, BINDING_HTTP_REDIRECT)]},
                        "policy": {"default": {"lifetime": {"minutes": 5}, "attribute_restrictions": None}},
                        "want_authn_requests_signed": False,
                    }
                },
            }
        )
        self.server = Server(config=config)
        self.sp_entity_id = etree.fromstring(service_provider_metadata.encode()).get("entityID", "")

    def read_request(self, url: str) -> tuple[str, str, str | None]:
        """ID, consumer address and relay state of a sign-in request, as the library reads it."""
        query = parse_qs(urlsplit(url).query)
        request = self.server.parse_authn_request(query["SAMLRequest"][0], BINDING_HTTP_REDIRECT)
        assert request is not None
        arguments = self.server.response_args(request.message)
        return request.message.id, arguments["destination"], query.get("RelayState", [None])[0]

    def response(
        self,
        name_id: str,
        consumer_url: str,
        *,
        in_response_to: str | None = None,
        attributes: Mapping[str, Sequence[str]] | None = None,
        sign: Sequence[str] = ("Assertion",),
        edit: Edit | None = None,
        edit_signed: Edit | None = None,
        signer: tuple[bytes, str] | None = None,
        persistent: bool = True,
    ) -> str:
        """The form value of a response. `edit` changes it before signing, `edit_signed` after."""
        name_format = NAMEID_FORMAT_PERSISTENT if persistent else NAMEID_FORMAT_UNSPECIFIED
        built = self.server.create_authn_response(
            identity={name: list(values) for name, values in (attributes or {}).items()},
            in_response_to=in_response_to,
            destination=consumer_url,
            sp_entity_id=self.sp_entity_id,
            name_id=NameID(text=name_id, format=name_format),
            authn={"class_ref": "urn:oasis:names:tc:SAML:2.0:ac:classes:Password"},
            sign_response=False,
            sign_assertion=False,
        )
        root = etree.fromstring(str(built).encode())
        if edit is not None:
            edit(root)
        for name in sorted(sign):  # the assertion first: a response's signature covers the assertion's
            sign_element(root, name, signer or (self.private_key, self.certificate))
        root = decode(encode(root))  # lxml does not find by name what libxmlsec has added
        if edit_signed is not None:
            edit_signed(root)
        return encode(root)


def sign_element(
    root: etree._Element,
    name: str,
    signer: tuple[bytes, str],
    method: object = xmlsec.constants.TransformRsaSha256,
    digest: object = xmlsec.constants.TransformSha256,
) -> None:
    element = root if name == "Response" else root.find(f"{SAML}{name}")
    assert element is not None
    template = xmlsec.template.create(element, xmlsec.constants.TransformExclC14N, method, ns="ds")
    element.insert(1, template)  # the schema wants it right behind the issuer
    reference = xmlsec.template.add_reference(template, digest, uri=f"#{element.get('ID')}")
    xmlsec.template.add_transform(reference, xmlsec.constants.TransformEnveloped)
    xmlsec.template.add_transform(reference, xmlsec.constants.TransformExclC14N)
    xmlsec.template.add_x509_data(xmlsec.template.ensure_key_info(template))
    xmlsec.tree.add_ids(root, ["ID"])
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_memory(signer[0], xmlsec.constants.KeyDataFormatPem)
    context.key.load_cert_from_memory(signer[1].encode(), xmlsec.constants.KeyDataFormatPem)
    context.sign(template)


def encode(root: etree._Element) -> str:
    return b64encode(etree.tostring(root)).decode()


def decode(response: str) -> etree._Element:
    return etree.fromstring(b64decode(response))


def inflate(request: str) -> etree._Element:
    return etree.fromstring(zlib.decompress(b64decode(request), wbits=-15))
