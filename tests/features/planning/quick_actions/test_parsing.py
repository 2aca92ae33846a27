"""Finding quick actions in texts."""

import pytest

from ingot.features.planning.quick_actions import Command, split


@pytest.mark.parametrize(
    ("text", "rest", "result"),
    [
        ("", "", []),
        ("no actions / here", "no actions / here", []),
        ("/close", "", [Command("close", "")]),
        ("Done.\n/close\n/label ~bug", "Done.", [Command("close", ""), Command("label", "~bug")]),
        ("a\n/CLOSE \nb", "a\nb", [Command("close", "")]),
        ("/wip\r\ntext", "text", [Command("draft", "")]),
        ("/spent 1h 30m", "", [Command("spend", "1h 30m")]),
        ("/unknown thing", "/unknown thing", []),
        ("```\n/close\n```", "```\n/close\n```", []),
        (" /close", " /close", []),
        ("> /close", "> /close", []),
        ("/usr/bin/env", "/usr/bin/env", []),
        ("see /close", "see /close", []),
        ("/tableflip oh", "oh (╯°□°)╯︵ ┻━┻", []),
    ],
)
def test_actions_stand_at_the_start_of_a_line(text: str, rest: str, result: list[Command]) -> None:
    assert split(text, "MergeRequest") == (rest, result)


def test_each_thing_has_its_own_words() -> None:
    assert split("/draft", "Issue") == ("/draft", [])
    assert split("/confidential", "Issue") == ("", [Command("confidential", "")])
    assert split("/close", "Commit") == ("/close", [])
