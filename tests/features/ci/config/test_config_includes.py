from __future__ import annotations

import base64
import hashlib

import pytest

from ingot.features.ci.config import PipelineEvent, compile_pipeline
from ingot.features.ci.config.files import FilesInMemory
from tests.features.ci.config.compiling import errors, names, plan


def test_includes_are_merged_below_the_including_file() -> None:
    files = {
        "ci/base.yml": "include: /ci/deep.yml\nshared: {script: base, image: i}",
        "ci/deep.yml": "deep: {script: deep}",
        "ci/jobs/a.yml": "a: {script: a}",
        "ci/jobs/b.yml": "b: {script: b}",
        "no.yml": "no: {script: no}",
        "templ.yml": "spec: {inputs: {name: {default: x}}}\n---\n$[[ inputs.name ]]-job:\n  script: a$[[inputs.name]]",
    }
    result = plan(
        """
        include:
          - ci/base.yml
          - local: ci/jobs/*.yml
          - {local: no.yml, rules: [{if: $NEVER}]}
          - {local: no.yml, rules: [{changes: [docs/*]}]}
          - {local: no.yml, rules: [{exists: [nowhere]}]}
          - {local: templ.yml, inputs: {name: lint}}
          - {project: g/p, ref: main, file: [p.yml]}
        shared: {script: [mine]}
        """,
        files=files,
        changed=["src/x"],
        projects={"g/p": {"p.yml": "include: q.yml\nforeign: {script: x}", "q.yml": "nested: {script: y}"}},
    )

    assert {job.name for job in result.jobs} == {"shared", "deep", "a", "b", "lint-job", "foreign", "nested"}
    assert result.job("shared").script == ("mine",)
    assert result.job("shared").image is not None
    assert result.job("lint-job").script == ("alint",)


COMPONENTS = {
    "g/tools": {
        "templates/scan.yml": "spec: {inputs: {name: {default: scan}}}\n---\n'$[[ inputs.name ]]': {script: x}",
        "templates/deep/template.yml": "deep: {script: y}",
    }
}


@pytest.mark.parametrize(
    ("address", "result"),
    [
        ("git.test/g/tools/scan@main", ["fast"]),
        ("$CI_SERVER_FQDN/g/tools/scan@~latest", ["fast"]),
        ("$CI_SERVER_HOST/g/tools/deep@1", ["deep"]),
        ("git.test/g/tools/deep@1.10.0", ["deep"]),
    ],
)
def test_components_of_this_server_are_included(address: str, result: list[str]) -> None:
    inputs = ", inputs: {name: fast}" if "scan" in address else ""
    files = FilesInMemory({}, COMPONENTS, tags=["1.9.0", "1.10.0", "2.0.0-rc", "other"])
    given = PipelineEvent(
        ref="main", predefined={"CI_SERVER_FQDN": "git.test", "CI_SERVER_HOST": "git.test"}, files=files
    )

    created = compile_pipeline(f"include: [{{component: {address}{inputs}}}]", given)

    assert [job.name for job in created.jobs] == result


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("elsewhere.test/g/tools/scan@1", "only components of this server can be included"),
        ("git.test/g/tools/scan", "the address should be `host/project/component@version`"),
        ("git.test/scan@1", "the address should be `host/project/component@version`"),
        ("git.test/g/hidden/scan@1", "the project or version does not exist, or you may not read it"),
        ("git.test/g/tools/scan@~latest", "the project or version does not exist, or you may not read it"),
        ("git.test/g/tools/nothing@main", "content not found"),
    ],
)
def test_components_that_cannot_be_found_are_named(address: str, why: str) -> None:
    given = {"files": {}, "projects": COMPONENTS, "predefined": {"CI_SERVER_FQDN": "git.test"}}

    assert errors(f"include: [{{component: {address}}}]", **given) == [f"Component '{address}' - {why}"]


def test_an_include_circle_and_a_broken_include_are_named() -> None:
    assert errors("include: a.yml", files={"a.yml": "include: b.yml", "b.yml": "include: a.yml"}) == [
        "Local file `a.yml` is included in a circle"
    ]
    assert errors("include: a.yml", files={"a.yml": "a: [b"}) == [
        "Included file `a.yml` does not have valid YAML syntax!"
    ]


