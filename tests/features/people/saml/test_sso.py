"""The service-provider profile against responses of a real identity provider, honest and forged."""

from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
import xmlsec
from lxml import etree

from ingot.features.people.saml.sso import (
    BadCertificate,
    IdentityProvider,
    ResponseRefused,
    ServiceProvider,
    SignIn,
    certificate_fingerprint,
    check_response,
    normal_certificate,
    normal_fingerprint,
    service_provider_metadata,
    sign_in_url,
)
from tests.features.people.saml.forgeries import WRAPPINGS, drop, set_attribute, set_text, taken, wrap_response
from tests.features.people.saml.identity_provider import (
    DSIG,
    PROTOCOL,
    SAML,
    IdentityProviderRole,
    decode,
    encode,
    inflate,
    key_pair,
    sign_element,
)

US = ServiceProvider(
    entity_id="http://forge.example/groups/acme", consumer_url="http://forge.example/groups/acme/-/saml/callback"
)


@pytest.fixture(scope="module")
def idp(tmp_path_factory: pytest.TempPathFactory) -> IdentityProviderRole:
    return IdentityProviderRole(tmp_path_factory.mktemp("idp"), service_provider_metadata(US))


class Desk:
    """Our side of the exchange, with its memory of requests and used assertions."""

    def __init__(self, idp: IdentityProviderRole) -> None:
        self.them = IdentityProvider(sso_url=idp.sso_url, certificate=idp.certificate, entity_id=idp.entity_id)
        self.open: set[str] = set()
        self.used: set[str] = set()

    def check(self, response: str, them: IdentityProvider | None = None, now: datetime | None = None) -> SignIn:
        return check_response(
            response,
            US,
            them or self.them,
            is_open_request=lambda request: request in self.open,
            is_first_use=self.remember,
            now=now,
        )

    def remember(self, assertion_id: str, until: datetime) -> bool:
        assert until > datetime.now(UTC)
        fresh = assertion_id not in self.used
        self.used.add(assertion_id)
        return fresh


@pytest.fixture
def desk(idp: IdentityProviderRole) -> Desk:
    return Desk(idp)


def refusal(desk: Desk, response: str, **kwargs: object) -> str:
    with pytest.raises(ResponseRefused) as caught:
        desk.check(response, **kwargs)  # type: ignore[arg-type]
    assert not desk.used, "a refused assertion must not be remembered as used"
    return caught.value.reason


ALICE = {"email": ["alice@acme.example"], "first_name": ["Alice"], "last_name": ["Doe"], "Groups": ["dev", "ops"]}


@pytest.mark.parametrize("sign", [("Assertion",), ("Response",), ("Assertion", "Response")])
def test_a_signed_response_says_who_signed_in(idp: IdentityProviderRole, desk: Desk, sign: tuple[str, ...]) -> None:
    sign_in = desk.check(idp.response("alice-1", US.consumer_url, attributes=ALICE, sign=sign))

    assert (sign_in.name_id, sign_in.email, sign_in.name) == ("alice-1", "alice@acme.example", "Alice Doe")
    assert sign_in.groups == ("dev", "ops")
    assert sign_in.issuer == idp.entity_id
    assert sign_in.in_response_to is None
    assert desk.used == {sign_in.assertion_id}


def test_the_request_is_read_by_the_identity_provider_and_its_answer_accepted_once(
    idp: IdentityProviderRole, desk: Desk
) -> None:
    request_id = "_a-request-of-ours"
    url = sign_in_url(US, desk.them, request_id, relay_state="/groups/acme")
    desk.open.add(request_id)

    asked, consumer_url, relay_state = idp.read_request(url)
    answer = idp.response("alice", consumer_url, in_response_to=asked)

    assert (asked, consumer_url, relay_state) == (request_id, US.consumer_url, "/groups/acme")
    assert desk.check(answer).in_response_to == request_id
    with pytest.raises(ResponseRefused, match="already used"):
        desk.check(answer)


def test_an_answer_to_a_request_that_we_did_not_make_is_refused(idp: IdentityProviderRole, desk: Desk) -> None:
    answer = idp.response("alice", US.consumer_url, in_response_to="_somebody-elses")
    assert "not ours" in refusal(desk, answer)


