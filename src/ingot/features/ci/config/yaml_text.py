"""YAML with limits on size, depth and alias expansion, plus the `!reference` tag."""

from __future__ import annotations

from typing import Any

import yaml

from ingot.features.ci.config.problems import ConfigInvalid
from ingot.features.ci.config.values import Reference

MAX_BYTES = 2 * 1024 * 1024
MAX_DEPTH = 100
MAX_NODES = 200_000
MAX_CHARACTERS = 8 * 1024 * 1024
# Longer digit strings are text: converting them is quadratic in their length.
MAX_NUMBER_LENGTH = 64


class _Loader(yaml.CSafeLoader):
    """The safe loader, with text keys, dates kept as text, and references."""

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }


def _construct_map(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    loader.flatten_mapping(node)
    return {_key(key): loader.construct_object(value, deep=True) for key, value in node.value}


def _key(node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode):
        raise yaml.constructor.ConstructorError(None, None, "a mapping key must be a scalar", node.start_mark)
    text = str(node.value)
    # Configurations written for Ruby's YAML name keys by symbols: `:script:`. In quotes the colon is part of the name.
    is_symbol = not node.style and text.startswith(":") and len(text) > 1
    return text[1:] if is_symbol else text


def _construct_seq(loader: _Loader, node: yaml.SequenceNode) -> list[Any]:
    return [loader.construct_object(child, deep=True) for child in node.value]


def _construct_reference(_loader: _Loader, node: yaml.Node) -> Reference:
    if not isinstance(node, yaml.SequenceNode) or not node.value:
        raise yaml.constructor.ConstructorError(None, None, "!reference is not valid", node.start_mark)
    return Reference(str(child.value) for child in node.value)


def _construct_int(loader: _Loader, node: yaml.ScalarNode) -> int | str:
    return node.value if len(node.value) > MAX_NUMBER_LENGTH else loader.construct_yaml_int(node)


def _construct_float(loader: _Loader, node: yaml.ScalarNode) -> float | str:
    return node.value if len(node.value) > MAX_NUMBER_LENGTH else loader.construct_yaml_float(node)


_Loader.add_constructor("tag:yaml.org,2002:map", _construct_map)
_Loader.add_constructor("tag:yaml.org,2002:seq", _construct_seq)
_Loader.add_constructor("tag:yaml.org,2002:int", _construct_int)
_Loader.add_constructor("tag:yaml.org,2002:float", _construct_float)
_Loader.add_constructor("!reference", _construct_reference)
for _tag in ("binary", "timestamp"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_tag}", lambda _loader, node: str(node.value))
for _tag in ("omap", "pairs", "set"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_tag}", None)  # type: ignore[arg-type]


def read_documents(text: str) -> list[Any]:
    """The documents of a YAML text as plain values; raises `ConfigInvalid` with the parser's sentence."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise ConfigInvalid(["The parsed YAML is too big"])
    try:
        _check_depth(text)
        loader = _Loader(text)
        try:
            return [_construct(loader, node) for node in _nodes(loader)]
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        raise ConfigInvalid([_sentence(error)]) from error
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise ConfigInvalid(["Invalid configuration format"]) from error


def write_plain(value: dict[str, object]) -> str:
    """A value as YAML in which everything is written out."""
    return yaml.dump(value, Dumper=_PlainDumper, sort_keys=False, explicit_start=True, allow_unicode=True, width=10_000)


class _PlainDumper(yaml.CSafeDumper):
    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - the dumper's own signature
        return True


def _check_depth(text: str) -> None:
    # The composer recurses in C; the event parser does not, so depth is judged on events.
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise ConfigInvalid(["The parsed YAML is too big"])
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _nodes(loader: _Loader) -> list[yaml.Node]:
    nodes = []
    while loader.check_node():
        node = loader.get_node()
        if node is not None:
            _check_expansion(node)
            nodes.append(node)
    return nodes


def _construct(loader: _Loader, node: yaml.Node) -> Any:
    loader.constructed_objects = {}
    loader.recursive_objects = {}
    return loader.construct_document(node)


def _check_expansion(root: yaml.Node) -> None:
    """Refuse graphs that would be huge, endless or too deep once aliases and merge keys are written out."""
    weights: dict[int, tuple[int, int, int]] = {}
    open_nodes: set[int] = set()

    def weigh(node: yaml.Node) -> tuple[int, int, int]:
        known = weights.get(id(node))
        if known is not None:
            return known
        if isinstance(node, yaml.ScalarNode):
            weight = (1, len(node.value), 1)
        else:
            if id(node) in open_nodes:
                raise ConfigInvalid(["Invalid configuration format"])
            open_nodes.add(id(node))
            children = (
                [part for pair in node.value for part in pair] if isinstance(node, yaml.MappingNode) else node.value
            )
            parts = [weigh(child) for child in children]
            open_nodes.discard(id(node))
            weight = (
                1 + sum(part[0] for part in parts),
                sum(part[1] for part in parts),
                1 + max((part[2] for part in parts), default=0),
            )
            if weight[0] > MAX_NODES or weight[1] > MAX_CHARACTERS or weight[2] > MAX_DEPTH:
                raise ConfigInvalid(["The parsed YAML is too big"])
        weights[id(node)] = weight
        return weight

    weigh(root)


def _sentence(error: yaml.MarkedYAMLError) -> str:
    words = [word for word in (error.problem, error.context) if word]
    mark = error.problem_mark or error.context_mark
    place = f" at line {mark.line + 1} column {mark.column + 1}" if mark else ""
    return f"(<unknown>): {' '.join(words) or 'invalid YAML'}{place}"
