"""The compiler of configurations runs where there is no database library, and brings no other feature with it."""

import json
import subprocess
import sys

_COMPILE = """
import json, sys
sys.modules["sqlalchemy"] = None  # importing it fails from here on
from ingot.features.ci.config import PipelineEvent, compile_pipeline
plan = compile_pipeline("build: {script: [make]}", PipelineEvent(ref="main"))
print(json.dumps({"jobs": [job.name for job in plan.jobs], "modules": sorted(sys.modules)}))
"""


def test_a_configuration_is_compiled_without_a_database() -> None:
    run = subprocess.run([sys.executable, "-c", _COMPILE], capture_output=True, text=True, timeout=120, check=False)

    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)
    assert result["jobs"] == ["build"]
    features = [name for name in result["modules"] if name.startswith("ingot.features.")]
    assert [name for name in features if not f"{name}.".startswith("ingot.features.ci.config.")] == [
        "ingot.features.ci"
    ]
