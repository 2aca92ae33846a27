"""Changing projects: one module per verb. Commands take the write transaction; git work happens after its commit."""
