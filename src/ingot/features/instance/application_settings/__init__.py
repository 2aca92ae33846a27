"""Settings of the instance that administrators change at run time."""
