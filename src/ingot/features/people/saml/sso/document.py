"""From the posted text to a parsed XML document, with everything that makes XML dangerous refused."""

import binascii
from base64 import b64decode
from typing import TYPE_CHECKING

from ingot.features.people.saml.sso.errors import ResponseRefused

if TYPE_CHECKING:
    from lxml.etree import _Element

# Real responses are below 20 kB; a person in thousands of groups stays below 300 kB.
MAX_ENCODED_BYTES = 1_000_000
MAX_ELEMENTS = 20_000


def read_document(encoded: str) -> "_Element":
    """The root element. No DTD, hence no entities; no network; no processing instructions; UTF-8 only."""
    if len(encoded) > MAX_ENCODED_BYTES:
        raise ResponseRefused("The SAML response is too large.")
    try:
        text = b64decode("".join(encoded.split()), validate=True)
        text.decode("utf-8")
    except (binascii.Error, UnicodeError, ValueError) as error:
        raise ResponseRefused("The SAML response is not base64 of an UTF-8 document.") from error
    return parse(text)


def parse(text: bytes) -> "_Element":
    """Parse one document of ours or theirs with the strict rules above."""
    from lxml import etree

    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise ResponseRefused("The SAML response has a document type declaration.")
    strict = etree.XMLParser(
        encoding="utf-8",  # whatever the document declares: the bytes are known to be UTF-8
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=False,
        remove_pis=False,
    )
    try:
        root = etree.fromstring(text, strict)
    except etree.XMLSyntaxError as error:
        raise ResponseRefused("The SAML response is not well-formed XML.") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise ResponseRefused("The SAML response has a document type declaration.")
    _refuse_unusual_nodes(root)
    return root


def _refuse_unusual_nodes(root: "_Element") -> None:
    """Comments split a text in two: `a@x<!---->.evil` could be read as `a@x`."""
    for count, node in enumerate(root.iter()):
        if count >= MAX_ELEMENTS:
            raise ResponseRefused("The SAML response is too large.")
        if not isinstance(node.tag, str):
            raise ResponseRefused("The SAML response has a comment, an entity or a processing instruction.")
