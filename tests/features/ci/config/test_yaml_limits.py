from __future__ import annotations

import contextlib
import time

import pytest

from ingot.features.ci.config import ConfigInvalid, PipelineEvent, PipelineNotCreated, compile_pipeline, lint
from tests.features.ci.config.compiling import errors
from tests.support.processor_time import slowness


def _laughs(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join([*lines, "job: {script: x}"])


def _merges(levels: int) -> str:
    lines = [".m0: &m0 {a: 1, b: 2, c: 3}"]
    lines += [f".m{n}: &m{n} {{<<: [{', '.join([f'*m{n - 1}'] * 10)}]}}" for n in range(1, levels)]
    return "\n".join([*lines, "job: {script: x}"])


def _references(levels: int) -> str:
    lines = [".r0: {s: [x, x, x, x, x, x, x, x, x, x]}"]
    lines += [f".r{n}: {{s: [{', '.join([f'!reference [.r{n - 1}, s]'] * 10)}]}}" for n in range(1, levels)]
    return "\n".join([*lines, f"job: {{script: !reference [.r{levels - 1}, s]}}"])


def _fat_base(keys: int, jobs: int) -> str:
    variables = ", ".join(f"V{n}: x" for n in range(keys))
    return f".b: {{script: x, variables: {{{variables}}}}}\n" + "".join(
        f"j{n}: {{extends: .b, variables: {{A: b}}}}\n" for n in range(jobs)
    )


HOSTILE = {
    "nested aliases": _laughs(9),
    "merge keys": _merges(9),
    "references": _references(9),
    "one large base for many jobs": _fat_base(5_000, 2_000),
    "deep nesting": "a: " + "[" * 200_000,
    "deep blocks": "\n".join(" " * n + "a:" for n in range(500)),
    "an alias of itself": "a: &a [*a]\njob: {script: x}",
    "a long number": "a: " + "1" * 1_000_000 + "\njob: {script: x}",
    "a sexagesimal number": "a: 1" + ":1" * 400_000 + "\njob: {script: x}",
    "too many bytes": "# " + "x" * 3_000_000,
    "many parallel jobs": "".join(f"j{n}: {{script: x, parallel: 200}}\n" for n in range(3_000)),
    "a backtracking pattern": "a: {script: x, rules: [{if: '$V =~ /(a+)+$/'}]}",
    "a python object": "a: !!python/object/apply:os.system [ls]",
    "a set": "a: !!set {x}\njob: {script: x}",
    "mapping keys": "? {a: b}\n: c\n",
    "control characters": "a: \x00",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_judged_quickly(name: str) -> None:
    begun = time.process_time()
    variables = {"V": "a" * 50_000 + "b"}
    with contextlib.suppress(ConfigInvalid, PipelineNotCreated):
        compile_pipeline(HOSTILE[name], PipelineEvent(ref="main", variables=variables))

    assert time.process_time() - begun < 5 * slowness()


@pytest.mark.parametrize("name", ["nested aliases", "merge keys", "references", "one large base for many jobs"])
def test_expansion_beyond_the_limit_is_refused(name: str) -> None:
    assert errors(HOSTILE[name]) == ["The parsed YAML is too big"]


def test_variables_that_double_each_other_do_not_explode() -> None:
    doubling = "\n".join(f"  V{n}: $V{n - 1}$V{n - 1}" for n in range(1, 60))
    text = f"variables:\n  V0: xxxxxxxxxx\n{doubling}\njob: {{script: x, rules: [{{if: $V59}}]}}"

    assert errors(text) == []


def test_anchors_and_merge_keys_of_ordinary_size_work() -> None:
    result = lint(".x: &x {image: a, script: [b]}\njob: {<<: *x, script: [c]}")

    assert result.valid
    assert result.merged_yaml is not None
    assert "image: a" in result.merged_yaml
