"""Attacks on SAML sign-in with responses that an attacker forged, replayed, or had a hostile identity provider sign."""

import copy
import hashlib
import hmac
from base64 import b64decode, b64encode
from collections.abc import Callable

import pytest
import xmlsec
from lxml import etree

from tests.features.people.saml.conftest import SamlGroup
from tests.features.people.saml.forgeries import WRAPPINGS, drop, forged, set_text, wrap_response
from tests.features.people.saml.identity_provider import DSIG, SAML, decode, encode, sign_element
from tests.features.people.saml.signing_in import about
from tests.security.saml_groups import assert_refused, make_group
from tests.support.world import World

Edit = Callable[[etree._Element], None]


@pytest.fixture(scope="module")
def group(world: World, tmp_path_factory: pytest.TempPathFactory) -> SamlGroup:
    return make_group(world, tmp_path_factory.mktemp("idp"))


def move_assertion_signature_to_response(root: etree._Element) -> None:
    """The true signature of the assertion, placed where the response's belongs; the assertion is changed."""
    signature = next(root.iter(f"{DSIG}Signature"))
    signature.getparent().remove(signature)  # type: ignore[union-attr]
    root.insert(1, signature)
    set_text(f".//{SAML}NameID", "root")(root)


def forged_beside_object(root: etree._Element) -> None:
    """The genuine assertion hides in an Object of a second signature."""
    evil = forged(root)
    assertion = root.find(f"{SAML}Assertion")
    assert assertion is not None
    signature = copy.deepcopy(next(root.iter(f"{DSIG}Signature")))
    root.replace(assertion, evil)
    evil.insert(1, signature)
    etree.SubElement(signature, f"{DSIG}Object").append(assertion)


SHAPES = [*WRAPPINGS, wrap_response, move_assertion_signature_to_response, forged_beside_object]


@pytest.mark.parametrize("sign", [("Assertion",), ("Response",), ("Assertion", "Response")], ids="+".join)
@pytest.mark.parametrize("wrap", SHAPES, ids=lambda wrap: wrap.__name__)
def test_no_wrapping_smuggles_another_name_past_a_true_signature(
    world: World, group: SamlGroup, wrap: Edit, sign: tuple[str, ...]
) -> None:
    def edit(root: etree._Element) -> None:
        if sign == ("Response",):  # the shapes that move an assertion's signature find one to move
            signature = copy.deepcopy(next(root.iter(f"{DSIG}Signature")))
            root.find(f"{SAML}Assertion").insert(1, signature)  # type: ignore[union-attr]
        elif wrap is wrap_response and "Response" not in sign:
            root.insert(1, copy.deepcopy(next(root.iter(f"{DSIG}Signature"))))
        wrap(root)

    name = world.name("eve")
    response = group.idp.response(name, f"{group.saml}/callback", attributes=about(name), sign=sign, edit_signed=edit)
    assert_refused(world, group, response)


def test_an_assertion_added_to_a_signed_response_is_refused(world: World, group: SamlGroup) -> None:
    def add(root: etree._Element) -> None:
        evil = copy.deepcopy(root.find(f"{SAML}Assertion"))
        assert evil is not None
        evil.set("ID", "_evil")
        set_text(f".//{SAML}NameID", "root")(evil)
        root.append(evil)

    name = world.name("eve")
    response = group.idp.response(
        name, f"{group.saml}/callback", attributes=about(name), sign=("Response",), edit_signed=add
    )
    assert_refused(world, group, response)


def test_a_signed_assertion_does_not_cover_an_unsigned_one_in_its_place(world: World, group: SamlGroup) -> None:
    """Response and assertion are signed; the response is replaced by an unsigned one around a forged assertion."""
    name = world.name("eve")
    genuine = decode(
        group.idp.response(name, f"{group.saml}/callback", attributes=about(name), sign=("Assertion", "Response"))
    )
    outer = copy.deepcopy(genuine)
    evil = forged(outer)
    outer.replace(outer.find(f"{SAML}Assertion"), evil)  # type: ignore[arg-type]
    assert_refused(world, group, encode(outer))
    drop(f"{DSIG}Signature")(outer)
    assert_refused(world, group, encode(outer))


ALGORITHMS = {
    "signature with SHA-1": (xmlsec.constants.TransformRsaSha1, xmlsec.constants.TransformSha256),
    "digest with SHA-1": (xmlsec.constants.TransformRsaSha256, xmlsec.constants.TransformSha1),
}


@pytest.mark.parametrize("downgrade", ALGORITHMS)
def test_old_algorithms_are_refused_though_the_right_key_signed(world: World, group: SamlGroup, downgrade: str) -> None:
    method, digest = ALGORITHMS[downgrade]
    name = world.name("old")
    root = decode(group.idp.response(name, f"{group.saml}/callback", attributes=about(name), sign=()))
    sign_element(root, "Assertion", (group.idp.private_key, group.idp.certificate), method, digest)
    assert_refused(world, group, encode(root))


@pytest.mark.parametrize("form", ["pem", "der"])
def test_the_public_certificate_is_no_key_for_an_hmac(world: World, group: SamlGroup, form: str) -> None:
    """A verifier that lets the document choose the algorithm takes the public key for a shared secret."""
    name = world.name("mac")
    root = decode(group.idp.response(name, f"{group.saml}/callback", attributes=about(name)))
    signature = next(root.iter(f"{DSIG}Signature"))
    info = signature.find(f"{DSIG}SignedInfo")
    assert info is not None
    algorithm = "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256"
    info.find(f"{DSIG}SignatureMethod").set("Algorithm", algorithm)  # type: ignore[union-attr]
    pem = group.idp.certificate.encode()
    key = pem if form == "pem" else b64decode(b"".join(pem.splitlines()[1:-1]))
    seal = hmac.new(key, etree.tostring(info, method="c14n", exclusive=True), hashlib.sha256).digest()
    signature.find(f"{DSIG}SignatureValue").text = b64encode(seal).decode()  # type: ignore[union-attr]
    assert_refused(world, group, encode(root))
