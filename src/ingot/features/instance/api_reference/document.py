"""The description of this instance's API, made once."""

from weakref import WeakKeyDictionary

from ingot import __version__
from ingot.kit.openapi import describe
from ingot.kit.openapi_types import Document
from ingot.kit.routing import Router
from ingot.kit.services import Services

_documents: WeakKeyDictionary[Router, Document] = WeakKeyDictionary()


def document_of(services: Services) -> Document:
    """The OpenAPI document of all registered endpoints."""
    document = _documents.get(services.router)
    if document is None:
        document = _documents[services.router] = describe(services.router.endpoints, __version__)
    return document
