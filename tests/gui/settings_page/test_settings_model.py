"""The settings as the window shows them, as values: no display is opened here."""

import functools
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from gui.agent_page.run_thread import RunRequest, RunThread
from gui.run.messages import Message, RunReleased
from gui.settings_page.check_words import ABOUT as ABOUT_CHECK, BY_MARKS, GOING_ON, check_words, fitting
from gui.settings_page.fields import (
    IN_FILE,
    KEPT,
    KEY_PAGES,
    MAX_OFFERED,
    VENDORS,
    brains,
    grouped,
    keyring_warning,
    matching,
    shown,
    where_kept,
)
from gui.settings_page.mask_geometry import MaskScale, as_mask, part_of, swapped, without
from gui.settings_page.model import (
    CheckBegun,
    CheckEnded,
    CheckStopped,
    DesktopCaptured,
    KeyringNamed,
    ModelsListed,
    SettingRejected,
    SettingsMessage,
    SettingsRead,
    SettingsState,
    SettingsUnreadable,
    reduce_settings,
)
from gui.settings_page.settings_thread import SettingsThread
from mark_i.assembly.conversation import Conversation
from mark_i.config.about import ABOUT
from mark_i.config.api_keys import VARIABLES, Keys
from mark_i.config.keyrings import KeyringInUse
from mark_i.config.paths import DEFAULT_PROFILE, runs_folder, settings_file
from mark_i.config.settings import Settings, load, parsed, save
from mark_i.doctor import CheckFailure, ModelCheck
from mark_i.testing import OPENAI, ModelServer
from tests.support import action, script
from toolbelt.control import Control
from world_model import Region, Usage, read_run

NO_KEYS = dict.fromkeys(VARIABLES, "none")
CAP_S = 120.0


def found(saved: str = "", **values: object) -> SettingsRead:
    return SettingsRead(Settings.model_validate(values), "offline", NO_KEYS, saved)


def after(*messages: SettingsMessage) -> SettingsState:
    return functools.reduce(reduce_settings, messages, SettingsState())


# Fields -------------------------------------------------------------------------------------------------------------


def test_every_setting_stands_in_one_group_with_a_name_for_people() -> None:
    fields = [field for fields in grouped().values() for field in fields]

    assert sorted(field.key for field in fields) == sorted(Settings.model_fields)
    assert len({field.label for field in fields}) == len(fields)
    assert all(field.label[0].isupper() and "_" not in field.label for field in fields)
    for field in fields:
        assert all(text in field.caption for text in (field.default, field.key, ABOUT[field.key].help))


def test_what_can_be_chosen_is_what_is_allowed() -> None:
    choices = {field.key: field.choices for fields in grouped().values() for field in fields if field.choices}

    assert choices["single_model"] == ("off", "on")
    assert choices["theme"] == ("system", "dark", "light")
    assert choices["thinking"] == ("none", "low", "medium", "high")
    assert choices["image_detail"] == ("low", "medium", "high")
    assert "max_steps" not in choices
    for key, texts in choices.items():
        assert [shown(parsed(key, text)) or "none" for text in texts] == list(texts)


def test_a_value_is_shown_as_a_person_writes_it() -> None:
    settings = Settings(model_seconds=90, masks=("0,0,4x4", "KeePass"), single_model=True, max_cost=0.25)

    texts = {key: shown(value) for key, value in settings.model_dump().items()}
    assert (texts["model_seconds"], texts["max_cost"], texts["single_model"]) == ("90", "0.25", "on")
    assert (texts["masks"], texts["brain"], texts["max_steps"]) == ("0,0,4x4; KeePass", "", "50")
    assert {key: parsed(key, text) for key, text in texts.items()} == settings.model_dump()