def test_the_request_keeps_the_query_of_the_sso_address() -> None:
    them = IdentityProvider(sso_url="https://idp.example/sso?tenant=7")
    url = sign_in_url(US, them, "_x")
    query = parse_qs(urlsplit(url).query)
    assert query["tenant"] == ["7"]
    assert inflate(query["SAMLRequest"][0]).findtext(f"{SAML}Issuer") == US.entity_id
    again = parse_qs(urlsplit(sign_in_url(US, them, "_x", is_again=True)).query)
    forced = [inflate(sent["SAMLRequest"][0]).get("ForceAuthn") for sent in (query, again)]
    assert forced == [None, "true"]


def test_names_with_markup_are_escaped_in_metadata_and_request() -> None:
    odd = ServiceProvider(entity_id='http://x/"<&>', consumer_url="http://x/<a>&b")
    root = etree.fromstring(service_provider_metadata(odd).encode())
    assert root.get("entityID") == odd.entity_id
    url = sign_in_url(odd, IdentityProvider(sso_url="https://idp/"), "_1")
    request = inflate(parse_qs(urlsplit(url).query)["SAMLRequest"][0])
    assert request.get("AssertionConsumerServiceURL") == odd.consumer_url


def test_fingerprints_pin_the_certificate_that_is_sent(idp: IdentityProviderRole, desk: Desk) -> None:
    answer = idp.response("alice", US.consumer_url)
    sha256 = certificate_fingerprint(idp.certificate)
    sha1 = certificate_fingerprint(idp.certificate, like="00:" * 19 + "00")
    other = certificate_fingerprint(key_pair("someone else")[1])

    assert "fingerprint" in refusal(desk, answer, them=IdentityProvider("https://x/", fingerprint=other))
    assert desk.check(answer, them=IdentityProvider("https://x/", fingerprint=sha256)).name_id == "alice"
    desk.used.clear()
    assert desk.check(answer, them=IdentityProvider("https://x/", fingerprint=sha1)).name_id == "alice"


def test_a_fingerprint_without_a_sent_certificate_is_not_enough(idp: IdentityProviderRole, desk: Desk) -> None:
    def drop_key(root: etree._Element) -> None:
        for element in list(root.iter(f"{DSIG}KeyInfo")):
            element.getparent().remove(element)  # type: ignore[union-attr]

    answer = idp.response("alice", US.consumer_url, edit_signed=drop_key)
    them = IdentityProvider("https://x/", fingerprint=certificate_fingerprint(idp.certificate))
    assert "carries no certificate" in refusal(desk, answer, them=them)
    assert desk.check(answer).name_id == "alice"  # the pinned certificate needs no copy in the document


def test_certificates_and_fingerprints_are_brought_to_one_form(idp: IdentityProviderRole) -> None:
    bare = "".join(idp.certificate.splitlines()[1:-1])
    assert normal_certificate(bare) == normal_certificate(idp.certificate)
    assert normal_fingerprint("ab" * 20) == ":".join(["AB"] * 20)
    for wrong in ("", "zz" * 20, "ab" * 21):
        with pytest.raises(BadCertificate):
            normal_fingerprint(wrong)
    for wrong in ("", "not base64", "aGVsbG8=", idp.certificate * 2):
        with pytest.raises(BadCertificate):
            normal_certificate(wrong)


def test_unsigned_is_refused(idp: IdentityProviderRole, desk: Desk) -> None:
    assert "not signed" in refusal(desk, idp.response("alice", US.consumer_url, sign=()))


def test_another_key_is_refused_though_its_certificate_is_enclosed(idp: IdentityProviderRole, desk: Desk) -> None:
    answer = idp.response("alice", US.consumer_url, signer=key_pair("an attacker"))
    assert "not valid" in refusal(desk, answer)


@pytest.mark.parametrize("path", [f".//{SAML}NameID", f".//{SAML}Audience", f".//{SAML}AttributeValue"])
@pytest.mark.parametrize("sign", [("Assertion",), ("Response",), ("Assertion", "Response")])
def test_a_change_after_signing_is_refused(
    idp: IdentityProviderRole, desk: Desk, path: str, sign: tuple[str, ...]
) -> None:
    def tamper(root: etree._Element) -> None:
        element = root.find(path)
        assert element is not None
        element.text = (element.text or "") + "x"

    answer = idp.response("alice", US.consumer_url, attributes=ALICE, sign=sign, edit_signed=tamper)
    assert "not valid" in refusal(desk, answer)


