from __future__ import annotations

import msgspec
import pytest

from ingot.features.ci.config import Artifacts, ConfigInvalid, CrossNeed, Need, PipelinePlan, compile_pipeline, lint
from ingot.features.ci.config.problems import PipelineEmpty, PipelineFiltered
from tests.features.ci.config.compiling import event, names, plan

RULED = [
    ("[{if: '$CI_COMMIT_BRANCH == \"main\"'}]", {}, True),
    ("[{if: '$CI_COMMIT_BRANCH == \"main\"', when: never}, {when: always}]", {}, False),
    ("[{if: '$X'}]", {}, False),
    ("[{if: '$X'}]", {"variables": {"X": "1"}}, True),
    ("[[{if: '$X'}], [[{when: on_success}]]]", {}, True),
    ("[{changes: [src/**/*]}]", {"changed": ["src/a/b.py"]}, True),
    ("[{changes: [src/**/*]}]", {"changed": ["src/b.py"]}, True),
    ("[{changes: ['*.md']}]", {"changed": ["docs/a.md"]}, False),
    ("[{changes: ['**/*.{md,txt}']}]", {"changed": ["docs/a.txt"]}, True),
    ("[{changes: {paths: [a], compare_to: main}}]", {"changed": ["a"]}, True),
    ("[{changes: [$D/*]}]", {"changed": ["src/x"], "variables": {"D": "src"}}, True),
    ("[{changes: [a]}]", {"changed": None}, True),
    ("[{changes: [a]}]", {"changed": []}, False),
    ("[{exists: [Dockerfile]}]", {"files": {"Dockerfile": ""}}, True),
    ("[{exists: ['**/*.tf']}]", {"files": {"a/b/c.tf": ""}}, True),
    ("[{exists: [Dockerfile]}]", {"files": {}}, False),
    ("[{exists: {paths: [x], project: g/p}}]", {"files": {}, "projects": {"g/p": {"x": ""}}}, True),
    ("[]", {}, False),
]


@pytest.mark.parametrize(("rules", "given", "included"), RULED)
def test_rules_decide_whether_a_job_takes_part(rules: str, given: dict[str, object], included: bool) -> None:
    text = f"other: {{script: x, rules: [{{when: always}}]}}\njob: {{script: x, rules: {rules}}}"

    assert ("job" in names(text, **given)) is included


POLICIES = [
    ("", {}, True),
    ("", {"is_tag": True, "ref": "v1"}, True),
    ("", {"source": "merge_request_event"}, False),
    ("only: [merge_requests]", {"source": "merge_request_event"}, True),
    ("only: [branches]", {"is_tag": True}, False),
    ("only: [tags]", {"is_tag": True}, True),
    ("only: [main]", {}, True),
    ("only: [main]", {"ref": "other"}, False),
    ("only: ['/^ma/']", {}, True),
    ("only: ['/^MA/i']", {}, True),
    ("only: [schedules]", {"source": "schedule"}, True),
    ("only: [schedules]", {}, False),
    ("only: [pushes, web]", {"source": "web"}, True),
    ("only: [triggers]", {"source": "trigger"}, True),
    ("only: ['branches@g/p']", {"project_path": "g/p"}, True),
    ("only: ['branches@g/p']", {"project_path": "g/q"}, False),
    ("only: {variables: ['$X == \"1\"']}", {"variables": {"X": "1"}}, True),
    ("only: {variables: [$X]}", {}, False),
    ("only: {changes: ['*.py']}", {"changed": ["a.py"]}, True),
    ("only: {changes: ['*.py']}", {"changed": ["a.js"]}, False),
    ("only: {kubernetes: active}", {}, False),
    ("except: [main]", {}, False),
    ("except: [tags]", {}, True),
    ("except: {variables: [$X], changes: [nope]}", {"variables": {"X": "1"}, "changed": []}, False),
]


@pytest.mark.parametrize(("policy", "given", "included"), POLICIES)
def test_only_and_except_decide_whether_a_job_takes_part(policy: str, given: dict[str, object], included: bool) -> None:
    text = f"other: {{script: x, rules: [{{when: always}}]}}\njob: {{{policy + ', ' if policy else ''}script: x}}"

    assert ("job" in names(text, **given)) is included


def test_a_rule_changes_how_the_job_runs() -> None:
    job = plan(
        """
        job:
          script: x
          variables: {A: job}
          rules:
            - if: $CI_COMMIT_BRANCH
              when: delayed
              start_in: 5 minutes
              allow_failure: true
              interruptible: true
              variables: {A: rule, B: new}
              needs: []
        """
    ).job("job")

    assert (job.when, job.start_in, job.allow_failure, job.interruptible) == ("delayed", 300, True, True)
    assert {variable.key: variable.value for variable in job.variables} == {"A": "rule", "B": "new"}
    assert job.needs == ()


