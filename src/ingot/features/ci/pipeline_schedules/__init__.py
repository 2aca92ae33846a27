"""Pipeline schedules: pipelines by the clock."""
