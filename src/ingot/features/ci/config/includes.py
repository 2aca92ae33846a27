"""`include`: files of this project, or files and components of projects the user may read, merged underneath."""

from __future__ import annotations

import base64
import hashlib

import msgspec

from ingot.features.ci.config.budget import Budget
from ingot.features.ci.config.components import find_component
from ingot.features.ci.config.event import PipelineEvent
from ingot.features.ci.config.expansion import expand
from ingot.features.ci.config.expressions import BadExpression, Condition
from ingot.features.ci.config.files import Files, RemoteFailed, WithoutProject
from ingot.features.ci.config.globs import has_wildcard, match_any, matching
from ingot.features.ci.config.hiding import InputScope
from ingot.features.ci.config.inputs import load_with_inputs
from ingot.features.ci.config.loading import load_mapping
from ingot.features.ci.config.merging import deep_merge
from ingot.features.ci.config.problems import ConfigInvalid
from ingot.features.ci.config.rules import Paths, changes_match
from ingot.features.ci.config.shapes import is_strings
from ingot.features.ci.config.values import Mapping
from ingot.kit.outbound import without_secrets

MAX_INCLUDES = 150
MAX_DEPTH = 100
_KINDS = ("local", "project", "remote", "template", "component", "artifact")
_KEYS = (*_KINDS, "file", "ref", "rules", "inputs", "job", "integrity", "cache")
_SUBKEYS = "Valid subkeys are: `component`, `local`, `project`, `remote`, `template`"
_TEMPLATE_ENDING = ".gitlab-ci.yml"
_CHECK_INCLUDES = "Make sure any includes in the pipeline configuration are correctly defined."

Chain = tuple[tuple[str | None, str], ...]
"""The files being included, outermost first, each with its project (None: this one)."""


class Included(msgspec.Struct, frozen=True):
    """One included file, as `/ci/lint` lists it."""

    kind: str
    location: str
    project: str | None = None
    ref: str | None = None


