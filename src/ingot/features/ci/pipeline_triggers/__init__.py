"""Pipeline triggers: tokens with which anything may start a project's pipelines."""
