"""Results as a page: a row per service, a column per check, and what failed behind a click."""

from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

from ragseam.page import write_page
from ragseam.stages import Outcome, StageResult
from ragseam.verify import ServiceResult

MADE = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)


class Cells(HTMLParser):
    """Texts of the table by row, the ids of details, and the targets of links."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.details: list[str] = []
        self.links: list[str] = []
        self.pre = ""
        self._open: list[str] = []

    def handle_starttag(self, tag, attrs):
        self._open.append(tag)
        named = dict(attrs)
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")
        if tag == "details":
            self.details.append(named["id"])
        if tag == "a":
            self.links.append(named["href"].removeprefix("#"))

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        if {"td", "th"} & set(self._open):
            self.rows[-1][-1] += data.strip()
        if "pre" in self._open:
            self.pre += data


def page_of(path: Path, *results: ServiceResult) -> Cells:
    write_page(results, path, made=MADE)
    cells = Cells()
    cells.feed(path.read_text(encoding="utf-8"))
    return cells


def stage(name: str, outcome: Outcome = Outcome.PASSED, output: str = "") -> StageResult:
    return StageResult(name, outcome, 1.0, 0 if outcome is Outcome.PASSED else 1, output)


def test_a_row_per_service_and_a_column_per_check(tmp_path):
    one = ServiceResult("one", tmp_path, (stage("install"), stage("lint")))
    two = ServiceResult("two", tmp_path, (stage("install"), stage("boundary")))
    cells = page_of(tmp_path / "page.html", one, two)
    assert cells.rows == [
        ["service", "install", "lint", "boundary", "total"],
        ["one", "✓ 1.0", "✓ 1.0", "", "2.0"],
        ["two", "✓ 1.0", "", "✓ 1.0", "2.0"],
    ]
    assert (cells.details, cells.links) == ([], [])


def test_each_failure_is_a_click_away_and_shown_as_it_was_printed(tmp_path):
    output = "x.py:1: <script>alert('&')</script>\n"
    failed = (stage("install"), stage("lint", Outcome.FAILED, output))
    cells = page_of(tmp_path / "page.html", ServiceResult("one", tmp_path, failed))
    assert cells.links == cells.details == ["one/lint"]
    assert cells.pre == output.rstrip()
    assert "0 of 1 services passed" in (tmp_path / "page.html").read_text(encoding="utf-8")
