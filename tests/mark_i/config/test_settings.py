"""Profiles and their settings: what a person writes is kept, and what cannot be is said."""

import json
import stat
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pydantic import ValidationError

from mark_i.cli.commands.config import config
from mark_i.config.paths import new_run, profile_folder, runs_folder, sessions_folder, settings_file, tools_folder
from mark_i.config.settings import Settings, load, parsed, save
from world_model import JournalError, UsageError

CHECKOUT = Path(__file__).parents[3]


def wrote(text: str, profile: str = "default") -> Path:
    """The settings file of a profile with that text."""
    file = settings_file(profile)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return file


# Profiles ----------------------------------------------------------------------------------------------------------


def test_each_profile_has_places_of_its_own_under_one_folder(home: Path) -> None:
    places = [place(name) for name in ("default", "work") for place in (runs_folder, sessions_folder, tools_folder)]

    assert len(set(places)) == 6
    assert all(path.is_relative_to(home) for path in places)
    assert runs_folder() == profile_folder("default") / "runs"
    assert settings_file("work") == profile_folder("work") / "settings.toml"
    assert list(home.iterdir()) == []


def test_without_mark_i_home_profiles_are_in_the_systems_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    folder = profile_folder("work", {})

    assert folder == Path.home() / ".local/share/mark-i/profiles/work"


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/b", "a\\b", "/etc", "a b", "a\n", "ä", "a.b", "x" * 65, "\0"]
)
def test_a_name_that_could_lead_elsewhere_is_no_profile(name: str) -> None:
    with pytest.raises(UsageError, match="letters, digits, - and _"):
        profile_folder(name)


def test_the_names_of_runs_sort_by_time_and_two_at_once_differ() -> None:
    names = [new_run() for _ in range(1000)]

    assert [name.rpartition("-")[0] for name in names] == sorted(name.rpartition("-")[0] for name in names)
    assert len(set(names)) == len(names)


# Reading -----------------------------------------------------------------------------------------------------------


def test_without_a_file_everything_is_as_it_comes() -> None:
    settings = load("default")

    assert settings == Settings()
    assert settings.model_fields_set == set()
    assert (settings.max_steps, settings.style, settings.brain, settings.max_cost) == (50, "default", None, None)


def test_what_the_file_sets_is_read(home: Path) -> None:
    wrote('\ufeff# mine\r\nbrain = "gemini:x"\r\nmax_seconds = 60\r\nsingle_model = true\r\nstyle = "strict"\r\n')

    settings = load("default")

    assert settings == Settings(brain="gemini:x", max_seconds=60.0, single_model=True, style="strict")
    assert settings.model_fields_set == {"brain", "max_seconds", "single_model", "style"}
    assert sorted(path.name for path in home.rglob("*.toml")) == ["settings.toml"]


BROKEN = [
    ("max_steps =\n", ["not TOML", "line 1"]),
    ("max_steps = 1\nmax_steps = 2\n", ["not TOML", "line 2"]),
    ("a = " + "[" * 10_000, ["not TOML"]),
    ("max_step = 1", ["'max_step'", "did you mean max_steps"]),
    ("colour = 1", ["'colour'", "observation_chars"]),
    ("[limits]\nmax_steps = 1", ["'limits'"]),
    ("max_steps = 0", ["max_steps", "1 or more", "0"]),
    ('max_steps = "20"', ["max_steps", "1 or more", "'20'"]),
    ("max_steps = true", ["max_steps", "1 or more", "True"]),
    ("max_steps = 2.5", ["max_steps", "1 or more", "2.5"]),
    ("max_seconds = 0", ["max_seconds", "above 0"]),
    ("max_seconds = inf", ["max_seconds", "above 0"]),
    ("max_cost = nan", ["max_cost", "above 0"]),
    ("max_tokens = -1", ["max_tokens", "1 or more"]),
    ("observation_chars = 49", ["observation_chars", "50 or more"]),
    ('style = "strickt"', ["style", "strict, summary", "did you mean strict"]),
    ('single_model = "yes"', ["single_model", "true or false"]),
    ('brain = ""', ["brain", "such as gemini"]),
    ('base_url = "localhost:11434"', ["base_url", "http://"]),
    ("max_steps = 0\nstile = 1", ["max_steps", "'stile'", "did you mean style"]),
]


