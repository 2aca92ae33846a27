"""Text to plain values. The YAML library is loaded with the first text: a server starts without it."""

from typing import Any

from ingot.features.ci.config.problems import ConfigInvalid
from ingot.features.ci.config.values import Mapping


def load_documents(text: str) -> list[Any]:
    """The documents of a YAML text as plain values; raises `ConfigInvalid` with the parser's sentence."""
    from ingot.features.ci.config.yaml_text import read_documents

    return read_documents(text)


def load_mapping(text: str) -> Mapping:
    """The single mapping of a configuration without header."""
    documents = load_documents(text)
    if len(documents) != 1 or not isinstance(documents[0], dict):
        raise ConfigInvalid(["Invalid configuration format"])
    return documents[0]
