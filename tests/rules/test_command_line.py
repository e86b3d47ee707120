"""`python -m rules`: its five commands, their exit codes and what they print."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rules.__main__ import ILLEGAL, LEGAL, UNKNOWN, UNREADABLE, main
from tests.rules.builders import case_file

ROOT = Path(__file__).parents[2]
SHORT = f"{'x' * 20}…{'x' * 19}"
SIXTY = "1 Ken ●●\n" + "".join(f"4 F{place:02}\n" for place in range(1, 15)) + "3 F15\n"


@pytest.fixture
def check(tmp_path, capsys):
    """Judges a list given as text; returns the exit code and what was printed."""
    cards = tmp_path / "cards.json"
    cards.write_text(json.dumps({"game": "ufs", "cards": case_file("ufs.toml")["pools"]["own"]["cards"]}))

    def run(text: str, *options: str, form: str = "constructed", catalogue: Path = cards):
        deck = tmp_path / "deck.txt"
        deck.write_text(text, encoding="utf-8")
        call = ["check", str(deck), "--game", "ufs", "--format", form, "--cards", str(catalogue), *options]
        code = main(call)
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


def test_a_legal_list_leaves_with_0(check):
    code, output, _ = check(SIXTY)

    assert (code, output.splitlines()[0]) == (LEGAL, "legal (ufs constructed, UFS Tournament Rules v1.9)")


def test_an_illegal_list_leaves_with_1_and_says_why(check):
    code, output, _ = check(SIXTY.replace("3 F15", "2 F15"))

    assert code == ILLEGAL
    assert (
        "  error: Main deck: 59 cards. Constructed requires at least 60. "
        "[UFS-L01, 100.3.1, UFS Tournament Rules v1.9]\n    Add 1 card to the main deck.\n" in output
    )


def test_a_list_that_cannot_be_checked_leaves_with_2(check):
    code, output, _ = check(SIXTY.replace("3 F15", "3 F15x"))

    assert (code, output.splitlines()[0]) == (
        UNKNOWN,
        "cannot be checked (ufs constructed, UFS Tournament Rules v1.9)",
    )
    assert "(line 16)" in output


def test_all_inputs_that_cannot_be_read_are_named_at_once(check, tmp_path):
    wrong = tmp_path / "wrong.json"
    wrong.write_text("[]")
    text = f"{wrong} must be a JSON object: put its content into {{…}}."
    files = {"cards": "nowhere.json", "options": wrong, "overlay": wrong, "pool": "nothing.txt"}
    parts = [part for name, file in files.items() for part in (f"--{name}", str(file))]
    code, output, problem = check("", "--format", "modern", *parts)

    assert (code, output) == (3, "")
    lines = problem.splitlines()
    assert lines[0].startswith("Universal Fighting System has no format modern")
    assert lines[1:] == [
        text,
        text,
        "nowhere.json: No such file or directory.",
        "nothing.txt: No such file or directory.",
    ]


@pytest.mark.parametrize("data", ["[]", "5", "null", '"x"', '[["a", 1]]'])
@pytest.mark.parametrize("option", ["--options", "--overlay"])
def test_declarations_and_local_rules_are_objects(check, tmp_path, option, data):
    file = tmp_path / "given.json"
    file.write_text(data)
    code, output, problem = check(SIXTY, option, str(file))

    assert (code, output) == (3, "")
    assert problem == f"{file} must be a JSON object: put its content into {{…}}.\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--game", "chess"), "There is no game chess"),
        (("--format", "modern"), "Universal Fighting System has no format modern"),
        (("--rules", "7"), "Universal Fighting System has no version 7"),
        (("--on", "2001-01-01"), "Universal Fighting System has no version in force on Mon 1 Jan 2001"),
        (("--cards", "nowhere.json"), "nowhere.json: No such file or directory."),
        (("--overlay", "nowhere.json"), "nowhere.json: No such file or directory."),
    ],
)
def test_an_input_that_cannot_be_read_leaves_with_3(check, options, message):
    code, output, problem = check(SIXTY, *options)

    assert (code, output) == (UNREADABLE, "")
    assert problem.startswith(message)


def test_a_wrong_call_leaves_with_3(capsys):
    with pytest.raises(SystemExit) as excinfo:
        main(["check"])

    assert excinfo.value.code == UNREADABLE
    assert "the following arguments are required" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["[1, 2]", "{}", "no table", "", '{"game": "cfc", "cards": {}}'])
def test_a_catalogue_without_cards_leaves_with_3(check, tmp_path, content):
    catalogue = tmp_path / "odd"
    catalogue.write_text(content)

    assert check(SIXTY, catalogue=catalogue)[0] == UNREADABLE


def test_the_answer_for_programs_is_one_object(check):
    _, output, _ = check(SIXTY.replace("3 F15", "1 Turbo"), "--json")
    answer = json.loads(output)

    assert (answer["verdict"], answer["rules"]) == ("illegal", "1.9")
    assert [finding["rule"] for finding in answer["findings"] if finding["severity"] == "error"] == [
        "UFS-L01",
        "UFS-L06",
    ]


def test_version_and_day_may_be_chosen(check):
    text = SIXTY.replace("3 F15", "3 Turbo")

    assert check(text, "--rules", "1.8")[0] == LEGAL
    assert check(text, "--on", "2008-03-01")[0] == ILLEGAL


def test_declarations_come_with_the_call(check):
    assert check(SIXTY, "--diversity", "--declared", "Ken")[0] == LEGAL
    assert check(SIXTY, "--diversity", "--declared", "Ryu")[0] == ILLEGAL
    assert check(SIXTY, "--diversity")[0] == ILLEGAL


def test_a_pool_comes_as_another_file(check, tmp_path):
    pool = tmp_path / "pool.txt"
    pool.write_text("1 Ken ●●\n8 Punch\n40 F01\n")

    assert check("1 Ken ●●\n8 Punch\n31 F01\n", "--pool", str(pool), form="sealed")[0] == LEGAL
    assert check("1 Ken ●●\n9 Punch\n31 F01\n", "--pool", str(pool), form="sealed")[0] == ILLEGAL


def test_local_rules_come_as_a_file(check, tmp_path):
    overlay = tmp_path / "overlay.json"
    overlay.write_text(json.dumps({"name": "Tuesday", "bans": ["F01"]}))
    code, output, _ = check(SIXTY, "--overlay", str(overlay))

    assert code == ILLEGAL
    assert "  Local rules: Tuesday.\n" in output


def test_other_declarations_come_as_a_file(check, tmp_path):
    options = tmp_path / "options.json"
    options.write_text(json.dumps({"diversity": True, "declared_character": "Ryu"}))

    assert check(SIXTY, "--options", str(options))[0] == ILLEGAL


def test_a_sideboard_in_the_file_is_a_sideboard(check):
    code, output, _ = check(SIXTY + "\nSideboard\n4 Punch\n")

    assert code == ILLEGAL
    assert "Sideboard: 4 cards. Constructed allows exactly 8" in output


def test_an_unread_line_keeps_a_list_from_being_legal(check):
    code, output, _ = check(SIXTY + "-3 Punch\n")

    assert code == UNKNOWN
    assert "Part of the decklist could not be read." in output


def test_cases_answers_one_object_a_line_in_the_order_of_the_file(tmp_path, capsys):
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(case_file("ufs.toml")))

    assert main(["cases", str(file)]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["id"] for answer in answers] == [case["id"] for case in case_file("ufs.toml")["cases"]]
    assert set(answers[0]) == {"id", "verdict", "findings"}


@pytest.mark.parametrize("content", ["", "[]", '{"cases": 3}', "{"])
def test_a_file_without_cases_leaves_with_3(tmp_path, capsys, content):
    file = tmp_path / "cases.json"
    file.write_text(content)

    assert main(["cases", str(file)]) == UNREADABLE
    assert capsys.readouterr().err


@pytest.mark.parametrize(
    ("case", "problem"),
    [
        ({"id": 1, "game": "chess"}, "There is no game chess"),
        ({"id": 2, "game": "ufs", "format": "modern"}, "Universal Fighting System has no format modern"),
        (
            {"id": 3, "game": "ufs", "format": "sealed", "kind": "riddle"},
            "Universal Fighting System has no cases of kind",
        ),
        (7, "There is no game None"),
    ],
)
def test_a_case_that_cannot_be_read_says_why_in_its_place(tmp_path, capsys, case, problem):
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"pools": {}, "cases": [case]}))

    assert main(["cases", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["error"].startswith(problem)


@pytest.mark.parametrize(
    "odd",
    [
        {"main": None},
        {"main": "sixty cards"},
        {"main": [{"qty": 3}]},
        {"main": [{"card": "ken2"}]},
        {"main": [{"card": ["ken2"], "qty": 1}]},
        {"main": ["ken2", 4, None]},
        {"main": [{"card": "ken2", "qty": "four"}], "sideboard": {}},
        {"main": [{"card": "ken2", "qty": -4}], "card_pool": 3},
        {"kind": "sideboarding"},
        {"kind": "sideboarding", "registered": [], "presented": {"main": [{"card": "ken2", "qty": 1}]}},
        {"main": [], "diversity": "yes", "declared_character": 7, "rules_version": 1.9},
    ],
)
def test_an_odd_case_is_judged_without_an_accident(tmp_path, capsys, odd):
    file = tmp_path / "cases.json"
    case = {"id": "odd", "game": "ufs", "format": "constructed", "pool": "own", "rules_version": "1.9", **odd}
    file.write_text(json.dumps({"pools": case_file("ufs.toml")["pools"], "cases": [case]}))

    assert main(["cases", str(file)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer.get("verdict") in ("illegal", "unknown", "legal")


def test_explain_says_the_format_in_words(capsys):
    assert main(["explain", "--game", "ufs", "--format", "draft", "--rules", "1.8"]) == 0
    assert capsys.readouterr().out.startswith(
        "Universal Fighting System: Booster Draft, UFS Tournament Rules v1.8\n"
    )


def test_diff_says_what_differs(capsys):
    assert main(["diff", "--game", "ufs", "--format", "constructed", "1.8", "1.9"]) == 0

    differences = capsys.readouterr().out
    assert "  Banned list: now Kubi Ori [502.1]\n" in differences
    assert "  Banned list: now Dhalsim ●●● [502.1]\n" in differences
    assert "now the starter and booster printings of Taking the Bait are one card [501.13]\n" in differences
    assert "now Dark Hado (SF04 70): The cards of SF03 and SF04 are two cards" in differences


def test_lint_finds_nothing_in_what_is_shipped(capsys):
    assert (main(["lint"]), capsys.readouterr().out) == (0, "All formats and lists are valid.\n")


def test_the_module_runs_as_a_program():
    call = [sys.executable, "-m", "rules", "explain", "--game", "cfc", "--format", "standard"]
    process = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)

    assert (
        "  Main deck: exactly 50 cards. [CFC-L01, Introduction; Deck, Ringside reading]\n" in process.stdout
    )


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("4 Dark Hado", UNKNOWN),
        ("4 Dark Hado (SF04 70)", LEGAL),
        ("8 Dark Hado", UNKNOWN),
        ("9 Dark Hado", ILLEGAL),
        ("5 Dark Hado (SF04 70)", ILLEGAL),
    ],
)
def test_a_line_that_tells_no_printing_of_two_cards_is_open_or_breaks_a_limit(check, line, code):
    short = "".join(f"4 F{place:02}\n" for place in range(1, 15))

    assert check(f"1 Ken ●●\n{short}{line}\n")[0] == code


@pytest.mark.parametrize(
    ("options", "shown_value"),
    [
        (["--game", "x" * 300], {}),
        (["--format", "x" * 300], {}),
        (["--rules", "7" * 300], {}),
        ([], {"x" * 300: 1}),
        ([], {"name": "Ours", "parameters": {"x" * 300: {"min": 1}}}),
        ([], {"name": "Ours", "parameters": {"deck_size": {"min": [7] * 300}}}),
        ([], {"name": "Ours", "parameters": {"deck_size": {"x" * 300: 1}}}),
    ],
)
def test_a_long_value_is_quoted_without_its_middle(check, tmp_path, options, shown_value):
    overlay = tmp_path / "overlay.json"
    overlay.write_text(json.dumps(shown_value or {"name": "Ours"}))
    code, output, complaint = check(SIXTY, *options, "--overlay", str(overlay))

    (quoted_text,) = (word for word in complaint.split() if "…" in word)
    assert (code, output, len(quoted_text.strip(";.")) <= 40) == (UNREADABLE, "", True)
    assert max(map(len, complaint.split())) <= 41


@pytest.mark.parametrize(
    ("case", "quoted_value"),
    [
        ({"game": "x" * 300}, f"There is no game {SHORT}. The games are: "),
        ({"game": "ufs", "kind": "x" * 300}, f"Universal Fighting System has no cases of kind {SHORT}."),
    ],
)
def test_a_worked_case_quotes_a_long_value_without_its_middle(tmp_path, capsys, case, quoted_value):
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"cases": [case]}))

    assert main(["cases", str(file)]) == LEGAL
    (answer,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert answer["error"].startswith(quoted_value)


OPEN = {
    "a blank line": f"{SIXTY}\n4 F16\n4 F17\n",
    "misspelt": f"{SIXTY}Sideborad:\n4 F16\n4 F17\n",
    "Italian": f"{SIXTY}Riserva:\n4 F16\n4 F17\n",
    "total": f"{SIXTY}Total: 64\n",
}


@pytest.mark.parametrize("text", OPEN.values(), ids=OPEN)
def test_a_list_that_leaves_something_open_leaves_with_2_and_says_what(check, text):
    code, output, _ = check(text)
    payload = json.loads(check(text, "--json")[1])

    assert code == UNKNOWN
    assert (payload["verdict"], len(payload["notices"])) == ("unknown", 1)
    assert payload["notices"][0]["message"] in output


def test_what_every_reading_breaks_leaves_with_1(check):
    assert check(f"{SIXTY}5 F16\n\n4 F17\n")[0] == ILLEGAL


def test_what_one_reading_breaks_leaves_with_2(check):
    assert check("4 F16\nTotal: 60\n")[0] == UNKNOWN


def test_a_notice_that_asks_nothing_is_printed_beside_a_legal_verdict(check):
    code, output, _ = check(SIXTY.replace("1 Ken", "Ken"))

    assert code == LEGAL
    assert "  notice: There is no number of copies" in output


def test_a_pool_that_announces_more_cards_leaves_with_2(check, tmp_path):
    pool = tmp_path / "pool.txt"
    pool.write_text(f"{SIXTY}Total: 90\n", encoding="utf-8")

    assert check(SIXTY, "--pool", str(pool))[0] == UNKNOWN


def test_answers_are_utf_8_wherever_they_are_read_and_half_a_character_costs_none(tmp_path):
    names = ["Ken ●●", "\ud800", "last"]
    cases = [{"id": name, "game": "ufs", "format": "constructed"} for name in names]
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"cases": cases}))

    process = subprocess.run(
        [sys.executable, "-m", "rules", "cases", str(file)],
        cwd=ROOT,
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii"},
        check=True,
    )

    assert [json.loads(line)["id"] for line in process.stdout.decode().splitlines()] == names


def test_a_reader_that_leaves_early_gets_no_message(tmp_path):
    file = tmp_path / "cases.json"
    # More than a pipe holds.
    cases = [{"id": "x" * 10_000, "game": "ufs", "format": "constructed"}] * 20
    file.write_text(json.dumps({"cases": cases}))
    call = [sys.executable, "-m", "rules", "cases", str(file)]

    with subprocess.Popen(call, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.read(1)
        process.stdout.close()
        messages = process.stderr.read()

    assert (messages, process.returncode) == (b"", 3)
