"""To-do items that follow from what happens to merge requests."""
