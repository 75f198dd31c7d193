from lectorium.report_table import table


def test_a_table_ends_with_an_empty_line_and_aligns_the_named_columns_right():
    lines = table(("kind", "number"), [("verse", 2), ("lecture", None)], right=("number",))
    assert lines == ["| kind | number |", "|---|---:|", "| verse | 2 |", "| lecture | None |", ""]
