"""Topics: labels of projects over the whole instance."""
