"""Separators, decimal signs, headers, remarks, types: what is read, and how it is reported."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.data import TableKind


@pytest.mark.parametrize(
    ("content", "separator", "decimal"),
    [
        ("a,b\n1.5,2\n3,4.25\n", ",", "."),
        ("a;b\n1,5;2\n3;4,25\n", ";", ","),
        ("a\tb\n1.5\t2\n3\t4.25\n", "\t", "."),
        ("a\tb\n1,5\t2\n3\t4,25\n", "\t", ","),
        ("a|b\n1.5|2\n3|4.25\n", "|", "."),
        ("a b\n1.5 2\n3 4.25\n", " ", "."),
        ("a b\n  1,5    2\n   3 4,25 \n", " ", ","),
        ('a,b\n"1,5","2"\n"3","4,25"\n', ",", ","),
        ('"a";"b"\n"1,5";"2"\n"3";"4,25"\n', ";", ","),
        ("a,b\r\n1.5,2\r\n3,4.25\r\n", ",", "."),
        ("a,b\r1.5,2\r3,4.25", ",", "."),
    ],
)
def test_separator_and_decimal_sign_are_found_together(load, content, separator, decimal):
    loaded = load(content)
    assert loaded.value.names == ("a", "b")
    np.testing.assert_array_equal(loaded.value.numeric(), [[1.5, 2], [3, 4.25]])
    assert (loaded.report.separator, loaded.report.decimal) == (separator, decimal)
    assert (loaded.options.separator, loaded.options.decimal) == (separator, decimal)


def test_zero_before_the_comma_makes_it_a_decimal_sign(load):
    np.testing.assert_array_equal(load("a;b\n0,435;1\n1,250;2\n").value.numeric(), [[0.435, 1], [1.25, 2]])


def test_a_far_away_cell_decides_the_decimal_sign(load):
    rows = "".join(f"1,{i:03d};{i}\n" for i in range(5000))
    loaded = load("a;b\n" + rows + "2,5;1\n")
    assert loaded.value.numeric()[1, 0] == 1.001
    assert loaded.value.numeric()[-1, 0] == 2.5


def test_comma_that_fits_both_readings_is_asked_about(refusal, load):
    content = "a;b\n1,435;1\n2,250;2\n"
    error = refusal(content)
    assert error.code == "decimal-or-thousands"
    assert str(error) == (
        "t.csv, row 2: “1,435” can be 1.435 or 1435, and no other number of the file decides. "
        "Say which sign is the decimal sign. Read it as 1.435 or read it as 1435."
    )
    first, second = error.choices
    assert load(content, **{first.key: first.value}).value.numeric()[0, 0] == 1.435
    as_groups = load(content, **{second.key: second.value})
    assert as_groups.value.numeric()[0, 0] == 1435
    assert "thousands sign comma" in as_groups.report.lines()[0]
    assert any("groups of three digits" in line for line in as_groups.report.lines())


def test_point_in_a_semicolon_file_that_fits_both_is_asked_about(refusal):
    assert refusal("a;b\n1.435;1\n2.250;2\n").code == "decimal-or-thousands"


def test_point_in_a_comma_file_is_the_decimal_sign(load):
    assert load("a,b\n1.435,1\n2.250,2\n").value.numeric()[0, 0] == 1.435


@pytest.mark.parametrize(
    ("cells", "number", "thousands"),
    [
        (("1,234,567", "2"), 1234567.0, ","),
        (("1.234,5", "2"), 1234.5, "."),
        (("1,234.5", "2"), 1234.5, ","),
        (("1'234.5", "2"), 1234.5, "'"),
        (("1 234.5", "2"), 1234.5, " "),
        (("1\u202f234,5", "2"), 1234.5, " "),
        (("1.234", "2,5"), 1234.0, "."),
    ],
)
def test_groups_that_cannot_be_decimals_are_read_and_told(load, cells, number, thousands):
    loaded = load("a;b\n" + "".join(f"{cell};1\n" for cell in cells))
    assert loaded.value.numeric()[0, 0] == number
    assert loaded.report.thousands == thousands
    assert loaded.report.conversions == [f"“{thousands}” between groups of three digits was left out"]


def test_two_decimal_signs_in_one_file_are_asked_about(refusal):
    error = refusal("a;b\n1,5;2\n3;4.25\n")
    assert error.code == "two-decimal-signs"
    assert "row 2: “1,5” here and “4.25” in row 3 use different decimal signs" in str(error)


def test_one_comma_per_line_without_header_is_asked_about(refusal, load):
    error = refusal("1,5\n2,5\n3,7\n")
    assert error.code == "separator-or-decimal"
    assert "“1,5” can be two numbers or the one number 1.5" in str(error)
    columns, decimals = error.choices
    assert load("1,5\n2,5\n3,7\n", **{columns.key: columns.value}).value.numeric().shape == (3, 2)
    one = load("1,5\n2,5\n3,7\n", **{decimals.key: decimals.value}).value.numeric()
    np.testing.assert_array_equal(one, [[1.5], [2.5], [3.7]])


def test_a_header_decides_what_one_comma_per_line_means(load):
    assert load("x,z\n1,5\n2,5\n").value.numeric().shape == (2, 2)
    np.testing.assert_array_equal(load("x\n1,5\n2,5\n").value.numeric(), [[1.5], [2.5]])


def test_blanks_inside_numbers_do_not_make_a_separator(load):
    loaded = load('item,amount\nx," 1,234 "\ny," 2,500.5 "\nz,3\n')
    np.testing.assert_array_equal(loaded.value.numeric(), [[1234], [2500.5], [3]])


def test_quoted_separators_line_ends_and_quotes_stay_in_their_cell(load):
    loaded = load('w,v\n"a, ""b""\nc",1\n"d;e",2\nplain 5" pipe,3\n', id_column="w")
    assert list(loaded.value.id.values) == ['a, "b"\nc', "d;e", 'plain 5" pipe']
    assert loaded.value.lines.tolist() == [2, 4, 5]


def test_one_column_is_suspicious(load):
    warnings = load("a\n1\n2\n").report.warnings
    assert warnings == ["the table has one column; check the separator if there should be more"]


def test_remarks_before_the_table_are_passed_over_and_counted(load):
    remarks = "".join(f"Channel {i}: ok\n" for i in range(20))
    loaded = load(remarks + "\nt;v\n" + "".join(f"{i},5;{i}\n" for i in range(9)))
    assert loaded.report.header_line == 22
    assert loaded.report.lines_before_table == 20
    assert loaded.value.names == ("t", "v")
    assert loaded.value.n == 9
    assert "The table begins after 20 lines of remarks." in loaded.report.lines()


def test_header_line_and_comment_sign_can_be_chosen(load):
    content = "x;y;z\n; a remark\nt;v\n1;2\n3;4\n"
    loaded = load(content, header=3)
    assert (loaded.value.names, loaded.report.header_line) == (("t", "v"), 3)
    loaded = load("t,v\n! bad\n1,2\n3,4\n", comment="!")
    assert (loaded.value.n, loaded.report.comment_lines) == (2, 1)


def test_names_in_the_last_comment_line(load):
    loaded = load("# made by savetxt\n# x1 x2\n1 2\n3 4\n")
    assert (loaded.value.names, loaded.report.header_line) == (("x1", "x2"), 2)


def test_a_hash_that_belongs_to_a_name_is_no_comment(load):
    loaded = load("#Pdb;v\n1ABC;1.5\n2DEF;2.5\n1ABC;3.5\n")
    assert loaded.value.label.name == "#Pdb"
    assert loaded.value.n == 3


def test_without_header_the_columns_are_numbered(load):
    loaded = load("1.5,2\n3,4\n")
    assert loaded.value.names == ("column 1", "column 2")
    assert loaded.report.header_line is None
    assert load("1990,1991\n3,4\n5,6\n", header=1).value.names == ("1990", "1991")
    assert (
        load("a,b\n1,2\n", header="none", not_a_number="drop-row", kinds=[TableKind(min_rows=1)]).value.n == 1
    )


def test_names_with_blanks_accents_and_other_letters(load):
    loaded = load("größe in cm, возраст ,高さ\n1,2,3\n4,5,7\n")
    assert loaded.value.names == ("größe in cm", "возраст", "高さ")


def test_repeated_and_empty_names_are_numbered_and_told(load):
    loaded = load("a,a,\n1.5,2,3\n4,5,7\n")
    assert loaded.value.names == ("a", "a (2)", "column 3")
    assert loaded.report.warnings == ["the name “a” occurs more than once and was numbered"]


def test_leading_zeros_stay_text_with_a_note(load):
    loaded = load("zip,v\n00501,1\n10001,2\n", kinds=[TableKind()])
    assert list(loaded.value.column("zip").values) == ["00501", "10001"]
    assert "leading zeros such as “00501” would be lost in numbers" in loaded.report.warnings[0]
    assert load("zip,v\n00501,1\n10001,2\n", types__zip="number").value.numeric()[0, 0] == 501


def test_small_exponents_are_no_leading_zeros(load):
    np.testing.assert_array_equal(load("a,b\n1e-07,2\n0.5,1e+06\n").value.numeric(), [[1e-7, 2], [0.5, 1e6]])


def test_whole_numbers_above_2_53_stay_text_with_a_note(load):
    loaded = load("key,v\n9007199254740993,1\n5,2\n", kinds=[TableKind()])
    assert list(loaded.value.column("key").values) == ["9007199254740993", "5"]
    assert "has more digits than a number keeps" in loaded.report.warnings[0]
    assert load("k,v\n9007199254740992,1\n5,2\n").value.numeric()[0, 0] == 2.0**53


def test_a_word_means_missing_in_numbers_only(load):
    content = "country,v\nNA,1\nDE,NA\nFR,3\nDE,\n"
    loaded = load(content, kinds=[TableKind(missing_allowed=True)])
    assert list(loaded.value.column("country").values) == ["NA", "DE", "FR", "DE"]
    assert np.isnan(loaded.value.numeric()[[1, 3], 0]).all()
    assert loaded.report.missing == {"NA": 1, "": 1}
    assert "Missing: 1 cell “NA”." in loaded.report.lines()
    assert "Missing: 1 cell left empty." in loaded.report.lines()


def test_missing_codes_can_be_chosen_for_all_or_one_column(load):
    content = "a,b\n-9,1\n2,-9\n3,4\n"
    kinds = [TableKind(missing_allowed=True)]
    assert load(content, kinds=kinds, missing="-9").report.missing == {"-9": 2}
    loaded = load(content, kinds=kinds, missing_in__a="-9")
    assert loaded.report.missing == {"-9": 1}
    assert loaded.value.numeric()[1, 1] == -9
    named = load("w,v\nNA,1\nx,2\n", kinds=kinds, missing_in__w="NA")
    assert list(named.value.column("w").values) == ["", "x"]


def test_gaps_can_be_filled_or_dropped(load):
    content = "a,b\n1,1\n,2\n4,3\n10,3\n"
    assert load(content, missing_cells="mean").value.numeric()[1, 0] == 5
    filled = load(content, missing_cells="median")
    assert filled.value.numeric()[1, 0] == 4
    assert filled.report.conversions == ["1 gap of column “a” filled with its median, 4"]
    dropped = load(content, missing_cells="drop-row")
    np.testing.assert_array_equal(dropped.value.numeric(), [[1, 1], [4, 3], [10, 3]])
    assert dropped.value.lines.tolist() == [2, 4, 5]
    assert "Left out, a value is missing: line 3." in dropped.report.lines()


def test_types_are_changed_for_single_columns(load):
    content = "a,b,c\n0,1.5,x\n1,2.5,y\n0,3.5,x\n"
    loaded = load(content, types__a="category", types__c="skip", label_column="none", id_column="none")
    assert loaded.value.types == ("category", "number")
    assert list(loaded.value.column("a").values) == ["0", "1", "0"]
    roles = {column.name: (column.type, column.role, column.reason) for column in loaded.report.columns}
    assert roles["c"] == ("skip", "skipped", "chosen")
    assert roles["a"] == ("category", "value", "chosen")


def test_zeros_and_ones_are_numbers(load):
    loaded = load("a,b\n0,1\n1,0\n0,0\n0,1\n", kinds=[TableKind(label_column=True)])
    assert loaded.value.types == ("number", "number")


def test_label_and_id_are_proposed_with_a_reason(load):
    loaded = load("id,v,species\n1,0.5,a\n2,1.5,b\n3,2.5,a\n")
    assert loaded.value.id.name == "id"
    assert loaded.value.label.name == "species"
    assert loaded.value.numeric_names == ("v",)
    assert loaded.value.row_names() == ["1", "2", "3"]
    assert "Column “species” is the label: named so, with 2 distinct values." in loaded.report.lines()
    refused = load("id,v,species\n1,0.5,a\n2,1.5,b\n3,2.5,a\n", id_column="none", label_column="none")
    assert refused.value.numeric_names == ("id", "v")
    assert refused.report.warnings == ["text column kept and not computed with: species"]


def test_label_and_id_are_chosen_by_name_or_number(load):
    content = "a,b,c\n1,0.5,2\n2,1.5,2\n3,2.5,1\n"
    loaded = load(content, label_column="3", id_column="a")
    assert loaded.value.label.values.tolist() == [2, 2, 1]
    assert loaded.value.numeric_names == ("b",)


def test_a_label_of_words_and_numbers_is_kept_as_written(load):
    loaded = load("v,k\n1,2.50\n2,x\n3,2.50\n", label_column="k")
    assert list(loaded.value.label.values) == ["2.50", "x", "2.50"]


def test_dates_among_names_are_told(load):
    names = ["TP53", "BRCA1", "2-Mar", "EGFR", "KRAS", "MYC"]
    loaded = load("gene,v\n" + "".join(f"{name},{i}\n" for i, name in enumerate(names)))
    assert "has 1 date-like cell (“2-Mar”) among names" in loaded.report.warnings[0]


def test_constant_and_repeated_columns_and_rows_are_counted(load):
    report = load("a,b,c,d\n1,5,1,0.5\n2,5,2,1\n2,5,2,1\n").report
    assert report.constant_columns == ["b"]
    assert report.duplicated_columns == [("c", "a")]
    assert report.duplicate_rows == 1
    assert "Repeated columns: c (= a)." in report.lines()


def test_rows_in_the_report_add_up(load):
    loaded = load("a,b\n1,2\nx,3\n4,5\n,\n6,7\n8,\n", not_a_number="drop-row", missing_cells="drop-row")
    report = loaded.report
    assert report.rows == 3 == report.rows_in_file - sum(len(each.lines) for each in report.dropped)
    assert {each.reason: each.lines for each in report.dropped} == {
        "no value in the row": (5,),
        "a cell is not a number": (3,),
        "a value is missing": (7,),
    }


def test_chosen_rows_are_left_out(load):
    loaded = load("a,b\n1,2\n3\n4,5\n6,7\n", drop_rows="3,4")
    np.testing.assert_array_equal(loaded.value.numeric(), [[1, 2], [6, 7]])
    assert loaded.report.dropped[0].lines == (3, 4)


def test_what_was_found_reads_the_same_again(load):
    content = "remark\nk;v;w\nä;1.234,5;2\nö;2;3\n".encode("cp1252")
    first = load(content)
    again = load(content, **first.options.changed())
    assert again.value.fingerprint() == first.value.fingerprint()
    assert again.options == first.options


def test_required_columns(refusal, load):
    kind = TableKind(numeric=False, required=("arm", "reward"))
    loaded = load("arm,reward\na,1\nb,0\na,0\n", kinds=[kind])
    assert list(loaded.value.column("arm").values) == ["a", "b", "a"]
    error = refusal("arm,gain\na,1\nb,0\n", kinds=[kind])
    assert str(error) == (
        "t.csv: there is no column named reward. Columns arm, reward are needed; found: arm, gain."
    )


def test_a_separator_at_the_end_of_every_row_makes_no_column(load):
    for content in ("a,b\n1,2,\n3,5,\n", "a,b,\n1,2,\n3,5,\n"):
        loaded = load(content)
        assert loaded.value.names == ("a", "b")
        assert loaded.value.label is None
        assert loaded.report.warnings == ["column “column 3” has no value in any row and was left out"]


def test_a_title_above_two_columns(load, refusal):
    loaded = load("Title\nx,z\n1,2\n3,5\n")
    assert (loaded.value.names, loaded.report.lines_before_table) == (("x", "z"), 1)
    error = refusal("Title, 2020\nx,z\n1,2\n3,5\n")
    assert (error.row, error.choices[-1].label) == (2, "take line 2 as the header")
    again = load("Title, 2020\nx,z\n1,2\n3,5\n", **{error.choices[-1].key: error.choices[-1].value})
    assert again.value.names == ("x", "z")


def test_rows_of_separators_are_dropped_whatever_their_length(load):
    loaded = load("a;b\n1;2\n3;5\n;\n;;;\n")
    assert loaded.report.dropped[0].lines == (4, 5)
    assert loaded.value.n == 2


def test_numbers_with_signs_are_text_with_a_note(load):
    warnings = load("a,b\n1,5%\n2,6%\n3,7%\n").report.warnings
    assert warnings[0] == "column “b” was read as text: “5%” is a number with a sign"


def test_quoted_values_between_blanks(load):
    loaded = load('w x z\n"a b" 1 2.5\n"c d" 3 4\n"a b" 5 6\n')
    assert list(loaded.value.label.values) == ["a b", "c d", "a b"]
    np.testing.assert_array_equal(loaded.value.numeric(), [[1, 2.5], [3, 4], [5, 6]])
