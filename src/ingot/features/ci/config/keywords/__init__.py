"""The keywords of a job, one module for each that has a shape of its own."""
