"""The places that people work in: groups, projects, and what belongs to both."""
