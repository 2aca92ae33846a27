"""One more kind of work for the workers of a cluster: many small steps that leave countable traces."""

import time

from sqlalchemy import Column, Integer, MetaData, String, Table

from ingot.kit.jobs import Run, job

KIND = "scale_steps"
STEPS = 10

traces = Table(
    "scale_traces",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("key", String(100), nullable=False),
    Column("step", Integer, nullable=False),
)


@job(KIND, retries=20, backoff=0.3)
def take_steps(run: Run) -> None:
    """Each step is one row, written once however often the work is interrupted."""
    for number in range(STEPS):
        run.transact(
            f"step-{number}", lambda tx, n=number: tx.execute(traces.insert().values(key=run.key, step=n)).rowcount
        )
        run.progress(done=number + 1, total=STEPS, label="steps")
        time.sleep(0.05)
