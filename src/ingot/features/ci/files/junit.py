"""JUnit reports: test cases of one job, and their totals."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from lxml import etree

MAX_CASES = 100_000
MAX_INNER = 10_000  # elements of one case
_MAX_TEXT = 1_048_576


class TestCase(msgspec.Struct, frozen=True, kw_only=True):
    __test__ = False
    status: str
    name: str
    classname: str | None = None
    file: str | None = None
    execution_time: float = 0.0
    system_output: str | None = None
    stack_trace: str | None = None
    recent_failures: None = None
    attachment_url: str | None = None


class TestSuite(msgspec.Struct, frozen=True, kw_only=True):
    """All cases of one job; the name is the job's."""

    __test__ = False
    name: str
    total_time: float
    total_count: int
    success_count: int
    failed_count: int
    skipped_count: int
    error_count: int
    suite_error: str | None
    test_cases: tuple[TestCase, ...]


class JUnitRefused(ValueError):
    """The report cannot be read; the message becomes the suite's error."""


def parse_junit(content: bytes) -> list[TestCase]:
    """The test cases of a report in document order; of equal ones the last is kept."""
    from lxml import etree

    events = etree.iterparse(
        io.BytesIO(content), ("start", "end"), resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        return _cases(events)
    except (etree.XMLSyntaxError, ValueError) as error:
        if isinstance(error, JUnitRefused):
            raise
        raise JUnitRefused(f"JUnit XML parsing failed: {str(error)[:300]}") from error


def _cases(events: Iterable[tuple[str, etree._Element]]) -> list[TestCase]:
    """Elements are freed as they end: a whole tree takes thirty times its text."""
    cases: dict[tuple[str, str, str], TestCase] = {}
    inside = inner = 0
    for number, (event, element) in enumerate(events):
        if number == 0:
            _check_root(element)
        is_case = element.tag == "testcase"
        if event == "start":
            inside += is_case
            inner = inner + 1 if inside else 0
            if inner > MAX_INNER:
                raise JUnitRefused("JUnit data parsing failed: a test case has too many elements")
            continue
        parent = element.getparent()
        if is_case:
            case = _case(element)
            suite = "" if parent is None else str(parent.get("name") or "")
            cases[suite, case.classname or "", case.name] = case
            if len(cases) > MAX_CASES:
                raise JUnitRefused(f"JUnit data parsing failed: number of test cases exceeded the limit of {MAX_CASES}")
            inside -= 1
        if not inside and parent is not None:
            element.clear()
            while element.getprevious() is not None:
                del parent[0]
    return list(cases.values())


def _check_root(root: etree._Element) -> None:
    if root.getroottree().docinfo.internalDTD is not None:
        raise JUnitRefused("JUnit XML parsing failed: document types are not accepted")
    if root.tag not in ("testsuites", "testsuite"):
        raise JUnitRefused("JUnit data parsing failed: no test suites found")


def _case(element: etree._Element) -> TestCase:
    status, detail = "success", None
    for tag, word in (("failure", "failed"), ("error", "error"), ("skipped", "skipped")):
        detail = element.find(tag)
        if detail is not None:
            status = word
            break
    output = None if detail is None else _text(detail) or detail.get("message") or None
    attachment = _attachment(element)
    return TestCase(
        status=status,
        name=str(element.get("name") or ""),
        classname=_attribute(element, "classname"),
        file=_attribute(element, "file"),
        execution_time=_seconds(element.get("time")),
        system_output=None if output is None else str(output)[:_MAX_TEXT],
        attachment_url=attachment,
    )


def _attribute(element: etree._Element, name: str) -> str | None:
    value = element.get(name)
    return None if value is None else str(value)


def _text(element: etree._Element) -> str:
    return "".join(str(part) for part in element.itertext()).strip()


def _attachment(element: etree._Element) -> str | None:
    """The path in `[[ATTACHMENT|path]]` of the case's output."""
    out = element.find("system-out")
    text = "" if out is None else _text(out)
    start = text.find("[[ATTACHMENT|")
    end = text.find("]]", start)
    return text[start + 13 : end].strip() or None if 0 <= start < end else None


def _seconds(text: object) -> float:
    try:
        value = float(str(text).replace(",", ""))
    except ValueError:
        return 0.0
    return value if math.isfinite(value) and value >= 0 else 0.0


def summarise(name: str, cases: Iterable[TestCase], error: str | None = None) -> TestSuite:
    """The suite of a job from the cases of all its reports."""
    listed = tuple(cases)
    counts = {
        status: sum(case.status == status for case in listed) for status in ("success", "failed", "skipped", "error")
    }
    return TestSuite(
        name=name,
        total_time=round(math.fsum(case.execution_time for case in listed), 6),
        total_count=len(listed),
        success_count=counts["success"],
        failed_count=counts["failed"],
        skipped_count=counts["skipped"],
        error_count=counts["error"],
        suite_error=error,
        test_cases=listed,
    )
