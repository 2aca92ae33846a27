"""The files of the demo projects."""

README = """# Anvil

A small library for shaping things, and the tool `anvil` on top of it.

    anvil shape --with hammer iron.txt
"""

LICENCE = """MIT License

Copyright (c) 2026 The Smithy

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""

CI = """stages: [build, test]

build:
  stage: build
  script: [python3 -m compileall -q src]
  artifacts:
    paths: [src]
    expire_in: 1 week

test:
  stage: test
  variables: { PYTHONPATH: src }
  script: [python3 -m unittest discover --verbose tests]
"""

SHAPES = '''"""Shapes that iron can take."""


def flatten(iron: list[int]) -> list[int]:
    """As low as its lowest point."""
    return [min(iron)] * len(iron)
'''

TEST = """import unittest

from anvil.shapes import flatten


class FlattenTest(unittest.TestCase):
    def test_flat_iron_is_as_low_as_its_lowest_point(self) -> None:
        self.assertEqual(flatten([3, 1, 2]), [1, 1, 1])
"""

HAMMER = '''"""The hammer: strikes until the iron has its shape."""

from anvil.shapes import flatten


def strike(iron: list[int], times: int = 1) -> list[int]:
    """Strike the iron."""
    for _ in range(times):
        iron = flatten(iron)
    return iron
'''

ANVIL = {
    "README.md": README,
    "LICENSE": LICENCE,
    ".gitlab-ci.yml": CI,
    "src/anvil/__init__.py": "",
    "src/anvil/shapes.py": SHAPES,
    "tests/test_shapes.py": TEST,
}
BELLOWS = {"README.md": "# Bellows\n\nAir for the fire.\n", "bellows.sh": "#!/bin/sh\necho whoosh\n"}
NOTEBOOK = {"README.md": "# Notebook\n\nPrivate.\n"}
