"""Pipelines: the latest of a branch, the failures of one, and how the last ones went."""

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_BUILDS
from ingot.features.ci.pipelines import needs_of, pipeline_summaries
from ingot.web.answers import TestReport
from ingot.web.call import PageCall, View, pieces_of
from ingot.web.failure_words import failure_words
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.logs import window
from ingot.web.needs_graph import MOST_WITH_ALL_LINES, draw
from ingot.web.pages.pipelines import pipeline_head
from ingot.web.pipeline_chart import chart_of
from ingot.web.pipeline_jobs import JOB, PIPELINE, all_jobs
from ingot.web.registry import Pages
from ingot.web.sending import number_in, text

pages = Pages("project")
BUILDS = InProject(READ_BUILDS)
MOST_FAILURES, LAST_LINES = 20, 20
TEST_ORDER = {"failed": 0, "error": 1, "skipped": 2}
MOST_TESTS = 500  # of a suite on the page; the API has all


@pages.get("pipelines/latest", guard=BUILDS)
def redirect_to_latest(call: PageCall) -> Response:
    """The latest pipeline of a branch, or of the default branch."""
    return _latest(call, text(call, "ref"))


@pages.get("pipelines/{ref}/latest", guard=BUILDS)
def redirect_to_latest_of_ref(call: PageCall) -> Response:
    """The latest pipeline of a branch."""
    return _latest(call, call.path["ref"])


@pages.get("pipelines/{number:int}/builds", guard=BUILDS)
def redirect_to_jobs(call: PageCall) -> Response:
    """The jobs are on the pipeline's own page."""
    return RedirectResponse(f"/{call.project.full_path}/-/pipelines/{call.path['number']}", 302)


@pages.get("pipelines/{number:int}/failures", guard=BUILDS)
def list_failures(call: PageCall) -> View:
    """The failed jobs of a pipeline with the last lines of their logs."""
    number = call.path["number"]
    pipeline = call.ask(PIPELINE, pipeline_id=number)
    jobs = call.ask(f"{PIPELINE}/jobs", pipeline_id=number, scope=["failed"], per_page=str(MOST_FAILURES))
    jobs.sort(key=lambda job: bool(job["allow_failure"]))
    for job in jobs:
        job["why"] = failure_words(job.get("failure_reason"))
        trace = window(pieces_of(call.ask_response(f"{JOB}/trace", job_id=job["id"])))
        job["lines"] = trace.rows[-LAST_LINES:]
    return project_view(call, "pipeline_failures", "pipelines", **pipeline_head(call, pipeline), jobs=jobs)


@pages.get("pipelines/{number:int}/dag", guard=BUILDS)
def show_needs(call: PageCall) -> View:
    """The jobs of a pipeline by what they need."""
    number = call.path["number"]
    pipeline = call.ask(PIPELINE, pipeline_id=number)
    jobs = all_jobs(call, number)
    needs = needs_of(call.conn, pipeline["id"])
    wanted = number_in(text(call, "job"))
    focus = next((job["name"] for job in jobs if job["id"] == wanted), "")
    return project_view(
        call,
        "pipeline_needs",
        "pipelines",
        **pipeline_head(call, pipeline),
        picture=draw(jobs, needs, focus),
        focus=focus,
        is_large=len(jobs) > MOST_WITH_ALL_LINES,
        jobs=jobs,
        needs=needs,
    )


@pages.get("pipelines/{number:int}/test_report", guard=BUILDS)
def show_tests(call: PageCall) -> View:
    """The tests of a pipeline, those that failed first."""
    number = call.path["number"]
    pipeline = call.ask(PIPELINE, pipeline_id=number)
    report: TestReport = call.ask(f"{PIPELINE}/test_report", pipeline_id=number)
    for suite in report["test_suites"]:
        suite["test_cases"].sort(key=lambda case: TEST_ORDER.get(case["status"], 3))
    return project_view(
        call, "pipeline_tests", "pipelines", **pipeline_head(call, pipeline), report=report, most=MOST_TESTS
    )


@pages.get("pipelines/charts", guard=BUILDS)
def show_charts(call: PageCall) -> View:
    """How the last pipelines went, and how long they took, by day."""
    ref = text(call, "ref")
    rows = call.ask("/projects/:id/pipelines", per_page="100", ref=ref or None)
    chart = chart_of(rows, pipeline_summaries(call.conn, [row["id"] for row in rows]))
    return project_view(call, "pipeline_charts", "pipelines", ref=ref, count=len(rows), chart=chart)


def _latest(call: PageCall, ref: str) -> Response:
    pipeline = call.ask("/projects/:id/pipelines/latest", ref=ref or None)
    return RedirectResponse(f"/{call.project.full_path}/-/pipelines/{pipeline['id']}", 302)
