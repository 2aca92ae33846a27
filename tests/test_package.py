from importlib.metadata import version

import ingot


def test_the_installed_version_is_the_one_in_the_source():
    assert version("ingot") == ingot.__version__
