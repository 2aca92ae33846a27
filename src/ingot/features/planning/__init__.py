"""Planning work: issues, labels, milestones, comments, time and to-do items."""
