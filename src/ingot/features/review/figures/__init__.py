"""Figures: how much there is of everything, for people and for the instance."""
