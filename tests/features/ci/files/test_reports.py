from __future__ import annotations

import pytest

from ingot.features.ci.files.dotenv import DotenvRefused, check_dotenv_size, parse_dotenv
from ingot.features.ci.files.junit import JUnitRefused, parse_junit, summarise


def test_a_dotenv_report_is_read_line_by_line() -> None:
    content = b"A=1\n\n B = two words \nURL=https://x/?a=b\nA=last\n"

    assert parse_dotenv(content, 20) == {"A": "last", "B": "two words", "URL": "https://x/?a=b"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"no equals", "Invalid Format"),
        (b"=value", "Invalid Format"),
        (b"A=\xff", "Invalid Format"),
        (b"a-b=1", "Validation failed: Key can contain only letters, digits and '_'."),
        (b"A=1\nB=2\nC=3", "Dotenv files cannot have more than 2 variables"),
    ],
)
def test_a_faulty_dotenv_report_is_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(DotenvRefused) as refused:
        parse_dotenv(content, 2)

    assert str(refused.value) == sentence


def test_a_limit_of_zero_forbids_dotenv_reports() -> None:
    check_dotenv_size(5119, 5120)
    with pytest.raises(DotenvRefused, match=r"Dotenv Artifact Too Big\. Maximum Allowable Size: 5120"):
        check_dotenv_size(5120, 5120)
    with pytest.raises(DotenvRefused):
        check_dotenv_size(1, 0)
    with pytest.raises(DotenvRefused):
        parse_dotenv(b"A=1", 0)


REPORT = b"""<?xml version="1.0"?>
<testsuites>
  <testsuite name="s"><testsuite name="inner">
    <testcase name="good" classname="C" time="1.5" file="c.py"/>
    <testcase name="bad" classname="C" time="0.25"><failure message="m">trace &lt;here&gt;</failure>
      <system-out>[[ATTACHMENT|shot.png]]</system-out></testcase>
    <testcase name="worse" time="x"><error message="only message"/></testcase>
    <testcase name="later"><skipped/></testcase>
    <testcase name="good" classname="C" time="2,000.5"/>
  </testsuite></testsuite>
</testsuites>"""


def test_a_junit_report_is_counted_case_by_case() -> None:
    suite = summarise("rspec", parse_junit(REPORT))

    counts = suite.success_count, suite.failed_count, suite.error_count, suite.skipped_count, suite.total_count
    assert counts == (1, 1, 1, 1, 4)
    assert suite.total_time == 2000.75
    by_name = {case.name: case for case in suite.test_cases}
    assert by_name["bad"].system_output == "trace <here>"
    assert by_name["bad"].attachment_url == "shot.png"
    assert by_name["worse"].system_output == "only message"
    assert (by_name["later"].status, by_name["later"].system_output) == ("skipped", None)


BOMB = (
    b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><testsuites><testcase name="&b;"/></testsuites>'
)
FILE = (
    b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuites><testcase name="t">&a;</testcase></testsuites>'
)


@pytest.mark.parametrize("content", [b"", b"text", b"<a/>", b"<testsuites>", BOMB, FILE, b"<testsuites>" * 5000])
def test_a_hostile_or_broken_junit_report_is_refused(content: bytes) -> None:
    with pytest.raises(JUnitRefused):
        parse_junit(content)
