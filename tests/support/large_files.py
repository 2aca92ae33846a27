"""Whether the real git-lfs is here, which some tests of large files need."""

import shutil

import pytest

HAS_GIT_LFS = shutil.which("git-lfs") is not None

needs_git_lfs = pytest.mark.skipif(not HAS_GIT_LFS, reason="git-lfs is not installed")
