"""What long tests say while they run, and the seed of their choices."""

import os
import random
import secrets
import sys
import time

SEED = os.environ.get("INGOT_TEST_SEED") or str(secrets.randbelow(10**9))


def say(sentence: str) -> None:
    """Progress of a long test."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {sentence}\n")
    sys.stderr.flush()


def choices(name: str) -> random.Random:
    """The choices of whoever has this name: the same ones in each run with the same seed."""
    return random.Random(f"{SEED} {name}")


def say_seed() -> None:
    """How a red run is repeated; what happens at the same time, and in which order, the seed does not tell."""
    say(f"INGOT_TEST_SEED={SEED} chooses the same things again.")
