"""The folder of objects that no row names; `passing` says more."""

FOLDER = "passing"
