import pytest

from ingot.features.ci.job_outputs.coverage import extract_coverage


@pytest.mark.parametrize(
    ("regexp", "lines", "expected"),
    [
        (r"/(\d+)%/", ["10%", "no", "85% covered"], 85.0),
        (r"/total: \d+\.\d+/", ["total: 61.25"], 61.25),
        (r"/(x)?nothing/", ["nothing"], None),
        (r"/(/", ["1%"], None),
        (r"/(\d+)%/", [], None),
    ],
)
def test_coverage_is_the_last_figure_in_the_log(regexp: str, lines: list[str], expected: float | None) -> None:
    assert extract_coverage(regexp, lines) == expected