@pytest.mark.parametrize(("text", "named"), BROKEN, ids=lambda value: str(value)[:30])
def test_what_is_wrong_in_the_file_is_told_with_what_is_allowed(text: str, named: list[str]) -> None:
    file = wrote(text)

    with pytest.raises(UsageError) as caught:
        load("default")

    message = str(caught.value)
    assert [words for words in (str(file), *named) if words not in message] == []
    assert len(message.splitlines()) == 1


def test_a_file_that_is_not_text_or_no_file_at_all_is_told() -> None:
    file = wrote("")
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not TOML"):
        load("default")

    file.unlink()
    file.mkdir()
    with pytest.raises(UsageError, match="cannot be read"):
        load("default")


def test_settings_are_immutable() -> None:
    settings = load("default")

    with pytest.raises(ValidationError, match="frozen"):
        settings.max_steps = 3


# Changing ----------------------------------------------------------------------------------------------------------


def test_a_change_leaves_the_rest_of_the_file_untouched() -> None:
    file = wrote("# My settings.\n\nmax_steps = 3   # few\n\"brain\" = 'offline' # at home\n\n# The end.")

    save({"max_steps": 7, "style": "strict"})

    text = file.read_text()
    assert text.startswith("# My settings.\n\nmax_steps = 7   # few\n\"brain\" = 'offline' # at home\n")
    assert "# The end." in text
    assert tomllib.loads(text) == {"max_steps": 7, "brain": "offline", "style": "strict"}
    assert load("default") == Settings(max_steps=7, brain="offline", style="strict")


def test_none_takes_a_setting_out() -> None:
    file = wrote('# keep\nbrain = "offline"\nmax_steps = 3\n')

    save({"brain": None, "max_cost": None})

    assert file.read_text() == "# keep\nmax_steps = 3\n"


@pytest.mark.parametrize("changes", [{"max_steps": 0}, {"max_step": 1}, {"max_steps": 5, "style": "loud"}])
def test_a_change_that_is_not_allowed_changes_nothing(changes: dict[str, Any]) -> None:
    file = wrote("max_steps = 3 # few\n")

    with pytest.raises(UsageError):
        save(changes)

    assert file.read_text() == "max_steps = 3 # few\n"


def test_a_change_can_mend_a_wrong_value_but_not_a_broken_file() -> None:
    file = wrote("max_steps = 0\n")
    save({"max_steps": 4})
    assert load("default").max_steps == 4

    file.write_text("max_steps =\n")
    with pytest.raises(UsageError, match="not TOML"):
        save({"max_steps": 4})
    assert file.read_text() == "max_steps =\n"


def test_a_linked_file_is_changed_in_place_with_its_permissions(tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles.toml"
    dotfiles.write_text("max_steps = 3\n")
    dotfiles.chmod(0o600)
    file = settings_file()
    file.parent.mkdir(parents=True)
    file.symlink_to(dotfiles)

    save({"max_steps": 4})

    assert file.is_symlink()
    assert dotfiles.read_text() == "max_steps = 4\n"
    assert stat.S_IMODE(dotfiles.stat().st_mode) == 0o600


FULL = """
import resource
from mark_i.config.settings import save
resource.setrlimit(resource.RLIMIT_FSIZE, (20, -1))
save({"base_url": "http://localhost/" + "x" * 100})
"""


@pytest.mark.usefixtures("processes")
def test_on_a_full_disk_the_old_settings_stay() -> None:
    file = wrote("max_steps = 3\n")

    done = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, check=False, cwd=CHECKOUT)

    assert f"JournalError: {file} cannot be written: File too large." in done.stderr
    assert file.read_text() == "max_steps = 3\n"
    assert list(file.parent.glob("*.part")) == []


def test_a_profile_that_cannot_be_written_is_told(home: Path) -> None:
    (home / "profiles").write_text("in the way")

    with pytest.raises(JournalError, match="default cannot be made: Not a directory"):
        save({"max_steps": 4})


def test_two_who_change_settings_at_once_do_not_undo_each_other() -> None:
    keys = [key for key in Settings.model_fields if key.startswith("max_") or key == "observation_chars"]
    changers = [threading.Thread(target=save, args=({key: 1000},)) for key in keys]

    for changer in changers:
        changer.start()
    for changer in changers:
        changer.join()

    assert load("default").model_fields_set == set(keys)