def test_old_digests_are_refused(idp: IdentityProviderRole, desk: Desk) -> None:
    root = decode(idp.response("alice", US.consumer_url, sign=()))
    sign_element(
        root,
        "Assertion",
        (idp.private_key, idp.certificate),
        xmlsec.constants.TransformRsaSha1,
        xmlsec.constants.TransformSha1,
    )
    assert "not valid" in refusal(desk, encode(root))


def test_a_symmetric_signature_made_with_the_public_certificate_is_refused(
    idp: IdentityProviderRole, desk: Desk
) -> None:
    def to_hmac(root: etree._Element) -> None:
        method = next(root.iter(f"{DSIG}SignatureMethod"))
        method.set("Algorithm", "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256")

    assert "not valid" in refusal(desk, idp.response("alice", US.consumer_url, edit_signed=to_hmac))


@pytest.mark.parametrize(
    ("shift", "reason"), [(timedelta(minutes=7), "expired"), (timedelta(minutes=-2), "not valid yet")]
)
def test_outside_of_its_time_window_it_is_refused(
    idp: IdentityProviderRole, desk: Desk, shift: timedelta, reason: str
) -> None:
    answer = idp.response("alice", US.consumer_url)
    assert reason in refusal(desk, answer, now=datetime.now(UTC) + shift)


@pytest.mark.parametrize("shift", [timedelta(minutes=5, seconds=30), timedelta(seconds=-30)])
def test_clocks_may_differ_by_a_little(idp: IdentityProviderRole, desk: Desk, shift: timedelta) -> None:
    assert desk.check(idp.response("alice", US.consumer_url), now=datetime.now(UTC) + shift).name_id == "alice"


DATA = f".//{SAML}SubjectConfirmationData"


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (set_text(f".//{SAML}Audience", "http://forge.example/groups/other"), "another audience"),
        (drop(f".//{SAML}AudienceRestriction"), "audience"),
        (drop(f".//{SAML}Conditions"), "conditions"),
        (set_attribute(DATA, "Recipient", "http://evil.example/acs"), "another recipient"),
        (set_attribute(DATA, "Recipient", None), "another recipient"),
        (set_attribute(DATA, "NotOnOrAfter", None), "until when"),
        (set_attribute(DATA, "NotOnOrAfter", "2001-01-01T00:00:00Z"), "expired"),
        (set_attribute(DATA, "NotOnOrAfter", "soon"), "unreadable"),
        (set_attribute(DATA, "NotOnOrAfter", "0001-01-01T00:00:00+14:00"), "unreadable"),
        (set_attribute(f".//{SAML}SubjectConfirmation", "Method", "urn:oasis:x:holder-of-key"), "bearer"),
        (drop(f".//{SAML}AuthnStatement"), "signed in"),
        (set_attribute(f".//{SAML}AuthnStatement", "SessionNotOnOrAfter", "2001-01-01T00:00:00Z"), "session"),
        (drop(f".//{SAML}NameID"), "name one person"),
        (set_text(f".//{SAML}NameID", " "), "name one person"),
        (set_text(f".//{SAML}NameID", "a" * 256), "name one person"),
        (
            set_attribute(f".//{SAML}NameID", "Format", "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"),
            "transient",
        ),
        (set_text(f"{SAML}Assertion/{SAML}Issuer", "https://other.example"), "another issuer"),
        (set_text(f"{SAML}Issuer", "https://other.example"), "another issuer"),
        (set_attribute(".", "Destination", "http://evil.example/acs"), "another destination"),
        (set_attribute(f".//{PROTOCOL}StatusCode", "Value", "urn:oasis:x:Responder"), "sign-in failed"),
        (set_attribute(".", "Version", "1.1"), "not a SAML 2.0"),
    ],
)
@pytest.mark.parametrize("sign", ["Assertion", "Response"])
def test_a_truly_signed_statement_that_is_not_for_us_is_refused(
    idp: IdentityProviderRole, desk: Desk, edit: Callable[[etree._Element], None], reason: str, sign: str
) -> None:
    assert reason in refusal(desk, idp.response("alice", US.consumer_url, edit=edit, sign=(sign,)))


def test_dates_at_the_end_of_time_do_not_overflow(idp: IdentityProviderRole, desk: Desk) -> None:
    edit = set_attribute(DATA, "NotOnOrAfter", "9999-12-31T23:59:59Z")
    assert desk.check(idp.response("alice", US.consumer_url, edit=edit)).name_id == "alice"