def test_the_brains_offered_are_usable_or_set() -> None:
    keyed = {**NO_KEYS, "anthropic": "keyring", "gemini": "environment", "tavily": ".env"}

    assert brains(Settings(), NO_KEYS) == ("offline",)
    assert brains(Settings(), keyed) == ("offline", "gemini", "anthropic")
    assert brains(Settings(base_url="http://localhost:1/v1"), NO_KEYS) == ("offline", "openai")
    chosen = Settings(brain="openai:qwen", reply_brain="offline", vision_brain="mine:Eyes")
    assert brains(chosen, keyed) == ("offline", "openai:qwen", "mine:Eyes", "gemini", "anthropic")


def test_each_key_has_a_name_and_each_place_words() -> None:
    assert set(VENDORS) == set(VARIABLES)
    assert where_kept("openai", "environment") == "The key is in the environment variable OPENAI_API_KEY."
    assert len({where_kept("gemini", where) for where in KEPT}) == 5


def test_who_has_no_key_is_told_where_to_get_one() -> None:
    assert set(KEY_PAGES) == set(VARIABLES)
    assert where_kept("gemini", "none") == "No key. Get one at https://aistudio.google.com/apikey"


def test_a_keyring_in_plain_text_is_named_as_what_it_is() -> None:
    safe, plain = KeyringInUse("SecretService.Keyring", plaintext=False), KeyringInUse("x", plaintext=True, file="/k")

    assert where_kept("openai", "keyring", safe) == "The key is in the system keyring."
    assert where_kept("openai", "keyring", plain) == "The key is in a keyring without encryption: plain text in /k."
    assert "plain text in /k" in keyring_warning(plain)
    assert keyring_warning(safe) == keyring_warning(None) == ""


# The page -----------------------------------------------------------------------------------------------------------


def test_a_fault_stays_beside_its_field_until_mended() -> None:
    wrong = after(found(), SettingRejected("max_steps", "No."), SettingRejected("scale", "Not that."))
    assert wrong.faults == {"max_steps": "No.", "scale": "Not that."}

    saved = reduce_settings(wrong, found("scale", scale=150))
    assert (saved.faults, saved.saved) == ({"max_steps": "No."}, "scale")
    assert reduce_settings(saved, SettingRejected("max_steps", "")).faults == {}
    assert reduce_settings(saved, SettingRejected("max_steps", "")).saved == ""
    assert reduce_settings(wrong, found()).faults == {}


def test_the_keyring_stays_known_while_the_settings_cannot_be_read() -> None:
    plain = KeyringInUse("x", plaintext=True)
    broken = after(KeyringNamed(plain), found(), SettingsUnreadable("No."))

    assert reduce_settings(broken, found()).keyring == plain


def test_what_cannot_be_read_is_told_until_it_can() -> None:
    broken = after(found(), SettingRejected("scale", "No."), SettingsUnreadable("It is not TOML."))
    assert broken == SettingsState(broken="It is not TOML.")
    assert reduce_settings(broken, found()).broken == ""


@pytest.fixture
def told() -> list[SettingsMessage]:
    return []


def got(told: list[SettingsMessage], count: int) -> list[SettingsMessage]:
    assert Control().until(lambda: len(told) >= count, CAP_S)
    return told


def test_a_key_that_no_keyring_takes_names_the_checkbox(told: list[SettingsMessage]) -> None:
    profile = SettingsThread(told.append)
    profile.keep("gemini", "a-key-of-gemini", in_file=False)
    profile.keep("gemini", "a-key-of-gemini", in_file=True)
    rejected, saved = got(told, 2)
    profile.close()

    assert isinstance(rejected, SettingRejected)
    assert rejected.message.endswith(f"kept nothing. Check “{IN_FILE}” below, and save the key again.")
    assert isinstance(saved, SettingsRead)
    assert saved.kept["gemini"] == "file"


def test_settings_are_changed_as_the_command_line_does(told: list[SettingsMessage]) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("# mine\nmax_steps = 9\n")
    profile = SettingsThread(told.append)
    profile.look()
    profile.change("style", "strict")
    profile.change("max_steps", None)
    one, other, last = got(told, 3)
    profile.close()

    assert isinstance(one, SettingsRead)
    assert (one.settings.max_steps, one.saved, one.brain) == (9, "", "offline")
    assert isinstance(other, SettingsRead)
    assert (other.settings.style, other.saved) == ("strict", "style")
    assert isinstance(last, SettingsRead)
    assert last.settings.model_fields_set == {"style"}
    assert settings_file().read_text() == '# mine\nstyle = "strict"\n'


