"""A small shell runner. It speaks the runner protocol over HTTP like any other, and knows nothing of the server."""

from ingot.runner.polling import Runner

__all__ = ["Runner"]
