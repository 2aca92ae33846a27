"""External status checks: services outside that are told of merge requests and say whether they may be merged."""
