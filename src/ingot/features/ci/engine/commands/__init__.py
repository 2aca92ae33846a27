"""What changes pipelines and jobs: one module per verb.

Locks are always taken pipeline first, then resource group, and never two pipelines in one transaction: whatever reaches
into another pipeline (bridges, children, resources) is background work with a transaction of its own.
"""
