"""`mark-i config show`: every setting, where its value comes from, and what it is for."""

import json

from click.testing import CliRunner

from mark_i.cli.main import program
from mark_i.config.about import ABOUT, GROUPS
from mark_i.config.settings import Settings, save

LINE_CHARS = 100  # of a help text: one line of a terminal


def shown(*arguments: str) -> str:
    done = CliRunner().invoke(program, ["config", "show", *arguments])
    assert done.exit_code == 0, done
    return done.output


def test_every_setting_has_one_line_of_help_and_a_group() -> None:
    assert [*ABOUT] == [*Settings.model_fields]
    for about in ABOUT.values():
        assert len(about.help) <= LINE_CHARS
        assert about.help.endswith(".")
        assert "\n" not in about.help
        assert about.group in GROUPS


def test_each_setting_is_described_with_its_value_and_where_that_comes_from() -> None:
    save({"max_steps": 20})

    lines = shown("--describe").splitlines()

    assert lines[0] == "Basic"
    at = lines.index("  max_steps              set      20")
    assert lines[at + 1 : at + 3] == [
        "      How many actions a run may take.",
        "      Values: a whole number, 1 or more.",
    ]
    assert lines.index("  ahead                  default  5") > lines.index("Advanced") > at
    assert sum(line.startswith("      Values: ") for line in lines) == len(ABOUT)
    assert lines.index("  gemini.key             none") > lines.index("Keys and secrets")


def test_a_program_gets_the_same_as_json_and_only_if_it_asks() -> None:
    told = json.loads(shown("--json", "--describe"))["about"]

    assert told["max_steps"] == {
        "group": "basic",
        "help": "How many actions a run may take.",
        "allowed": "a whole number, 1 or more",
    }
    assert told.keys() == Settings.model_fields.keys()
    assert "about" not in json.loads(shown("--json"))