@pytest.mark.parametrize("wrap", WRAPPINGS)
def test_a_wrapped_assertion_is_refused(
    idp: IdentityProviderRole, desk: Desk, wrap: Callable[[etree._Element], None]
) -> None:
    refusal(desk, idp.response("alice", US.consumer_url, edit_signed=wrap))


def test_a_wrapped_response_is_refused(idp: IdentityProviderRole, desk: Desk) -> None:
    refusal(desk, idp.response("alice", US.consumer_url, sign=("Response",), edit_signed=wrap_response))


def test_a_reference_to_the_whole_document_is_refused(idp: IdentityProviderRole, desk: Desk) -> None:
    root = decode(idp.response("alice", US.consumer_url, sign=()))
    root.set("ID", "")
    sign_element(root, "Assertion", (idp.private_key, idp.certificate))
    whole = decode(encode(root))
    next(whole.iter(f"{DSIG}Reference")).set("URI", "")
    assert "does not cover" in refusal(desk, encode(whole))


def test_a_comment_in_the_name_does_not_shorten_it(idp: IdentityProviderRole, desk: Desk) -> None:
    def split(root: etree._Element) -> None:
        name = root.find(f".//{SAML}NameID")
        assert name is not None
        name.text = "admin@acme.example"
        comment = etree.Comment("")
        comment.tail = ".evil.example"
        name.append(comment)

    for answer in (
        idp.response("x", US.consumer_url, edit=split),
        idp.response("admin@acme.example.evil.example", US.consumer_url, edit_signed=split),
    ):
        assert "comment" in refusal(desk, answer)


def post(text: str | bytes) -> str:
    return b64encode(text.encode() if isinstance(text, str) else text).decode()


LAUGHS = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]><r>&c;</r>'


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("", "well-formed"),
        ("%%%", "base64"),
        (post("hello"), "well-formed"),
        (post(b"\xff\xfe<\x00a\x00/\x00>\x00"), "base64"),
        (post("<r/>"), "not a SAML 2.0"),
        (post("<r><?php x ?></r>"), "processing instruction"),
        (post(LAUGHS), "document type"),
        (post('<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>'), "document type"),
        (post('<!DOCTYPE r [<!ENTITY x SYSTEM "http://127.0.0.1:1/">]><r>&x;</r>'), "document type"),
        (post("<r>" + "<a/>" * 30_000 + "</r>"), "too large"),
        (post("<r>" + "<a>" * 5_000 + "</a>" * 5_000 + "</r>"), "well-formed"),
        ("A" * 1_000_004, "too large"),
    ],
)
def test_dangerous_or_broken_documents_are_refused(desk: Desk, response: str, reason: str) -> None:
    assert reason in refusal(desk, response)


def test_an_encrypted_assertion_is_refused_with_a_hint(idp: IdentityProviderRole, desk: Desk) -> None:
    def encrypt(root: etree._Element) -> None:
        taken(root)
        etree.SubElement(root, f"{SAML}EncryptedAssertion")

    assert "Encrypted" in refusal(desk, idp.response("alice", US.consumer_url, edit_signed=encrypt))


@pytest.mark.parametrize(
    ("attributes", "email", "username", "name", "groups"),
    [
        ({}, None, None, None, ()),
        ({"mail": ["a@x.y"], "displayName": ["A B"], "uid": ["ab"]}, "a@x.y", "ab", "A B", ()),
        ({"Email": ["not an address"], "first_name": ["A"]}, None, None, "A", ()),
        (
            {
                "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress": ["a@x.y"],
                "groups": ["b", "b", "a"],
            },
            "a@x.y",
            None,
            None,
            ("b", "a"),
        ),
    ],
)
def test_common_spellings_of_attributes_are_understood(
    idp: IdentityProviderRole,
    desk: Desk,
    attributes: dict[str, list[str]],
    email: str | None,
    username: str | None,
    name: str | None,
    groups: tuple[str, ...],
) -> None:
    sign_in = desk.check(idp.response("n-1", US.consumer_url, attributes=attributes))
    assert (sign_in.email, sign_in.username, sign_in.name, sign_in.groups) == (email, username, name, groups)


def test_an_address_as_name_id_serves_as_email(idp: IdentityProviderRole, desk: Desk) -> None:
    assert desk.check(idp.response("a@x.y", US.consumer_url, persistent=False)).email == "a@x.y"
