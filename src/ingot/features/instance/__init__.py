"""What concerns the whole instance: its settings, limits, flags and description."""
