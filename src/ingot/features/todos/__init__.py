"""To-do items."""