@pytest.mark.parametrize(
    ("job", "when", "allowed", "codes"),
    [
        ("", "on_success", False, ()),
        ("when: manual", "manual", True, ()),
        ("when: manual, allow_failure: false", "manual", False, ()),
        ("rules: [{when: manual}]", "manual", False, ()),
        ("rules: [{when: manual, allow_failure: true}]", "manual", True, ()),
        ("when: manual, rules: [{if: $CI_COMMIT_BRANCH}]", "manual", False, ()),
        ("allow_failure: {exit_codes: [1, 137]}", "on_success", False, (1, 137)),
        ("allow_failure: {exit_codes: 5}", "on_success", False, (5,)),
        ("allow_failure: true", "on_success", True, ()),
        ("when: always", "always", False, ()),
    ],
)
def test_failure_is_allowed_as_said_or_for_plain_manual_jobs(
    job: str, when: str, allowed: bool, codes: tuple[int, ...]
) -> None:
    result = plan(f"job: {{{job + ', ' if job else ''}script: x}}").job("job")

    assert (result.when, result.allow_failure, result.allow_failure_exit_codes) == (when, allowed, codes)


def test_stages_are_ordered_and_framed() -> None:
    result = plan(
        """
        stages: [one, two, three]
        c: {script: x, stage: two}
        z: {script: x, stage: .post}
        b: {script: x, stage: one}
        a: {script: x, stage: .pre}
        """
    )

    assert result.stages == (".pre", "one", "two", ".post")
    assert [job.name for job in result.jobs] == ["a", "b", "c", "z"]


def test_framing_stages_alone_make_no_pipeline() -> None:
    with pytest.raises(PipelineEmpty):
        plan("a: {script: x, stage: .pre}")


def test_no_job_left_makes_no_pipeline() -> None:
    with pytest.raises(PipelineEmpty, match="No stages / jobs for this pipeline"):
        plan("a: {script: x, rules: [{when: never}]}")


@pytest.mark.parametrize(("source", "created"), [("push", True), ("web", False), ("api", False)])
def test_workflow_rules_decide_whether_there_is_a_pipeline(source: str, created: bool) -> None:
    text = """
    workflow:
      name: 'Build of $CI_COMMIT_REF_NAME for $WHO'
      rules:
        - if: $CI_PIPELINE_SOURCE == "api"
          when: never
        - if: $CI_PIPELINE_SOURCE == "push"
          variables: {WHO: everyone}
    job: {script: x}
    """
    if not created:
        with pytest.raises(PipelineFiltered, match=r"Pipeline filtered out by workflow rules\."):
            plan(text, predefined={"CI_PIPELINE_SOURCE": source})
        return

    result = plan(text, predefined={"CI_PIPELINE_SOURCE": source})

    assert result.name == "Build of main for everyone"
    assert result.job("job").variables[0].value == "everyone"


def test_parallel_copies_are_numbered_and_needed_together() -> None:
    result = plan(
        """
        build: {script: x, stage: build, parallel: 3}
        all: {script: x, needs: [build]}
        one: {script: x, needs: ["build 2/3"]}
        stage: {script: x, dependencies: [build]}
        """
    )

    assert [job.name for job in result.jobs if job.group_name == "build"] == ["build 1/3", "build 2/3", "build 3/3"]
    assert (result.job("build 2/3").parallel_index, result.job("build 2/3").parallel_total) == (2, 3)
    assert [need.name for need in result.job("all").needs or ()] == ["build 1/3", "build 2/3", "build 3/3"]
    assert [need.name for need in result.job("one").needs or ()] == ["build 2/3"]
    assert result.job("stage").dependencies == ("build 1/3", "build 2/3", "build 3/3")


def test_a_matrix_names_its_jobs_after_their_values() -> None:
    result = plan(
        """
        build:
          script: x
          stage: build
          tags: ["runner-$OS"]
          environment: {name: "e/$ARCH"}
          parallel:
            matrix:
              - {OS: linux, ARCH: [arm, amd]}
              - {OS: [mac], ARCH: arm}
        test:
          script: x
          needs: [{job: build, parallel: {matrix: [{OS: mac, ARCH: arm}]}}]
        """
    )

    assert [job.name for job in result.jobs[:3]] == ["build: [linux, arm]", "build: [linux, amd]", "build: [mac, arm]"]
    assert result.jobs[1].tags == ("runner-linux",)
    assert result.jobs[1].environment is not None
    assert result.jobs[1].environment.name == "e/amd"
    assert [need.name for need in result.job("test").needs or ()] == ["build: [mac, arm]"]


