"""Programs that are not installed here, and what could not be tried without them; said at the end of a run."""

import shutil
from collections.abc import Iterator

from tests import s3_server
from tests.features.people.ldap.directory import find_slapd
from tests.scale.gluster import why_not
from tests.support.browsers import find_browser
from tests.support.large_files import HAS_GIT_LFS


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
    if reason := why_not():
        yield f"No GlusterFS here, so tests/scale/test_shared_files.py did not run: {reason}"
    if s3_server.is_test_server(s3_server.PROGRAM) and s3_server.find_real_store() is None:
        yield "No MinIO or versitygw here, so objects were kept by a test server only, which is never killed."
