"""One table is text, CSV, HTML and a data frame, and says the same in each."""

import csv
import io
import re

import pytest

from parlour.boards import ResultTable

TABLE = ResultTable(("name", "first points"), [("Ann", 2.5), ("小明", 1.0), ("=1+1", None)])


def test_every_form_has_the_same_cells():
    rows = [row.split() for row in TABLE.to_text().splitlines()[1:]]
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in TABLE.to_html().split("<tr>")[2:]]
    frame = pytest.importorskip("pandas") and TABLE.to_frame("pandas")
    assert [row[0] for row in rows] == [row[0] for row in cells] == list(frame["name"])
    assert list(frame["first_points"])[:2] == [float(row[1]) for row in cells[:2]] == [2.5, 1.0]
    assert [row[1] for row in rows] == ["2.5", "1.0", "-"]


def test_figures_end_below_each_other_whatever_the_width_of_letters():
    head, ann, ming, _ = TABLE.to_text().splitlines()
    assert len(head) == len(ann) == len(ming) + len("小明")


def test_a_spreadsheet_gets_whole_numbers_and_no_formula():
    rows = list(csv.reader(io.StringIO(TABLE.to_csv())))
    assert rows[1:] == [["Ann", "2.5"], ["小明", "1"], ["'=1+1", ""]]
