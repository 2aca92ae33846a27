"""The program with all its features loaded: what `forked_program` forks off."""

import ingot.cli  # noqa: F401
from ingot import app

app.load_features()
