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
    "labels": "SELECT project_id, name FROM labels GROUP BY 1, 2 HAVING count(*) > 1",
    # What the system notes of a change, too.
    "notes": "SELECT project_id, noteable_type, noteable_id, body FROM notes GROUP BY 1, 2, 3, 4 HAVING count(*) > 1",
    "events": "SELECT project_id, action, target_type, target_id, ref, commit_from, commit_to FROM events"
    " GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING count(*) > 1",
    "large files": "SELECT project_id, oid FROM lfs_objects GROUP BY 1, 2 HAVING count(*) > 1",
    "artifacts": "SELECT job_id, file_type FROM job_artifacts GROUP BY 1, 2 HAVING count(*) > 1",
    # The content of an artifact names its job.
    "contents of artifacts": "SELECT project_id, sha256 FROM job_artifacts WHERE file_type = 'archive'"
    " GROUP BY 1, 2 HAVING count(*) > 1",
    "projects": "SELECT namespace_id, path FROM projects GROUP BY 1, 2 HAVING count(*) > 1",
    "imports": "SELECT project_id FROM project_imports GROUP BY 1 HAVING count(*) > 1",
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
