"""Checks of the code itself, run by `make check`."""
