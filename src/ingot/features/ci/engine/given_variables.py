"""Variables passed to a pipeline."""

from sqlalchemy import Connection, select

from ingot.features.ci.engine.tables import pipeline_variables
from ingot.features.ci.variables import GivenVariable, read_given
from ingot.kit.services import Services


def given_to_pipeline(services: Services, conn: Connection, pipeline_id: int) -> list[GivenVariable]:
    """The variables that a pipeline was created with."""
    rows = conn.execute(
        select(pipeline_variables)
        .where(pipeline_variables.c.pipeline_id == pipeline_id)
        .order_by(pipeline_variables.c.id)
    )
    return [read_given(services, row) for row in rows]
