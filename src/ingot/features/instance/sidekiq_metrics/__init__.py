"""Figures of the background engine under the addresses where clients look for those of Sidekiq."""
