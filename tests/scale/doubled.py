"""What was written twice. Callers give everything a mark of its own and never ask again, so no mark is there twice."""

import subprocess
from collections import Counter

from sqlalchemy import text

from ingot.kit.db import Database
from tests.scale.cluster import Cluster

STATEMENTS = {
    "issues": "SELECT project_id, title FROM issues GROUP BY 1, 2 HAVING count(*) > 1",
    "merge requests": "SELECT project_id, title FROM merge_requests GROUP BY 1, 2 HAVING count(*) > 1",
    "jobs": "SELECT pipeline_id, name FROM ci_jobs GROUP BY 1, 2 HAVING count(*) > 1",
    "pipelines": "SELECT p.project_id, v.key FROM pipelines p JOIN pipeline_variables v ON v.pipeline_id = p.id"
    " GROUP BY 1, 2 HAVING count(*) > 1",
    "uploads": "SELECT project_id, filename FROM uploads GROUP BY 1, 2 HAVING count(*) > 1",
    "hooks": "SELECT project_id, url FROM web_hooks GROUP BY 1, 2 HAVING count(*) > 1",
}


def doubled(database: Database, cluster: Cluster) -> dict[str, list[str]]:
    """Every finding by kind; kinds without are left out."""
    with database.read() as conn:
        result = {name: [str(row) for row in conn.execute(text(sql))] for name, sql in STATEMENTS.items()}
    result["commits"] = _doubled_commits(cluster)
    return {f"doubled {name}": findings for name, findings in result.items() if findings}


def _doubled_commits(cluster: Cluster) -> list[str]:
    """Commits and merges on the default branch: the subject of each has a number of its own."""
    result = []
    for folder in cluster.repositories.glob("**/@hashed/*/*/*.git"):
        if folder.name.endswith((".wiki.git", ".design.git")):
            continue
        done = subprocess.run(
            ["git", f"--git-dir={folder}", "log", "--format=%s", "main"], capture_output=True, text=True, check=False
        )
        counted = Counter(done.stdout.splitlines())
        result += [f"{folder.name}: {line}" for line, times in counted.items() if times > 1]
    return result
