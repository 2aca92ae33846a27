"""Changing groups: one module per verb."""
