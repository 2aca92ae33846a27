"""What every feature stands on; knows nothing of projects or merge requests."""