def test_needs_keep_their_options_and_optional_absentees_vanish() -> None:
    job = plan(
        """
        build: {script: x, stage: build}
        gone: {script: x, stage: build, rules: [{when: never}]}
        job:
          script: x
          needs:
            - {job: build, artifacts: false}
            - {job: gone, optional: true}
            - {job: unknown, optional: true}
            - {pipeline: $PARENT, job: made}
            - {project: g/p, job: made, ref: main}
        """,
        variables={"PARENT": "12"},
    ).job("job")

    assert job.needs == (Need(name="build", artifacts=False),)
    assert job.cross_needs == (
        CrossNeed(job="made", pipeline="12"),
        CrossNeed(job="made", project="g/p", ref="main"),
    )


def test_extends_merges_levels_and_lists_replace() -> None:
    job = plan(
        """
        .a: {script: [a], tags: [x, y], variables: {A: a, B: a}}
        .b: {extends: .a, variables: {B: b}, image: {name: i}}
        .c: {image: {entrypoint: [e]}}
        job: {extends: [.b, .c], tags: [z]}
        """
    ).job("job")

    assert job.script == ("a",)
    assert job.tags == ("z",)
    assert {variable.key: variable.value for variable in job.variables} == {"A": "a", "B": "b"}
    assert job.image is not None
    assert (job.image.name, job.image.entrypoint) == ("i", ("e",))


def test_references_are_followed_and_flattened() -> None:
    job = plan(
        """
        .setup: {script: [one, !reference [.deep, script]], rules: [{when: always}]}
        .deep: {script: [two]}
        job:
          script: [!reference [.setup, script], three]
          rules: [!reference [.setup, rules]]
        """
    ).job("job")

    assert job.script == ("one", "two", "three")
    assert job.when == "always"


def test_defaults_are_inherited_unless_refused() -> None:
    result = plan(
        """
        default: {image: d, before_script: [b], retry: 1, tags: [t], interruptible: true}
        variables: {A: 1, B: 2}
        plain: {script: x}
        own: {script: x, image: o, before_script: []}
        none: {script: x, inherit: {default: false, variables: false}}
        some: {script: x, inherit: {default: [image], variables: [B]}}
        """
    )

    def shown(name: str) -> tuple[object, ...]:
        job = result.job(name)
        image = job.image.name if job.image else None
        return image, job.before_script, job.retry.max, job.tags, [variable.key for variable in job.variables]

    assert shown("plain") == ("d", ("b",), 1, ("t",), ["A", "B"])
    assert shown("own") == ("o", (), 1, ("t",), ["A", "B"])
    assert shown("none") == (None, (), 0, (), [])
    assert shown("some") == ("d", (), 0, (), ["B"])


def test_artifacts_keep_everything_the_runner_needs() -> None:
    job = plan(
        """
        job:
          script: x
          artifacts:
            name: out
            paths: [a/, b]
            exclude: [a/*.tmp]
            untracked: true
            when: always
            expire_in: 2 hrs
            public: false
            reports:
              junit: r.xml
              dotenv: [build.env]
              coverage_report: {coverage_format: cobertura, path: c.xml}
        """
    ).job("job")

    assert job.artifacts == Artifacts(
        name="out",
        paths=("a/", "b"),
        exclude=("a/*.tmp",),
        untracked=True,
        when="always",
        expire_in="2 hrs",
        access="developer",
        reports={"junit": ("r.xml",), "dotenv": ("build.env",), "cobertura": ("c.xml",)},
    )


def test_a_pages_job_publishes_its_folder() -> None:
    result = plan("pages: {script: x}\nsite: {script: x, pages: {publish: dist}}\nother: {script: x, pages: false}")

    assert result.job("pages").artifacts == Artifacts(paths=("public",))
    assert result.job("site").artifacts == Artifacts(paths=("dist",))
    assert result.job("other").artifacts is None


