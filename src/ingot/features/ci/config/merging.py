"""Deep merge, `extends` and `!reference`: how parts of configurations become one mapping."""

from __future__ import annotations

from typing import Any

from ingot.features.ci.config.budget import Budget
from ingot.features.ci.config.problems import ConfigInvalid
from ingot.features.ci.config.values import Mapping, Reference

MAX_LEVELS = 10


def deep_merge(base: Mapping, over: Mapping, budget: Budget) -> Mapping:
    """A new mapping: nested mappings are merged, other values in `over` replace those of `base`."""
    budget.spend(len(base) + len(over))
    merged = dict(base)
    for key, value in over.items():
        base_value = merged.get(key)
        if isinstance(base_value, dict) and isinstance(value, dict):
            merged[key] = deep_merge(base_value, value, budget)
        else:
            merged[key] = value
    return merged


def resolve_references(config: Mapping, budget: Budget) -> Mapping:
    """The configuration with each `!reference` replaced by the value it names."""
    resolved: dict[tuple[str, ...], Any] = {}

    def walk(value: object, chain: tuple[tuple[str, ...], ...]) -> Any:
        budget.spend()
        if isinstance(value, Reference):
            return follow(tuple(value), chain)
        if isinstance(value, dict):
            return {key: walk(item, chain) for key, item in value.items()}
        if isinstance(value, list):
            return [walk(item, chain) for item in value]
        return value

    def follow(path: tuple[str, ...], chain: tuple[tuple[str, ...], ...]) -> Any:
        if path in resolved:
            return resolved[path]
        label = "!reference [" + ", ".join(f'"{part}"' for part in path) + "]"
        if path in chain:
            raise ConfigInvalid([f"{label} is part of a circular chain"])
        if len(chain) >= MAX_LEVELS:
            raise ConfigInvalid([f"{label} is nested too deeply"])
        target: Any = config
        for part in path:
            if not isinstance(target, dict) or part not in target:
                raise ConfigInvalid([f"{label} could not be found"])
            target = target[part]
            if isinstance(target, Reference):
                target = follow(tuple(target), (*chain, path))
        resolved[path] = walk(target, (*chain, path))
        return resolved[path]

    return {key: walk(value, ()) for key, value in config.items()}


def resolve_extends(config: Mapping, budget: Budget) -> Mapping:
    """The configuration with the bases of every `extends` merged into the entry."""
    done: dict[str, Mapping] = {}

    def resolve(name: str, chain: tuple[str, ...]) -> Mapping:
        if name in done:
            return done[name]
        entry = config[name]
        if not isinstance(entry, dict):  # `_bases` names mappings only
            return {}
        if name in chain:
            raise ConfigInvalid([f"{chain[-1]}: circular dependency detected in `extends`"])
        if len(chain) > MAX_LEVELS:
            raise ConfigInvalid([f"{chain[0]}: nesting too deep in `extends`"])
        bases = _bases(name, entry, config)
        merged: Mapping = {}
        for base in bases:
            merged = deep_merge(merged, resolve(base, (*chain, name)), budget)
        done[name] = deep_merge(merged, entry, budget) if bases else entry
        return done[name]

    return {name: resolve(name, ()) if isinstance(entry, dict) else entry for name, entry in config.items()}


def _bases(name: str, entry: Mapping, config: Mapping) -> list[str]:
    extends = entry.get("extends")
    if extends is None:
        return []
    bases = [extends] if isinstance(extends, str) else extends
    if not isinstance(bases, list) or not all(isinstance(base, str) for base in bases):
        raise ConfigInvalid([f"{name}: invalid extends config in `extends`: should be an array of strings or a string"])
    unknown = [base for base in bases if not isinstance(config.get(base), dict)]
    if unknown:
        raise ConfigInvalid([f"{name}: unknown keys in `extends` ({', '.join(unknown)})"])
    return bases
