"""Documents that must cost an attacker more than the server: bombs, oddities, broken signatures."""

import time
import zlib
from base64 import b64encode
from collections.abc import Callable

import pytest
from lxml import etree

from tests.features.people.saml.conftest import SamlGroup
from tests.features.people.saml.forgeries import drop, set_attribute, set_text
from tests.features.people.saml.identity_provider import DSIG, SAML
from tests.features.people.saml.signing_in import about
from tests.security.saml_groups import assert_refused, make_group
from tests.support import plain_http
from tests.support.processor_time import slowness
from tests.support.world import World

pytestmark = pytest.mark.costly

Edit = Callable[[etree._Element], None]


@pytest.fixture(scope="module")
def group(world: World, tmp_path_factory: pytest.TempPathFactory) -> SamlGroup:
    return make_group(world, tmp_path_factory.mktemp("idp"))


@pytest.fixture(scope="module")
def fingerprinted(world: World, tmp_path_factory: pytest.TempPathFactory) -> SamlGroup:
    """A group that knows only the fingerprint of its provider's certificate."""
    group = make_group(world, tmp_path_factory.mktemp("idp"))
    group.org.owner.client.ok("PUT", f"/groups/{group.org.id}/saml_provider", json={"certificate": None})
    return group


def _method(value: str) -> Edit:
    return set_attribute(f".//{DSIG}SignatureMethod", "Algorithm", value)


def _rename_ids(value: str) -> Edit:
    def edit(root: etree._Element) -> None:
        root.find(f"{SAML}Assertion").set("ID", value)  # type: ignore[union-attr]
        next(root.iter(f"{DSIG}Reference")).set("URI", f"#{value}")

    return edit


def _relative_namespace(root: etree._Element) -> None:
    assertion = root.find(f"{SAML}Assertion")
    assert assertion is not None
    etree.SubElement(assertion, "{relative/name}x", nsmap={"q": "relative/name"})


def _add_to_signature(tag: str) -> Edit:
    def edit(root: etree._Element) -> None:
        etree.SubElement(next(root.iter(f"{DSIG}Signature")), tag)

    return edit


BROKEN_SIGNATURES: dict[str, Edit] = {
    "no algorithm": _method(""),
    "algorithm none": _method("none"),
    "an unknown algorithm": _method("urn:x"),
    "another canonical form": set_attribute(f".//{DSIG}CanonicalizationMethod", "Algorithm", "urn:x"),
    "an unknown digest": set_attribute(f".//{DSIG}DigestMethod", "Algorithm", "urn:x"),
    "no digest method": drop(f".//{DSIG}DigestMethod"),
    "no digest": drop(f".//{DSIG}DigestValue"),
    "an empty digest": set_text(f".//{DSIG}DigestValue", ""),
    "no value": drop(f".//{DSIG}SignatureValue"),
    "an empty value": set_text(f".//{DSIG}SignatureValue", ""),
    "a value that is no base64": set_text(f".//{DSIG}SignatureValue", "é%"),
    "no method": drop(f".//{DSIG}SignatureMethod"),
    "no canonical form": drop(f".//{DSIG}CanonicalizationMethod"),
    "no signed information": drop(f".//{DSIG}SignedInfo"),
    "no transforms": drop(f".//{DSIG}Transforms"),
    "an odd transform": set_attribute(
        f".//{DSIG}Transform", "Algorithm", "http://www.w3.org/TR/1999/REC-xslt-19991116"
    ),
    "quotes in the ID": _rename_ids("'\"]|//*"),
    "a relative namespace": _relative_namespace,
    "odd children": _add_to_signature("{urn:x}y"),
}


@pytest.mark.parametrize("damage", BROKEN_SIGNATURES)
@pytest.mark.parametrize("pin", ["certificate", "fingerprint"])
def test_a_broken_signature_is_refused_and_breaks_nothing(
    world: World, group: SamlGroup, fingerprinted: SamlGroup, damage: str, pin: str
) -> None:
    group = fingerprinted if pin == "fingerprint" else group
    name = world.name("broken")
    response = group.idp.response(
        name, f"{group.saml}/callback", attributes=about(name), edit_signed=BROKEN_SIGNATURES[damage]
    )
    assert_refused(world, group, response)


@pytest.mark.parametrize("text", ["AAAA", "", "é", b64encode(b"\x30\x03\x02\x01\x01").decode()])
def test_an_unreadable_certificate_is_no_pinned_one(world: World, fingerprinted: SamlGroup, text: str) -> None:
    group = fingerprinted
    name = world.name("certificate")
    edit = set_text(f".//{DSIG}X509Certificate", text)
    response = group.idp.response(name, f"{group.saml}/callback", attributes=about(name), edit_signed=edit)
    assert_refused(world, group, response)


def _bomb() -> str:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 20))
    return f'<!DOCTYPE r [<!ENTITY e0 "ha">{entities}]><r>&e19;</r>'


def _wide(count: int) -> str:
    return "<r " + " ".join(f'xmlns:a{number:x}="u{number}"' for number in range(count)) + "/>"


MOST_WORK = 5.0  # seconds of processor time, with that of the client
DOCUMENTS: dict[str, bytes] = {
    "entity bomb": _bomb().encode(),
    "entity bomb in UTF-16": _bomb().encode("utf-16"),
    "entity bomb in UTF-7": ('<?xml version="1.0" encoding="UTF-7"?>' + _bomb()).encode("utf-7"),
    "external entity": b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>',
    "external DTD": b'<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd"><r/>',
    "inclusion": b'<r xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="/etc/passwd" parse="text"/></r>',
    "style sheet": b'<?xml-stylesheet href="http://127.0.0.1:9/x.xsl" type="text/xsl"?><r/>',
    "deep nesting": b"<r>" * 60_000 + b"</r>" * 60_000,
    "many elements": b"<r>" + b"<a/>" * 150_000 + b"</r>",
    "many attributes": ("<r " + " ".join(f'a{n:x}=""' for n in range(70_000)) + "/>").encode(),
    "many namespaces": _wide(30_000).encode(),
    "long text": b"<r>" + b"x" * 700_000 + b"</r>",
    "deflated": zlib.compress(b"<r>" + b" " * 50_000_000 + b"</r>")[2:-4],
    "a NUL": b"<r>\x00</r>",
    "nothing": b"",
}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_dangerous_documents_cost_nothing(world: World, group: SamlGroup, document: str) -> None:
    begin = time.process_time()
    answer = assert_refused(world, group, b64encode(DOCUMENTS[document]).decode())
    work = time.process_time() - begin

    assert "root:" not in answer.text  # nothing of /etc/passwd
    assert work < MOST_WORK * slowness()
    assert plain_http.get(f"{group.url}/-/liveness").status_code == 200


@pytest.mark.parametrize("size", ["padded", "in the signed information"])
def test_a_large_document_around_a_true_signature_is_cheap(world: World, group: SamlGroup, size: str) -> None:
    """What is verified before the signature turns out to be wrong must be little work."""

    def pad(root: etree._Element) -> None:
        place = root if size == "padded" else next(root.iter(f"{DSIG}SignedInfo"))
        for number in range(9_000):
            etree.SubElement(place, f"{{urn:{number}}}x", nsmap={f"p{number}": f"urn:{number}"})

    name = world.name("large")
    sign = ("Response",)
    response = group.idp.response(name, f"{group.saml}/callback", attributes=about(name), sign=sign, edit_signed=pad)
    begin = time.process_time()
    assert_refused(world, group, response)

    assert time.process_time() - begin < MOST_WORK * slowness()