def test_two_profiles_in_two_threads_share_nothing() -> None:
    seen: dict[str, set[int]] = {"one": set(), "two": set()}

    def work(profile: str, steps: int) -> None:
        for _ in range(10):
            save({"max_steps": steps}, profile)
            seen[profile].add(load(profile).max_steps)

    threads = [threading.Thread(target=work, args=pair) for pair in (("one", 11), ("two", 22))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert seen == {"one": {11}, "two": {22}}
    assert not settings_file("default").exists()


# Words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("max_steps", "20", 20),
        ("max_seconds", "1.5", 1.5),
        ("single_model", "true", True),
        ("single_model", "no", False),
        ("brain", "scripted:my file.jsonl", "scripted:my file.jsonl"),
        ("style", "verbatim", "verbatim"),
        ("brain", "", None),
        ("max_cost", "none", None),
        ("base_url", " None ", None),
    ],
)
def test_words_become_values(key: str, text: str, value: object) -> None:
    assert parsed(key, text) == value
    assert type(parsed(key, text)) is type(value)


@pytest.mark.parametrize(
    ("key", "text", "named"),
    [
        ("max_step", "20", "did you mean max_steps"),
        ("max_steps", "many", "1 or more"),
        ("max_steps", "0", "1 or more"),
        ("max_steps", "none", "Its default is 50"),
        ("style", "", "Its default is default"),
        ("single_model", "perhaps", "true or false"),
        ("max_seconds", "nan", "above 0"),
        ("base_url", "ftp://x", "http://"),
        ("base_url", "localhost:11999/v1", "did you mean http://localhost:11999/v1"),
        ("base_url", "192.168.1.4:1234/v1", "did you mean http://192.168.1.4:1234/v1"),
        ("base_url", "api.example.com/v1", "did you mean https://api.example.com/v1"),
    ],
)
def test_words_that_are_no_value_are_told(key: str, text: str, named: str) -> None:
    with pytest.raises(UsageError, match=named):
        parsed(key, text)


# Command line ------------------------------------------------------------------------------------------------------


def said(*arguments: str) -> Result:
    return CliRunner().invoke(config, arguments)


def test_every_setting_is_shown_with_where_it_comes_from() -> None:
    said("set", "max_steps", "20", "--profile", "work")

    lines = said("show", "--profile", "work").output.splitlines()
    told = json.loads(said("show", "--profile", "work", "--json").output)
    default = json.loads(said("show", "--json").output)

    rows = {line.split()[0]: line.split()[1:] for line in lines[: len(Settings.model_fields)]}
    assert rows.keys() == Settings.model_fields.keys()
    assert (rows["max_steps"], rows["style"]) == (["set", "20"], ["default", "default"])
    assert str(settings_file("work")) in lines[-1]
    assert all(len(line) <= 80 for line in lines[:-1])
    assert (told["set"], told["settings"]["max_steps"], told["settings"]["brain"]) == (["max_steps"], 20, None)
    assert (default["set"], default["settings"]["max_steps"]) == ([], 50)


def test_a_setting_is_set_and_cleared() -> None:
    assert "offline" in said("set", "brain", "offline").output
    assert load("default").brain == "offline"

    assert said("set", "brain", "none").exit_code == 0
    assert load("default") == Settings()


@pytest.mark.parametrize(
    "arguments", [("set", "max_steps", "0"), ("set", "stile", "strict"), ("show", "--profile", "../x")]
)
def test_bad_input_is_the_callers_error_and_makes_no_file(home: Path, arguments: tuple[str, ...]) -> None:
    done = said(*arguments)

    assert isinstance(done.exception, UsageError)
    assert done.output == ""
    assert [path for path in home.rglob("*") if path.is_file()] == []


def test_the_path_is_told_also_before_there_is_a_file(home: Path) -> None:
    assert said("path", "--profile", "work").output == f"{settings_file('work')}\n"
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("command", [(), ("show",), ("set",), ("path",)])
def test_every_command_has_help_with_an_example(command: tuple[str, ...]) -> None:
    assert "Example: mark-i config" in said(*command, "--help").output
