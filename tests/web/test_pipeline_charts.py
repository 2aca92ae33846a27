"""Charts of pipelines: how many passed, how long each took, and the days."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete, insert, select

from ingot.features.ci.engine import pipelines
from ingot.kit.clock import now
from tests.support.server import RunningServer
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly

HERE = "/smithy/anvil/-/pipelines/charts?ref=charted"


@pytest.fixture
def charted(smithy: RunningServer) -> list[Any]:
    """Four pipelines that ended, one that runs, and one that was cancelled before it began."""
    begun, rows = now() - timedelta(days=3), []
    for status, seconds in (
        ("success", 60), ("failed", 120), ("success", 600), ("canceled", 30), ("running", None), ("canceled", None),
    ):  # fmt: skip
        begun += timedelta(minutes=1)
        rows.append({"status": status, "duration": seconds, "created_at": begun})
    with smithy.services.db.write() as tx:
        other = tx.execute(select(pipelines).limit(1)).one()
        whole = {name: value for name, value in other._mapping.items() if name != "id"} | {"ref": "charted"}
        tx.execute(delete(pipelines).where(pipelines.c.ref == "charted"))
        tx.execute(insert(pipelines), [{**whole, **row, "iid": 900 + at} for at, row in enumerate(rows)])
        found = tx.execute(select(pipelines).where(pipelines.c.ref == "charted").order_by(pipelines.c.id))
        return list(found)


def test_bars_tell_how_each_pipeline_went_and_lead_there(ada: Browser, charted: list[Any]) -> None:
    page = ada.open(HERE)

    tiles = page.tree.xpath("//dl[@class='tiles']/div")
    assert {tile.findtext("dt"): tile.findtext("dd") for tile in tiles} == {
        "Success": "67 %", "Passed": "2", "Failed": "1", "Cancelled": "2", "Median time": "2 min",
        "95th percentile": "10 min",
    }  # fmt: skip
    bars = page.tree.xpath("//svg[contains(@class, 'tall')]/a")
    assert [bar.get("href") for bar in bars] == [f"/smithy/anvil/-/pipelines/{row.id}" for row in charted[:4]]
    assert [bar.findtext("title").partition(": ")[2] for bar in bars] == [
        "passed after 1 min", "failed after 2 min", "passed after 10 min", "cancelled after 30 s",
    ]  # fmt: skip
    assert [bar.xpath("rect[2]/@height")[0] for bar in bars] == ["10.0", "20.0", "100.0", "5.0"]
    assert [bar.xpath("rect[2]/@class")[0] for bar in bars] == ["ok-fill", "bad-fill", "ok-fill", "edge-fill"]
    (day,) = page.tree.xpath("//table//tbody/tr")
    assert [cell.text for cell in day][1:5] == ["2", "1", "2", "2 min"]
    assert int(page.response.headers["x-query-count"]) < 15


def test_without_ended_pipelines_there_is_no_chart(ada: Browser) -> None:
    assert "No pipelines have finished yet." in ada.open("/smithy/anvil/-/pipelines/charts?ref=none-such").text
