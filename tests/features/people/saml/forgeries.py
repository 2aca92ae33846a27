"""Edits that turn a true response into a forged one."""

import copy
from collections.abc import Callable

from lxml import etree

from tests.features.people.saml.identity_provider import (
    DSIG,
    PROTOCOL,
    SAML,
)


def set_text(path: str, value: str) -> Callable[[etree._Element], None]:
    def edit(root: etree._Element) -> None:
        element = root.find(path)
        assert element is not None
        element.text = value

    return edit


def set_attribute(path: str, name: str, value: str | None) -> Callable[[etree._Element], None]:
    def edit(root: etree._Element) -> None:
        element = root if path == "." else root.find(path)
        assert element is not None
        if value is None:
            element.attrib.pop(name)
        else:
            element.set(name, value)

    return edit


def drop(path: str) -> Callable[[etree._Element], None]:
    def edit(root: etree._Element) -> None:
        element = root.find(path)
        assert element is not None
        element.getparent().remove(element)  # type: ignore[union-attr]

    return edit


def forged(root: etree._Element) -> etree._Element:
    """A copy of the assertion with another name, another ID and no signature."""
    assertion = root.find(f"{SAML}Assertion")
    assert assertion is not None
    evil = copy.deepcopy(assertion)
    evil.set("ID", "_evil")
    set_text(f".//{SAML}NameID", "root")(evil)
    drop(f"{DSIG}Signature")(evil)
    return evil


def taken(root: etree._Element) -> etree._Element:
    """The genuine signed assertion, out of its place."""
    assertion = root.find(f"{SAML}Assertion")
    assert assertion is not None
    root.remove(assertion)
    return assertion


def wrap_first(root: etree._Element) -> None:
    root.insert(2, forged(root))


def wrap_last(root: etree._Element) -> None:
    root.append(forged(root))


def wrap_around(root: etree._Element) -> None:
    evil = forged(root)
    evil.append(taken(root))
    root.append(evil)


def wrap_in_signature_object(root: etree._Element) -> None:
    evil = forged(root)
    genuine = taken(root)
    signature = genuine.find(f"{DSIG}Signature")
    assert signature is not None
    evil.insert(1, signature)
    etree.SubElement(signature, f"{DSIG}Object").append(genuine)
    root.append(evil)


def wrap_in_extensions(root: etree._Element) -> None:
    evil = forged(root)
    extensions = etree.Element(f"{PROTOCOL}Extensions")
    extensions.append(taken(root))
    root.insert(1, extensions)
    root.append(evil)


def wrap_with_the_same_id(root: etree._Element) -> None:
    evil = forged(root)
    genuine = taken(root)
    evil.set("ID", genuine.get("ID", ""))
    advice = etree.SubElement(evil, f"{SAML}Advice")
    advice.append(genuine)
    root.append(evil)


def wrap_with_moved_signature(root: etree._Element) -> None:
    """The evil assertion carries the genuine signature; the genuine one lies elsewhere as other markup."""
    evil = forged(root)
    genuine = taken(root)
    signature = genuine.find(f"{DSIG}Signature")
    assert signature is not None
    evil.insert(1, signature)
    holder = etree.SubElement(root, f"{PROTOCOL}Extensions")
    genuine.tag = "{urn:evil}Assertion"
    holder.append(genuine)
    root.append(evil)


def wrap_response(root: etree._Element) -> None:
    """The whole signed response below the signature of a forged one."""
    genuine = copy.deepcopy(root)
    set_text(f".//{SAML}NameID", "root")(root)
    root.set("ID", "_evil")
    signature = root.find(f"{DSIG}Signature")
    assert signature is not None
    etree.SubElement(signature, f"{DSIG}Object").append(genuine)


WRAPPINGS = [
    wrap_first,
    wrap_last,
    wrap_around,
    wrap_in_signature_object,
    wrap_in_extensions,
    wrap_with_the_same_id,
    wrap_with_moved_signature,
]