class IncludeExpander:
    """Follows `include` entries from one root file; one instance per compilation."""

    def __init__(self, event: PipelineEvent, budget: Budget, scope: InputScope) -> None:
        self._event = event
        self._scope = scope
        self._variables = {**event.predefined, **event.variables}
        self._budget = budget
        self.included: list[Included] = []

    def expand(self, config: Mapping, files: Files, chain: Chain = ()) -> Mapping:
        """The configuration with its includes merged underneath; `include` itself is gone."""
        if "include" not in config:
            return config
        entries = config["include"]
        own = {key: value for key, value in config.items() if key != "include"}
        merged: Mapping = {}
        for entry in entries if isinstance(entries, list) else [entries]:
            for part in self._parts(_normalised(entry), files, chain):
                merged = deep_merge(merged, part, self._budget)
        return deep_merge(merged, own, self._budget)

    def _parts(self, entry: Mapping, files: Files, chain: Chain) -> list[Mapping]:
        if not self._applies(entry, files):
            return []
        kinds = [key for key in entry if key in _KINDS]
        if len(kinds) != 1:
            shown = ", ".join(f"`{key}: {value}`" for key, value in entry.items() if key != "rules")
            raise ConfigInvalid([f"{shown or 'include'} does not have a valid subkey for include. {_SUBKEYS}"])
        kind = kinds[0]
        if kind == "local":
            return self._local(entry, files, chain)
        if kind == "project":
            return self._project(entry, files, chain)
        if kind == "artifact":
            return self._artifact(entry, files, chain)
        if kind == "component":
            return [self._component(entry, files, chain)]
        if kind == "remote":
            return [self._remote(entry, files, chain)]
        return [self._template(entry, files, chain)]

    def _applies(self, entry: Mapping, files: Files) -> bool:
        rules = entry.get("rules")
        if rules is None:
            return True
        if not isinstance(rules, list):
            raise ConfigInvalid(["include:rules config should be an array of hashes"])
        for rule in rules:
            if not isinstance(rule, dict) or any(key not in ("if", "exists", "when", "changes") for key in rule):
                raise ConfigInvalid(["include:rules:rule config contains unknown keys"])
            if self._holds(rule, files):
                return bool(rule.get("when", "always") != "never")
        return False

    def _holds(self, rule: Mapping, files: Files) -> bool:
        text = rule.get("if")
        if text is not None:
            try:
                if not Condition(str(text)).holds(self._variables):
                    return False
            except BadExpression as error:
                raise ConfigInvalid(["include:rules:rule if invalid expression syntax"]) from error
        changes = rule.get("changes")
        if changes is not None and not changes_match(_patterns("changes", changes), self._variables, self._event):
            return False
        exists = rule.get("exists")
        if exists is None:
            return True
        patterns = _patterns("exists", exists).patterns
        return match_any([expand(pattern, self._variables) for pattern in patterns], files.paths())

    def _local(self, entry: Mapping, files: Files, chain: Chain) -> list[Mapping]:
        project = chain[-1][0] if chain else None
        if isinstance(files, WithoutProject):
            raise ConfigInvalid([f"Local file `{entry['local']}` does not have project!"])
        parts = []
        for given in entry["local"] if isinstance(entry["local"], list) else [entry["local"]]:
            path, shown = self._path(given)
            if not has_wildcard(path):
                parts.append(self._file("local", path, shown, files, entry, (project, path), chain))
                continue
            paths = sorted(matching(path, files.paths()))
            if not paths:
                raise ConfigInvalid([f"Local file `{given}` does not exist!"])
            for match in paths:
                # The name of a file that a hidden value matched would reveal that value.
                name = match if shown == path else shown
                parts.append(self._file("local", match, name, files, entry, (project, match), chain))
        return parts

    def _project(self, entry: Mapping, files: Files, chain: Chain) -> list[Mapping]:
        name, shown = expand(str(entry["project"]), self._variables), self._shown(str(entry["project"]))
        ref = entry.get("ref")
        ref = None if ref is None else expand(str(ref), self._variables)
        other = files.project(name, ref)
        if other is None:
            raise ConfigInvalid([f"Project `{shown}` not found or access denied! {_CHECK_INCLUDES}"])
        given = entry.get("file")
        if not isinstance(given, str | list) or not given:
            raise ConfigInvalid([f"Project `{shown}` file must be specified"])
        paths = [self._path(path) for path in (given if isinstance(given, list) else [given])]
        return [self._file("file", path, label, other, entry, (name, path), chain, ref) for path, label in paths]

    def _component(self, entry: Mapping, files: Files, chain: Chain) -> Mapping:
        written = str(entry["component"])
        address, shown = expand(written, self._variables), self._shown(written)
        component = find_component(address, shown, self._variables, files)
        identity = (component.project, component.path)
        name = component.path if shown == address else shown
        return self._file("component", component.path, name, component.files, entry, identity, chain, component.ref)

    def _template(self, entry: Mapping, files: Files, chain: Chain) -> Mapping:
        path, shown = self._path(entry["template"])
        named = f"Template file `{shown}`"
        if not path.endswith(_TEMPLATE_ENDING):
            raise ConfigInvalid([f"{named} is not a valid location!"])
        text = files.template(path.removesuffix(_TEMPLATE_ENDING))
        if text is None:
            raise ConfigInvalid([f"{named} is empty!"])
        self._require_place(named, ("template", path), chain)
        return self._text("template", path, shown, text, WithoutProject(files), entry, (*chain, ("template", path)))

    def _remote(self, entry: Mapping, files: Files, chain: Chain) -> Mapping:
        written = entry["remote"]
        if not isinstance(written, str):
            raise ConfigInvalid(["include config should be an array of hashes or strings"])
        url = expand(written, self._variables)
        # As it is written: values of variables may be secret.
        shown = without_secrets(written)
        named = f"Remote file `{shown}`"
        if not url.lower().endswith((".yml", ".yaml")):
            raise ConfigInvalid([f"{named} does not have YAML extension!"])
        if not url.startswith(("http://", "https://")):
            raise ConfigInvalid([f"{named} does not have a valid address!"])
        self._require_place(named, ("remote", url), chain)
        try:
            text = files.remote(url)
        except RemoteFailed as failed:
            raise ConfigInvalid([f"{named} could not be fetched because {failed}!"]) from failed
        if not text.strip():
            raise ConfigInvalid([f"{named} is empty!"])
        _require_integrity(named, entry.get("integrity"), text)
        place = (*chain, ("remote", url))
        return self._text("remote", shown, shown, text, WithoutProject(files), entry, place)

    def _require_place(self, named: str, identity: tuple[str | None, str], chain: Chain) -> None:
        if identity in chain or len(chain) >= MAX_DEPTH:
            raise ConfigInvalid([f"{named} is included in a circle"])
        if len(self.included) >= MAX_INCLUDES:
            raise ConfigInvalid([f"Maximum of {MAX_INCLUDES} nested includes are allowed!"])

    def _artifact(self, entry: Mapping, files: Files, chain: Chain) -> list[Mapping]:
        (path, shown), job = self._path(entry["artifact"]), str(entry.get("job") or "")
        text = self._event.read_artifact(job, path)
        if text is None:
            raise ConfigInvalid([f"Artifact file `{shown}` of job `{job}` does not exist!"])
        return [self._text("artifact", path, shown, text, files, entry, chain)]

    def _path(self, given: object) -> tuple[str, str]:
        """The path, and how errors name it."""
        if not isinstance(given, str):
            raise ConfigInvalid(["include config should be an array of hashes or strings"])
        return expand(given, self._variables).removeprefix("/"), self._shown(given).removeprefix("/")

    def _shown(self, written: str) -> str:
        """As it is written, except for predefined variables: values of others may be secret."""
        public = {name: value for name, value in self._event.predefined.items() if name not in self._event.variables}
        return expand(written, public, keep_unknown=True)

    def _file(
        self,
        kind: str,
        path: str,
        shown: str,
        files: Files,
        entry: Mapping,
        identity: tuple[str | None, str],
        chain: Chain,
        ref: str | None = None,
    ) -> Mapping:
        word = {"local": "Local file", "component": "Component file"}.get(kind, "Project file")
        self._require_place(f"{word} `{shown}`", identity, chain)
        if not path.endswith((".yml", ".yaml")):
            raise ConfigInvalid([f"{word} `{shown}` does not have YAML extension!"])
        text = files.read(path)
        if text is None:
            raise ConfigInvalid([f"{word} `{shown}` does not exist!"])
        if not text.strip():
            raise ConfigInvalid([f"{word} `{shown}` is empty!"])
        return self._text(kind, path, shown, text, files, entry, (*chain, identity), ref)

    def _text(
        self,
        kind: str,
        path: str,
        shown: str,
        text: str,
        files: Files,
        entry: Mapping,
        chain: Chain,
        ref: str | None = None,
    ) -> Mapping:
        self._budget.spend(1 + len(text) // 16)
        self.included.append(Included(kind, path, chain[-1][0] if chain else None, ref))
        try:
            config = self._load(text, entry)
        except ConfigInvalid as error:
            if error.errors[0].startswith(("(<unknown>)", "Invalid configuration")):
                raise ConfigInvalid([f"Included file `{shown}` does not have valid YAML syntax!"]) from error
            raise
        return self.expand(config, files, chain)

    def _load(self, text: str, entry: Mapping) -> Mapping:
        inputs = entry.get("inputs")
        if inputs is not None and not isinstance(inputs, dict):
            raise ConfigInvalid(["include:inputs config should be a hash"])
        if inputs or "spec" in text:
            return load_with_inputs(text, inputs or {}, self._scope)
        return load_mapping(text)


def _require_integrity(named: str, expected: object, text: str) -> None:
    if expected is None:
        return
    if not isinstance(expected, str) or not expected.startswith("sha256-"):
        raise ConfigInvalid(["include:integrity config should be a SHA-256 hash in Base64, after `sha256-`"])
    if base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() != expected.removeprefix("sha256-"):
        raise ConfigInvalid([f"{named} does not have the expected integrity hash!"])


def _normalised(entry: object) -> Mapping:
    if isinstance(entry, str):
        return {"remote": entry} if entry.startswith(("http://", "https://")) else {"local": entry}
    if isinstance(entry, dict):
        unknown = [key for key in entry if key not in _KEYS]
        if unknown:
            raise ConfigInvalid([f"include config contains unknown keys: {', '.join(unknown)}"])
        return entry
    raise ConfigInvalid(["include config should be an array of hashes or strings"])


def _patterns(key: str, value: object) -> Paths:
    """`[path]`, `path` or `{paths: [path], compare_to: ref}` of an include rule."""
    compare_to = value.get("compare_to") if isinstance(value, dict) else None
    paths = value.get("paths") if isinstance(value, dict) else value
    paths = [paths] if isinstance(paths, str) else paths
    if not is_strings(paths) or not isinstance(compare_to, str | None):
        raise ConfigInvalid([f"include:rules:rule:{key} config should be an array of strings"])
    return Paths(tuple(paths or ()), compare_to)
