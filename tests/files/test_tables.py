"""CSV tables open in a spreadsheet as they are and run nothing."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.files.tables import csv_text


def test_numbers_stay_numbers_and_formulas_become_text():
    table = csv_text(
        ["name", "loss"],
        [["=HYPERLINK(1)", -0.5], ["-3.5e-4", 2], ["@cmd", None], ["+", True], ["conv1", 1e-9]],
    )
    assert table == "name,loss\r\n'=HYPERLINK(1),-0.5\r\n-3.5e-4,2\r\n'@cmd,\r\n'+,true\r\nconv1,1e-09\r\n"


@pytest.mark.parametrize("text", ["=1", "+1+1", "-1-1", "@A1", "\t=1", "\r=1", " =1", "＝1", "-"])
def test_every_start_of_a_formula_is_neutralised(text):
    (row,) = list(csv.reader(io.StringIO(csv_text(["a"], [[text]]), newline="")))[1:]
    assert row == ["'" + text]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), min_size=1, max_size=4))
def test_every_text_comes_back_whole_and_never_as_a_formula(cells):
    header = ["h"] * len(cells)
    (_, row) = list(csv.reader(io.StringIO(csv_text(header, [cells]), newline=""))) if any(cells) else ([], cells)
    for cell, back in zip(cells, row, strict=True):
        assert back in (cell, "'" + cell)
        assert not back.lstrip().startswith(("=", "@"))


def test_a_row_of_another_length_is_refused_by_number():
    with pytest.raises(ValueError, match="Row 2 has 1 cells"):
        csv_text(["a", "b"], [[1, 2], [1]])