def test_a_file_that_is_broken_is_told_and_not_touched(told: list[SettingsMessage]) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("max_steps = = 9\n")
    profile = SettingsThread(told.append)
    profile.look()
    profile.change("style", "strict")
    broken, faulty = got(told, 2)
    profile.close()

    assert isinstance(broken, SettingsUnreadable)
    assert "not TOML" in broken.message
    assert isinstance(faulty, SettingRejected)
    assert (faulty.key, faulty.message) == ("style", broken.message)
    assert settings_file().read_text() == "max_steps = = 9\n"


def test_a_key_is_kept_and_taken_out_and_decides_the_brain(told: list[SettingsMessage], keyring: Path) -> None:
    profile = SettingsThread(told.append)
    profile.keep("gemini", "a-key-of-mine", in_file=False)
    (kept,) = got(told, 1)
    assert isinstance(kept, SettingsRead)
    assert (kept.kept["gemini"], kept.brain, kept.saved) == ("keyring", "gemini", "gemini.key")
    assert keyring.exists()
    assert Keys().get("gemini") == "a-key-of-mine"
    profile.keep("gemini", "a key of möne", in_file=False)
    profile.keep("gemini", "", in_file=False)
    _, refused, gone = got(told, 3)
    profile.close()
    assert isinstance(refused, SettingRejected)
    assert refused.key == "gemini.key"
    assert "no key has" in refused.message
    assert isinstance(gone, SettingsRead)
    assert (gone.kept["gemini"], gone.brain) == ("none", "offline")


def test_successive_mask_changes_do_not_undo_each_other(told: list[SettingsMessage]) -> None:
    save({"masks": ("0,0,4x4", "KeePass")})
    profile = SettingsThread(told.append)
    profile.mask("KeePass", ("Bank",))
    profile.mask("0,0,4x4", ())
    profile.mask("", ("Signal",))
    *_, last = got(told, 3)
    profile.close()

    assert isinstance(last, SettingsRead)
    assert (last.settings.masks, last.saved) == (("Bank", "Signal"), "masks")
    assert load().masks == last.settings.masks


def test_where_no_desktop_can_be_looked_at_that_is_told(told: list[SettingsMessage]) -> None:
    profile = SettingsThread(told.append)
    profile.capture_desktop()
    faulty, none = got(told, 2)
    profile.close()

    assert isinstance(faulty, SettingRejected)
    assert faulty.key == "masks"
    assert "Type the coordinates" in faulty.message
    assert none == DesktopCaptured(None)


@pytest.mark.usefixtures("display")
def test_a_run_of_the_window_is_made_of_what_is_set(tmp_path: Path) -> None:
    end = action("finish", summary="That is all.")
    names = [script(tmp_path / f"{name}.jsonl", end, end) for name in ("planner", "reply", "vision")]
    save({"reply_brain": names[1], "vision_brain": names[2], "observation_chars": 77, "thinking": "low"})
    told: list[Message] = []

    with closing(Conversation(DEFAULT_PROFILE)) as conversation:
        request = RunRequest("Say it", names[0], virtual=True, style="summary")
        worker = RunThread(request, conversation, told.append)
        assert Control().until(lambda: not worker.alive, CAP_S)
    assert told[-1] == RunReleased()
    (folder,) = runs_folder().iterdir()
    kept = read_run(folder, images=False).about
    assert [kept["brain"], kept["settings"]["reply_brain"], kept["settings"]["vision_brain"]] == names
    assert (kept["settings"]["observation_chars"], kept["settings"]["thinking"]) == (77, "low")
    assert kept["settings"]["style"] == "summary"
    assert load().style == "default"


# The check of the model ---------------------------------------------------------------------------------------------

