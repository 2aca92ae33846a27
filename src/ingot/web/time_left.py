"""How long a running pipeline will still take, judged by earlier ones that ran to their end."""

from datetime import datetime
from statistics import median

from ingot.features.ci.pipelines import pipeline_summaries
from ingot.kit.clock import now
from ingot.web.answers import TimedPipeline
from ingot.web.call import PageCall

MINUTE = 60  # seconds
MOST = 10  # earlier ones that are looked at
PIPELINES = "/projects/:id/pipelines"


def time_left(call: PageCall, pipeline: TimedPipeline) -> str:
    """A sentence; empty where nothing is known. Pipelines of other projects are not judged by those of this one."""
    gone = seconds_since(pipeline)
    if pipeline["status"] != "running" or gone is None or pipeline["project_id"] != call.project.id:
        return ""
    times = _times(call, pipeline["ref"]) or _times(call, None)
    if not times:
        return ""
    usual = median(times)
    judged = "the last run" if len(times) == 1 else f"the last {len(times)} runs"
    if gone >= usual:
        return f"Taking longer than {judged} ({_usual(usual)})."
    return f"About {_minutes(usual - gone)} left, based on {judged}."


def seconds_since(pipeline: TimedPipeline) -> float | None:
    """How long ago the pipeline began to run."""
    started = pipeline.get("started_at")
    return (now() - datetime.fromisoformat(started)).total_seconds() if started else None


def _times(call: PageCall, ref: str | None) -> list[int]:
    """Seconds that pipelines of the branch took, or of the whole project."""
    rows = call.ask_or_none(PIPELINES, status="success", ref=ref, per_page=str(MOST), page="1") or []
    summaries = pipeline_summaries(call.conn, [row["id"] for row in rows if row["project_id"] == call.project.id])
    return [one.duration for one in summaries.values() if one.duration]


def _usual(seconds: float) -> str:
    return "less than a minute" if seconds < MINUTE else _minutes(seconds)


def _minutes(seconds: float) -> str:
    minutes = max(1, round(seconds / MINUTE))
    return "a minute" if minutes == 1 else f"{minutes} minutes"
