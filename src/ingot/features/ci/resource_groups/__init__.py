"""Resource groups: jobs that run one at a time."""