HIT = ModelCheck("openai:mine", "pixels", "point", 3.0, inside=True, fits=None, usage=Usage(10, 5), seconds=1.2)
MISS = replace(HIT, distance_px=300.0, inside=False)


def test_a_check_is_told_in_a_line_or_two() -> None:
    assert check_words(None, "openai") == (ABOUT_CHECK, "quiet")
    assert check_words(CheckBegun(1), "openai") == (GOING_ON, "busy")
    assert check_words(CheckEnded(1, HIT), "openai") == (HIT.told, "done")
    assert check_words(CheckEnded(1, MISS), "openai") == (f"{MISS.told}\n{BY_MARKS}", "error")
    text, tone = check_words(CheckEnded(1, None), "offline")
    assert (text.split(",")[0], tone) == ("Offline asks no model", "quiet")


def test_a_failed_check_advises_in_words_of_the_window() -> None:
    odd = CheckFailure("openai:mine", "unreadable", "It is no reply.", "mark-i config set brain BRAIN:MODEL")
    refused = CheckFailure("openai:mine", "refused_key", "The key was refused. Check it.")

    assert check_words(CheckEnded(1, odd), "openai")[0].split("\n") == [
        "It is no reply.",
        "Try again, or choose another model.",
    ]
    assert check_words(CheckEnded(1, refused), "openai") == ("The key was refused. Check it.", "error")


def test_coordinates_that_fit_are_offered_until_they_are_set() -> None:
    ended = CheckEnded(1, replace(MISS, fits="normalized"))

    assert fitting(ended, Settings()) == "normalized"
    assert '"Use normalized coordinates, and check again"' in check_words(ended, "openai")[0]
    assert fitting(ended, Settings(coordinates="normalized")) == ""
    assert fitting(CheckEnded(1, MISS), Settings()) == fitting(CheckBegun(1), Settings()) == ""


def test_only_the_check_that_is_waited_for_counts() -> None:
    going = after(found(), CheckBegun(1))
    assert reduce_settings(going, CheckEnded(1, HIT)).check == CheckEnded(1, HIT)
    assert reduce_settings(going, found("brain", brain="openai:mine")).check == CheckBegun(1)

    again = after(found(), CheckBegun(1), CheckStopped(), CheckBegun(2))
    assert reduce_settings(again, CheckEnded(1, HIT)) == again
    assert after(CheckBegun(1), CheckStopped(), CheckEnded(1, HIT)).check is None


@pytest.mark.parametrize("changed", [found("brain", brain="openai:other"), found("gemini.key")])
def test_a_result_holds_until_something_changes(changed: SettingsRead) -> None:
    ended = after(found(), CheckBegun(1), CheckEnded(1, HIT))

    assert reduce_settings(ended, found()).check == ended.check
    assert reduce_settings(ended, CheckStopped()).check == ended.check
    assert reduce_settings(ended, changed).check is None