def test_inputs_of_the_pipeline_fill_the_header() -> None:
    text = """
    spec:
      inputs:
        stage: {options: [build, test], default: test}
        count: {type: number}
        flags: {type: array, default: [a, b]}
    ---
    job:
      stage: $[[ inputs.stage ]]
      script: $[[ inputs.flags ]]
      parallel: $[[ inputs.count ]]
    """

    assert names(text, inputs={"count": 2, "stage": "build"}) == ["job 1/2", "job 2/2"]
    assert errors(text) == ["`count` input: required value has not been provided"]
    assert "cannot be used because it is not in the list" in errors(text, inputs={"count": 1, "stage": "x"})[0]
    assert errors(text, inputs={"count": 1, "x": 1}) == ["unknown input arguments: x"]


PLACE = "https://elsewhere.test/ci"


def test_files_of_other_servers_are_included() -> None:
    remote = {
        f"{PLACE}/a.yml": f"include: {PLACE}/b.yaml\na: {{script: a}}",
        f"{PLACE}/b.yaml": "include: {project: g/p, file: p.yml}\nb: {script: b}",
        f"{PLACE}/c.yml": "spec: {inputs: {name: {default: x}}}\n---\n$[[ inputs.name ]]: {script: c}",
    }
    text = f"""
        include:
          - {PLACE}/a.yml
          - {{remote: {PLACE}/$NAME.yml, inputs: {{name: cee}}}}
          - {{remote: {PLACE}/never.yml, rules: [{{if: $NEVER}}]}}
        own: {{script: x}}
        """

    result = names(
        text, files={}, remote=remote, projects={"g/p": {"p.yml": "p: {script: p}"}}, variables={"NAME": "c"}
    )

    assert sorted(result) == ["a", "b", "cee", "own", "p"]


@pytest.mark.parametrize(
    ("entry", "text", "sentence"),
    [
        (f"{PLACE}/a.txt", "a: {script: x}", "does not have YAML extension!"),
        ("ftp://elsewhere.test/a.yml", "a: {script: x}", "does not have a valid address!"),
        (f"{PLACE}/gone.yml", "", "could not be fetched because of a socket error!"),
        (f"{PLACE}/a.yml", "  ", "is empty!"),
        (f"{PLACE}/a.yml", f"include: {PLACE}/a.yml", "is included in a circle"),
    ],
)
def test_what_is_wrong_with_a_remote_file_is_said(entry: str, text: str, sentence: str) -> None:
    result = errors(f"include: {{remote: '{entry}'}}\nown: {{script: x}}", files={}, remote={f"{PLACE}/a.yml": text})

    assert result == [f"Remote file `{entry}` {sentence}"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("https://me:secret@elsewhere.test/gone.yml", "https://elsewhere.test/gone.yml"),
        ("https://elsewhere.test/$KEY/gone.yml", "https://elsewhere.test/$KEY/gone.yml"),
        ("https://me:$KEY@elsewhere.test/gone.yml", "https://elsewhere.test/gone.yml"),
    ],
)
def test_secrets_in_the_address_of_a_remote_file_are_not_shown(written: str, shown: str) -> None:
    result = errors(f"include: {written}", files={}, variables={"KEY": "secret"})

    assert result == [f"Remote file `{shown}` could not be fetched because of a socket error!"]


def test_a_remote_file_has_no_local_ones_and_keeps_its_hash() -> None:
    remote = {f"{PLACE}/a.yml": "include: /b.yml", f"{PLACE}/c.yml": "c: {script: x}"}
    right = "sha256-" + base64.b64encode(hashlib.sha256(b"c: {script: x}").digest()).decode()

    assert errors(f"include: {PLACE}/a.yml", files={"b.yml": "b: {script: x}"}, remote=remote) == [
        "Local file `/b.yml` does not have project!"
    ]
    assert names(f"include: {{remote: {PLACE}/c.yml, integrity: {right}}}", files={}, remote=remote) == ["c"]
    assert errors(f"include: {{remote: {PLACE}/c.yml, integrity: sha256-x}}", files={}, remote=remote) == [
        f"Remote file `{PLACE}/c.yml` does not have the expected integrity hash!"
    ]


def test_templates_of_the_server_can_be_included() -> None:
    templates = {"Nodejs": "test: {script: npm test}", "Circle": "include: {template: Circle.gitlab-ci.yml}"}
    included = "include: {template: Nodejs.gitlab-ci.yml}"

    assert names(included, files={}, templates=templates) == ["test"]
    assert names(f"{included}\nown: {{script: x}}", files={}, templates=templates) == ["test", "own"]
    for written, problem in (
        ("Jobs/Test.gitlab-ci.yml", "is empty!"),
        ("Nodejs.yml", "is not a valid location!"),
        ("Circle.gitlab-ci.yml", "is included in a circle"),
    ):
        result = errors(f"include: {{template: {written}}}", files={}, templates=templates)
        assert result == [f"Template file `{written}` {problem}"]
