from __future__ import annotations

import pytest

from ingot.kit.environment_names import NAME_RULE
from tests.features.ci.config.compiling import errors

CASES = [
    ("", "Please provide content of .gitlab-ci.yml"),
    ("- a", "Invalid configuration format"),
    ("just text", "Invalid configuration format"),
    (".a: {script: x}", "jobs config should contain at least one visible job"),
    ("a: {script: x, foo: 1}", "jobs:a config contains unknown keys: foo"),
    ("a: {script: x, trigger: y}", "jobs:a config contains unknown keys: trigger"),
    ("a: {stage: test}", "jobs:a config should implement the script:, run:, or trigger: keyword"),
    ("a: text", "jobs:a config should implement the script:, run:, or trigger: keyword"),
    (
        "a: {script: x, stage: nope}",
        "a job: chosen stage does not exist; available stages are .pre, build, test, deploy, .post",
    ),
    (
        "a: {script: {x: y}}",
        "jobs:a:script config should be a string or a nested array of strings up to 10 levels deep",
    ),
    ("a: {script: []}", "jobs:a script can't be blank"),
    ("'true': {script: x}", "jobs:true name is a reserved word"),
    ("nil: {script: x}", "jobs:nil name is a reserved word"),
    ("a: {trigger: }", "jobs:a trigger can't be blank"),
    ("a: {trigger: {project: }}", "jobs:a:trigger config must specify one of: project, include"),
    (
        "a: {trigger: {include: [{ref: x}]}}",
        "jobs:a:trigger:include config must specify one of: local, artifact, project, remote, component",
    ),
    ("a: {script: x, needs: [{job: b, pipeline: [1]}]}", "jobs:a:needs:need pipeline should be a string"),
    ("a: {script: x, environment: ' '}", "jobs:a:environment name can't be blank"),
    ('a: {script: x, environment: "live\\t"}', f"jobs:a:environment name {NAME_RULE}"),
    ("a: {script: x, environment: {name: e, kubernetes: 1}}", "jobs:a:environment:kubernetes config should be a hash"),
    ("a: {script: x, release: {tag_name: v, description: d, name: [1]}}", "jobs:a:release name should be a string"),
    (
        "a: {script: x, release: {tag_name: v, description: d, assets: {links: [1]}}}",
        "jobs:a:release:assets links should be an array of hashes",
    ),
    (
        "a: {script: x, release: {tag_name: v, description: d, assets: {links: [{name: n}]}}}",
        "jobs:a:release:assets:links:link url can't be blank",
    ),
    ("a: {script: x, id_tokens: {T: {aud: 1}}}", "jobs:a:id_tokens:T aud should be a string or an array of strings"),
    ("a: {script: x, secrets: [1]}", "jobs:a:secrets config should be a hash of hashes"),
    ("a: {script: x, identity: 1}", "jobs:a:identity config should be a string"),
    ("stages: x\na: {script: x}", "stages config should be an array of strings"),
    ("variables: [a]\na: {script: x}", "variables config should be a hash"),
    ("a: {script: x, variables: text}", "jobs:a:variables config should be a hash"),
    (
        "a: {script: x, variables: {A: [1]}}",
        "jobs:a:variables:A config variable definition must be either a string or a hash",
    ),
    (
        "a: {script: x, when: later}",
        "jobs:a when should be one of: on_success, on_failure, always, manual, delayed",
    ),
    ("a: {script: x, when: delayed}", "jobs:a start in should be a duration"),
    ("a: {script: x, when: delayed, start_in: 2 weeks}", "jobs:a start in should not exceed the limit"),
    ("a: {script: x, start_in: 1 day}", "jobs:a start in must be blank"),
    ("a: {script: x, allow_failure: maybe}", "jobs:a allow failure should be a hash or a boolean value"),
    ("a: {script: x, retry: 3}", "jobs:a:retry config must be less than or equal to 2"),
    ("a: {script: x, retry: {max: 1, when: rain}}", "jobs:a:retry when unknown value: rain"),
    ("a: {script: x, retry: {when: [rain, sun]}}", "jobs:a:retry when contains unknown values: rain, sun"),
    ("a: {script: x, tags: t}", "jobs:a:tags config should be an array of strings"),
    ("a: {script: x, timeout: soon}", "jobs:a:timeout config should be a duration"),
    ("a: {script: x, coverage: 5}", "jobs:a:coverage config must be a regular expression with re2 syntax"),
    ("a: {script: x, coverage: '/(/'}", "jobs:a:coverage config must be a regular expression with re2 syntax"),
    ("a: {script: x, parallel: many}", "jobs:a:parallel should be an integer or a hash"),
    ("a: {script: x, parallel: 0}", "jobs:a:parallel config must be greater than or equal to 1"),
    ("a: {script: x, parallel: 201}", "jobs:a:parallel config must be less than or equal to 200"),
    (
        "a: {script: x, parallel: {matrix: [{A: [1,2,3,4,5,6], B: [1,2,3,4,5,6], C: [1,2,3,4,5,6]}]}}",
        "jobs:a:parallel:matrix config generates too many jobs (maximum is 200)",
    ),
    ("a: {script: x, image: 5}", "jobs:a:image config should be a hash or a string"),
    ("a: {script: x, image: {entrypoint: y}}", "jobs:a:image name can't be blank"),
    ("a: {script: x, services: y}", "jobs:a:services config should be a array"),
    ("a: {script: x, cache: {key: a/b}}", 'jobs:a:cache:key config cannot contain the "/" character'),
    ("a: {script: x, environment: {url: u}}", "jobs:a:environment name can't be blank"),
    (
        "a: {script: x, environment: {name: n, action: fly}}",
        "jobs:a:environment action should be start, stop, prepare, verify, or access",
    ),
    ("a: {script: x, environment: {name: n, on_stop: b}}", "a job: on_stop job b is not defined"),
    (
        "a: {script: x, environment: {name: n, on_stop: b}}\nb: {script: x}",
        "a job: on_stop job b does not have environment defined",
    ),
    (
        "a: {script: x, environment: {name: n, on_stop: b}}\nb: {script: x, environment: m}",
        "a job: on_stop job b have different environment name",
    ),
    (
        "a: {script: x, environment: {name: n, on_stop: b}}\nb: {script: x, environment: n}",
        "a job: on_stop job b needs to have action stop defined",
    ),
    ("a: {script: x, artifacts: {paths: y}}", "jobs:a:artifacts paths should be an array of strings"),
    ("a: {script: x, artifacts: {foo: y}}", "jobs:a:artifacts config contains unknown keys: foo"),
    ("a: {script: x, artifacts: {expire_in: soon}}", "jobs:a:artifacts expire in should be a duration"),
    (
        "a: {script: x, artifacts: {when: never}}",
        "jobs:a:artifacts when should be one of: on_success, on_failure, always",
    ),
    (
        "a: {script: x, artifacts: {public: true, access: none}}",
        "jobs:a:artifacts config these keys cannot be used together: public, access",
    ),
    (
        "a: {script: x, artifacts: {access: me}}",
        "jobs:a:artifacts access should be one of: all, developer, maintainer, none",
    ),
    ("a: {script: x, artifacts: {reports: {foo: y}}}", "jobs:a:artifacts:reports config contains unknown keys: foo"),
    (
        "a: {script: x, artifacts: {reports: {junit: {a: b}}}}",
        "jobs:a:artifacts:reports junit should be an array of strings or a string",
    ),
    (
        "a: {script: x, artifacts: {expose_as: a, paths: ['*']}}",
        "jobs:a:artifacts paths can't contain '*' when used with 'expose_as'",
    ),
    ("a: {script: x, rules: {if: y}}", "jobs:a rules should be an array containing hashes and arrays of hashes"),
    ("a: {script: x, rules: [{if: '$A ='}]}", "jobs:a:rules:rule if invalid expression syntax"),
    ("a: {script: x, rules: [{when: now}]}", "jobs:a:rules:rule when unknown value: now"),
    ("a: {script: x, rules: [{foo: 1}]}", "jobs:a:rules:rule config contains unknown keys: foo"),
    ("a: {script: x, rules: [{changes: y}]}", "jobs:a:rules:rule:changes config should be an array of strings"),
    ("a: {script: x, rules: [{when: always}], only: [main]}", "jobs:a config key may not be used with `rules`: only"),
    ("a: {script: x, only: main}", "jobs:a:only has to be either an array of conditions or a hash"),
    (
        "a: {script: x, only: ['/(/']}",
        "jobs:a:only config should be an array of strings or regular expressions using re2 syntax",
    ),
    ("a: {script: x, only: {variables: ['$A ==']}}", "jobs:a:only variables invalid expression syntax"),
    ("a: {script: x, needs: [b]}", "a job: undefined need: b"),
    ("a: {script: x, needs: 5}", "jobs:a:needs config can only be a hash or an array"),
    ("a: {script: x, needs: [b, b]}\nb: {script: x}", "jobs:a:needs config has the following needs duplicates: b."),
    (
        "a: {script: x, stage: build, needs: [b]}\nb: {script: x}",
        "a job: need b is not defined in current or prior stages",
    ),
    ("a: {script: x, needs: [a]}", "The pipeline has circular dependencies: self-dependency: a"),
    (
        "a: {script: x, needs: [b]}\nb: {script: x, needs: [a]}",
        "The pipeline has circular dependencies: topological sort failed: a, b",
    ),
    ("a: {script: x, dependencies: [b]}", "a job: undefined dependency: b"),
    (
        "a: {script: x, dependencies: [b]}\nb: {script: x, stage: deploy}",
        "a job: dependency b is not defined in current or prior stages",
    ),
    (
        "a: {script: x, needs: [b], dependencies: [c]}\nb: {script: x, stage: build}\nc: {script: x, stage: build}",
        "jobs:a dependencies the c should be part of needs",
    ),
    (
        "a: {script: x, needs: [b]}\nb: {script: x, stage: build, rules: [{when: never}]}",
        (
            "'a' job needs 'b' job, but 'b' does not exist in the pipeline. This might be because of the only, except, "
            "or rules keywords. To need a job that sometimes does not exist in the pipeline, use needs:optional."
        ),
    ),
    ("a: {trigger: {strategy: wait, include: x}}", "jobs:a:trigger strategy should be depend or mirror"),
    ("a: {trigger: {foo: wait, include: x}}", "jobs:a:trigger config contains unknown keys: foo"),
    (
        "a: {trigger: {project: p, include: x}}",
        "jobs:a:trigger config these keys cannot be used together: project, include",
    ),
    ("a: {extends: .b, script: x}", "a: unknown keys in `extends` (.b)"),
    (
        ".b: {extends: .c}\n.c: {extends: .b}\na: {extends: .b, script: x}",
        ".c: circular dependency detected in `extends`",
    ),
    ("a: {script: !reference [.b, script]}", '!reference [".b", "script"] could not be found'),
    (
        ".b: {script: [!reference [.b, script]]}\na: {script: x}",
        '!reference [".b", "script"] is part of a circular chain',
    ),
    ("default: {foo: 1}\na: {script: x}", "default config contains unknown keys: foo"),
    ("default: {image: a}\nimage: b\na: {script: x}", "root image is defined in top-level and `default:` entry"),
    ("workflow: {foo: 1}\na: {script: x}", "workflow config contains unknown keys: foo"),
    ("workflow: {rules: [{when: manual}]}\na: {script: x}", "workflow:rules:rule when unknown value: manual"),
    ("a: {script: x, inherit: {default: [foo]}}", "jobs:a:inherit:default config contains unknown values: foo"),
    ("include: {local: x.yml}\na: {script: x}", "Local file `x.yml` does not exist!"),
    ("include: x.txt\na: {script: x}", "Local file `x.txt` does not have YAML extension!"),
    ("include: {foo: x}\na: {script: x}", "include config contains unknown keys: foo"),
    (
        "include: {project: a/b, file: x.yml}\na: {script: x}",
        (
            "Project `a/b` not found or access denied! "
            "Make sure any includes in the pipeline configuration are correctly defined."
        ),
    ),
]


@pytest.mark.parametrize(("text", "sentence"), CASES, ids=[case[1][:60] for case in CASES])
def test_a_fault_is_named_with_its_place(text: str, sentence: str) -> None:
    assert sentence in errors(text)


def test_every_faulty_job_is_named_at_once() -> None:
    result = errors("a: {script: x, foo: 1}\nb: {script: x, bar: 1}")

    assert result == ["jobs:a config contains unknown keys: foo", "jobs:b config contains unknown keys: bar"]


def test_a_yaml_error_says_where_it_is() -> None:
    result = errors("a:\n  script: [x\nb: y\n")

    assert result[0].startswith("(<unknown>): did not find expected ',' or ']' while parsing a flow sequence at line 3")


def test_more_needs_than_allowed_are_refused_with_both_numbers() -> None:
    text = "a: {script: x, stage: deploy, needs: [b, c]}\nb: {script: x}\nc: {script: x}"

    assert errors(text, needs_limit=1) == [
        "a: one job can only need 1 others, but you have listed 2. See needs keyword documentation for more details"
    ]
    assert errors(text, needs_limit=2) == []