def test_a_check_uses_what_was_just_saved_and_can_be_stopped(
    told: list[SettingsMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(OPENAI, lambda _: action("click", target="Confirm order"), seconds=10 * CAP_S) as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        save({"base_url": server.base_url})
        profile = SettingsThread(told.append)
        profile.change("brain", "openai:mine")
        profile.check_model(1)
        assert Control().until(lambda: server.requests == 1, CAP_S)
        profile.stop_check()
        server.seconds = 0.0
        profile.check_model(2)
        _, last = got(told, 2)
        profile.close()

    assert isinstance(last, CheckEnded)
    assert isinstance(last.result, ModelCheck)
    assert (last.number, last.result.model, last.result.inside) == (2, "openai:mine", True)


def test_a_check_that_cannot_be_made_ends_too(told: list[SettingsMessage]) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("max_steps = = 9\n")
    profile = SettingsThread(told.append)
    profile.check_model(1)
    (last,) = got(told, 1)
    profile.close()

    assert isinstance(last, CheckEnded)
    assert isinstance(last.result, CheckFailure)
    assert "not TOML" in last.result.told


# The models of the service ------------------------------------------------------------------------------------------


def test_the_service_that_is_set_lists_its_models(told: list[SettingsMessage], monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(OPENAI, [], models=["qwen", "llama"]) as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        save({"base_url": server.base_url, "brain": "openai"})
        profile = SettingsThread(told.append)
        profile.list_models()
        (listed,) = got(told, 1)
        profile.close()

    assert listed == ModelsListed(("openai:qwen", "openai:llama"))
    assert after(found(), listed).models == ("openai:qwen", "openai:llama")


def test_a_service_without_a_list_offers_nothing_and_says_nothing(
    told: list[SettingsMessage], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(OPENAI, []) as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        save({"base_url": server.base_url, "brain": "openai"})
        profile = SettingsThread(told.append)
        profile.list_models()
        profile.look()
        got(told, 1)
        profile._models._lists._thread.shutdown(wait=True)  # it has answered
        profile.close()

    assert not any(isinstance(message, ModelsListed) for message in told)
    assert capfd.readouterr().err == ""


def test_the_models_of_another_service_are_not_offered() -> None:
    listed = after(found(), ModelsListed(("openai:qwen",)))

    assert reduce_settings(listed, found("scale", scale=150)).models == ("openai:qwen",)
    assert reduce_settings(listed, replace(found("brain"), brain="gemini")).models == ()
    assert reduce_settings(listed, found("base_url", base_url="http://localhost:1/v1")).models == ()


def test_of_many_models_those_are_offered_that_contain_what_is_typed() -> None:
    many = [f"openai:{name}-{number}" for name in ("Qwen", "llama") for number in range(50)]

    assert matching(many, "openai", "openai") == tuple(many[:MAX_OFFERED])
    assert matching(many, "openai", "") == tuple(many[:MAX_OFFERED])
    assert matching(many, "openai", "qwen-7") == ("openai:Qwen-7",)
    assert matching(many, "openai", "openai:llama")[0] == "openai:llama-0"


# Masks --------------------------------------------------------------------------------------------------------------


def test_a_drawing_on_a_small_picture_covers_what_is_below() -> None:
    view = MaskScale(Region(-1000, 0, 3000, 1000), 0.3)

    part = view.part((299, 10), (150, 40))
    assert part == Region(-500, 33, 497, 101)
    assert view.box(part)[0] <= 150
    assert view.box(part)[2] >= 299
    assert view.part((10, 10), (12, 90)) is None
    assert view.part((-50, -50), (30, 30)) == Region(-1000, 0, 100, 100)
    assert view.part((2000, 0), (2100, 50)) is None


@pytest.mark.parametrize("part", [Region(0, 0, 400, 100), Region(-1920, 5, 3, 4)])
def test_a_part_is_written_as_the_settings_read_it(part: Region) -> None:
    assert part_of(as_mask(part)) == part
    assert parsed("masks", as_mask(part)) == (as_mask(part),)


def test_a_click_chooses_the_smallest_mask_that_lies_there() -> None:
    masks = ("KeePass", "0,0,900x900", "100,100,50x50")
    view = MaskScale(Region(0, 0, 1000, 1000), 0.5)

    assert view.mask_at((60, 60), masks) == 2
    assert view.mask_at((10, 10), masks) == 1
    assert view.mask_at((480, 480), masks) is None
    assert part_of("KeePass") is None


def test_masks_are_added_changed_and_taken_out() -> None:
    masks = ("0,0,4x4", "KeePass")

    assert swapped(masks, "", ("1,1,2x2",)) == (*masks, "1,1,2x2")
    assert swapped(masks, "0,0,4x4", ("9,9,4x4", "Signal")) == ("9,9,4x4", "Signal", "KeePass")
    assert swapped(masks, "KeePass", ()) == ("0,0,4x4",)
    assert swapped(masks, "gone by now", ("1,1,2x2", "KeePass")) == (*masks, "1,1,2x2")
    assert without(masks, 0) == ("KeePass",)
