"""Programs that are not installed here, and what could not be tried without them; said at the end of a run.

With `INGOT_TEST_ENGINES=all` a run does not begin without them; `make engines` installs them on Debian.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests import s3_server
from tests.features.people.ldap.directory import find_slapd
from tests.scale.gluster import why_not
from tests.support.browsers import find_browser
from tests.support.large_files import HAS_GIT_LFS


def are_demanded() -> bool:
    """Whether a test that cannot run for want of an engine is a failure."""
    return os.environ.get("INGOT_TEST_ENGINES") == "all"


def sentences() -> Iterator[str]:
    """One line for each."""
    if find_browser() is None:
        yield "No browser here, so tests/web/test_browser*.py did not run (INGOT_TEST_BROWSER)."
    if find_slapd() is None:
        yield "No slapd here (package `slapd`), so tests/features/people/ldap did not run."
    if not HAS_GIT_LFS:
        yield "No git-lfs here (package `git-lfs`), so large files were sent by requests alone, not by the real client."
    if shutil.which("pgbouncer") is None:
        yield "No PgBouncer here (package `pgbouncer`), so tests/operating/test_pooler.py did not run."
    if not list(Path("/usr/lib/postgresql").glob("*/bin")):
        yield "No PostgreSQL is installed (package `postgresql`), so tests/operating/test_point_in_time.py did not run."
    if reason := why_not():
        yield f"No GlusterFS here, so tests/scale/test_shared_files.py did not run: {reason}"
    yield from _stores()


def _stores() -> Iterator[str]:
    """What `make test-stores` lacks, and whether anything was kept by a real store."""
    lacking = [name for name in s3_server.REAL_STORES if shutil.which(name) is None]
    if s3_server.is_test_server(s3_server.PROGRAM) and len(lacking) == len(s3_server.REAL_STORES):
        yield "No MinIO or versitygw here, so objects were kept by a test server only, which is never killed."
    elif are_demanded():
        yield from (f"No {name} here, so `make test-stores` leaves it out." for name in lacking)