def test_a_trigger_job_keeps_its_target() -> None:
    result = plan(
        """
        child:
          trigger:
            include: [{local: $DIR/child.yml}, {artifact: made.yml, job: maker}]
            strategy: depend
            forward: {yaml_variables: false, pipeline_variables: true}
        other: {trigger: {project: g/$DIR, branch: main}}
        short: {trigger: g/p}
        mirror: {needs: {pipeline: g/p}}
        maker: {script: x}
        """,
        variables={"DIR": "ci"},
    )
    child = result.job("child").trigger
    assert child is not None
    assert child.is_child
    assert [(item.local, item.artifact, item.job) for item in child.include] == [
        ("ci/child.yml", None, None),
        (None, "made.yml", "maker"),
    ]
    assert (child.strategy, child.forward_yaml_variables, child.forward_pipeline_variables) == ("depend", False, True)
    other, short, mirror = (result.job(name).trigger for name in ("other", "short", "mirror"))
    assert other is not None
    assert short is not None
    assert mirror is not None
    assert (other.project, other.branch, short.project, mirror.upstream) == ("g/ci", "main", "g/p", "g/p")
    assert result.job("mirror").needs is None
    assert {job.kind for job in result.jobs if job.name != "maker"} == {"bridge"}


def test_the_remaining_keywords_are_carried() -> None:
    job = plan(
        r"""
        job:
          before_script: [b]
          script: x
          after_script: a
          image: {name: img, entrypoint: [""], pull_policy: always}
          services: [redis, {name: pg, alias: db, command: c, variables: {P: 1}}]
          timeout: 1h 30m
          retry: {max: 1, when: [script_failure]}
          resource_group: "deploy-$CI_COMMIT_REF_NAME"
          coverage: '/(\d+)%/'
          cache: [{key: {files: [lock]}, paths: [v/]}, {key: k, policy: pull}]
          environment: {name: prod, url: "https://$H", deployment_tier: production, auto_stop_in: 1 day}
          secrets: {X: {vault: y}}
          hooks: {pre_get_sources_script: [h]}
        """
    ).job("job")

    assert job.image is not None
    assert (job.image.entrypoint, job.image.pull_policy) == (("",), ("always",))
    assert [service.name for service in job.services] == ["redis", "pg"]
    assert job.services[1].command == ("c",)
    assert (job.timeout, job.retry.max, job.retry.when) == (5400, 1, ("script_failure",))
    assert (job.resource_group, job.coverage) == ("deploy-main", r"/(\d+)%/")
    assert [(cache.key, cache.key_files, cache.policy) for cache in job.caches] == [
        (None, ("lock",), "pull-push"),
        ("k", (), "pull"),
    ]
    assert job.environment is not None
    assert (job.environment.url, job.environment.deployment_tier) == ("https://$H", "production")
    assert (job.before_script, job.script, job.after_script) == (("b",), ("x",), ("a",))
    assert job.pre_get_sources_script == ("h",)


def test_a_plan_survives_being_stored() -> None:
    result = plan("a: {script: x, needs: [], artifacts: {paths: [p]}}\nb: {trigger: {include: c.yml}}")

    assert msgspec.json.decode(msgspec.json.encode(result), type=PipelinePlan) == result


def test_lint_answers_with_errors_warnings_and_the_merged_file() -> None:
    bad = lint("job: {script: x, foo: 1}")
    good = lint(".b: {script: x}\njob: {extends: .b, rules: [{when: always}]}")
    simulated = lint("job: {script: x, rules: [{if: $NEVER}]}", event(), simulate=True)

    assert (bad.valid, bad.errors) == (False, ("jobs:job config contains unknown keys: foo",))
    assert good.valid
    assert good.warnings == (
        (
            "jobs:job may allow multiple pipelines to run for a single action due to `rules:when` clause with no "
            "`workflow:rules`"
        ),
    )
    assert good.merged_yaml is not None
    assert good.merged_yaml.startswith("---\n")
    assert simulated.errors == ("No stages / jobs for this pipeline.",)


def test_a_child_pipeline_is_compiled_from_its_trigger() -> None:
    trigger = (
        plan(
            """
        child:
          trigger:
            include:
              - ci/child.yml
              - {artifact: made.yml, job: maker}
              - {project: g/p, file: p.yml, ref: main}
        maker: {script: x}
        """
        )
        .job("child")
        .trigger
    )
    assert trigger is not None
    created = {("maker", "made.yml"): "made: {script: x}"}

    child = compile_pipeline(
        trigger.child_source(),
        event(
            source="parent_pipeline",
            files={"ci/child.yml": "local: {script: x}"},
            projects={"g/p": {"p.yml": "foreign: {script: x}"}},
            read_artifact=lambda job, path: created.get((job, path)),
        ),
    )

    assert {job.name for job in child.jobs} == {"local", "made", "foreign"}
    with pytest.raises(ConfigInvalid, match=r"Artifact file `made.yml` of job `maker` does not exist!"):
        compile_pipeline({"include": [{"artifact": "made.yml", "job": "maker"}]}, event())
