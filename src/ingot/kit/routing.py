"""Matching raw paths to endpoints: a tree of segments, where a fixed word wins over a parameter and both over a rest.

Templates: `/projects/{id}/jobs/{job_id:int}/artifacts/{artifact_path*}`. `:int`: digits only; `*` takes the rest.
"""

import msgspec

from ingot.kit.endpoint import Endpoint
from ingot.kit.ids import parse_id


class Node(msgspec.Struct):
    """One position in the tree."""

    words: dict[str, "Node"] = msgspec.field(default_factory=dict)
    numbers: dict[str, "Node"] = msgspec.field(default_factory=dict)
    params: dict[str, "Node"] = msgspec.field(default_factory=dict)
    rest: "tuple[str, Node] | None" = None
    methods: dict[str, Endpoint] = msgspec.field(default_factory=dict)
    fixed: bool = True  # ends in a word or number: a `.json` suffix may follow


class Match(msgspec.Struct, frozen=True):
    """The methods at a path, each with the values of its parameters (two templates may name them differently)."""

    methods: dict[str, Endpoint]
    values: dict[str, dict[str, str]]


# A node with the values of the parameters on the way to it.
Place = tuple[Node, dict[str, str]]


class Router:
    """All endpoints of the API."""

    def __init__(self) -> None:
        self.root = Node()
        self.endpoints: list[Endpoint] = []

    def add(self, endpoint: Endpoint) -> None:
        """Register an endpoint; two at the same place are a programming error."""
        node = self.root
        for part in endpoint.path.strip("/").split("/"):
            node = _child(node, part)
        if endpoint.method in node.methods:
            raise ValueError(f"{endpoint.method} {endpoint.path} is declared twice")
        node.methods[endpoint.method] = endpoint
        self.endpoints.append(endpoint)

    def match(self, segments: list[str]) -> Match | None:
        """Find the place for decoded segments; a trailing slash and a format suffix are forgiven."""
        if segments and segments[-1] == "":
            segments = segments[:-1]
        if not segments:
            return None
        result = _merged(_places(self.root, segments))
        if result is None and "." in segments[-1]:
            stem, _, suffix = segments[-1].rpartition(".")
            if suffix.isalnum() and len(suffix) <= 5:
                result = _merged(_places(self.root, [*segments[:-1], stem], only_fixed=True))
        return result


def _merged(places: list[Place]) -> Match | None:
    """All methods of all templates that fit; the closest template wins."""
    methods: dict[str, Endpoint] = {}
    values: dict[str, dict[str, str]] = {}
    for node, matched_values in places:
        for method, endpoint in node.methods.items():
            if method not in methods:
                methods[method], values[method] = endpoint, matched_values
    return Match(methods, values) if methods else None


def _child(node: Node, part: str) -> Node:
    if not part.startswith("{"):
        return node.words.setdefault(part, Node())
    name = part.strip("{}")
    if name.endswith("*"):
        node.rest = node.rest or (name[:-1], Node(fixed=False))
        return node.rest[1]
    if name.endswith(":int"):
        return node.numbers.setdefault(name[:-4], Node())
    return node.params.setdefault(name, Node(fixed=False))


def _places(root: Node, segments: list[str], *, only_fixed: bool = False) -> list[Place]:
    """Every place that fits, the closest first: a word before a number before a text before a rest."""
    places: list[Place] = []

    def walk(node: Node, at: int, values: dict[str, str]) -> None:
        if at == len(segments):
            if node.fixed or not only_fixed:
                places.append((node, values))
            return
        segment = segments[at]
        if (word := node.words.get(segment)) is not None:
            walk(word, at + 1, values)
        if segment == "":
            return
        if node.numbers and parse_id(segment) is not None:
            for name, child in node.numbers.items():
                walk(child, at + 1, {**values, name: segment})
        for name, child in node.params.items():
            walk(child, at + 1, {**values, name: segment})
        if node.rest is not None and not only_fixed:
            name, child = node.rest
            places.append((child, {**values, name: "/".join(segments[at:])}))

    walk(root, 0, {})
    return places
