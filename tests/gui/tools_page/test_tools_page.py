"""The page of the tools: as values, on its threads, and in the window itself with real mouse and keyboard."""

import contextlib
import functools
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from gui.tools_page.arguments import arguments_of, values_of
from gui.tools_page.catalog import Catalog, ToolEntry, entry_of
from gui.tools_page.model import (
    SampleWritten,
    ToolOpened,
    ToolsFailed,
    ToolsMessage,
    ToolsRead,
    ToolsSearched,
    ToolsState,
    TrialCancelled,
    TrialConfirmed,
    TrialEnded,
    TrialNoted,
    TrialRequested,
    TrialTicked,
    reduce_tools,
)
from gui.tools_page.tools_thread import STOPPED, ToolsThread
from mark_i import Action, Control, Observation, tool
from mark_i.catalog import builtin_tools
from mark_i.config.paths import settings_file, tools_folder
from mark_i.config.settings import load
from tests.gui.opened_window import CAP_S, LONG, Window
from tests.support import action, script, tool_file
from toolbelt.perception.eyes import Eyes
from toolbelt.tool import tools_of
from world_model import Problem, UsageError

BROKEN = "from mark_i import tool\n\n\n@tool\ndef mine(:\n"
SLOW = '''
import time
from pathlib import Path

from mark_i import tool


@tool(risk="look")
def wait_for_file(path: str) -> str:
    """Wait until a file is there. Then say so."""
    while not Path(path).exists():
        time.sleep(0.01)
    return "It is there."
'''


# What a person fills in ----------------------------------------------------------------------------------------------


@tool(risk="write")
def file_it(
    title: Annotated[str, Field(description="What it is\nabout.\n\nAnd more.")],
    level: Literal["low", "true", "7"] = "low",
    count: Annotated[int, Field(ge=1, le=9)] = 1,
    weight: float | None = None,
    loud: bool = False,  # noqa: FBT001, FBT002 - a tool's argument
    tags: list[str] | None = None,
    place: dict[str, int] | str = "here",
    extra: Any = None,
) -> str:
    """File it. Then
    return its number.

    The rest of the story.
    """
    return f"{title}{level}{count}{weight}{loud}{tags}{place}{extra}"


(FILE_IT,) = tools_of(file_it)
ARGUMENTS = {one.name: one for one in arguments_of(FILE_IT)}


@pytest.mark.parametrize(
    ("name", "message", "about", "choices"),
    [
        ("title", "string, required", "What it is about.", ()),
        ("level", '"low" | "true" | "7", default "low"', "", ("low", "true", "7")),
        ("count", "integer, default 1", "At least 1, at most 9.", ()),
        ("weight", "number | null, default null", "", ()),
        ("loud", "boolean, default false", "", ("false", "true")),
        ("tags", "[string] | null, default null", "", ()),
        ("place", 'object | string, default "here"', "", ()),
        ("extra", "any, default null", "", ()),
    ],
)
def test_an_argument_says_what_it_takes(name: str, message: str, about: str, choices: tuple[str, ...]) -> None:
    one = ARGUMENTS[name]
    assert (one.message, one.about, one.choices) == (message, about, choices)


def test_a_target_says_all_that_it_can_be() -> None:
    target, *_ = arguments_of(builtin_tools()["click"])
    assert target.kind.startswith("{x, y} | {text, role, ")
    first, second, *_ = target.about.splitlines()
    assert first == "Where to click."
    assert second == "A point of the desktop, in pixels unless the caller uses other coordinates."
    assert "The number of a mark." in target.about
    assert target.types == {"object", "string"}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("title", '{"not": "read"}', '{"not": "read"}'),
        ("title", "12", "12"),
        ("title", "two\nlines", "two\nlines"),
        ("level", "true", "true"),
        ("level", "7", "7"),
        ("count", " 3 ", 3),
        ("weight", "2.5", 2.5),
        ("weight", "2", 2),
        ("loud", "true", True),
        ("tags", '["a", "b"]', ["a", "b"]),
        ("place", '{"x": 1}', {"x": 1}),
        ("place", "42", "42"),
        ("place", '"42"', "42"),
        ("place", "{half", "{half"),
        ("extra", "[1, {}]", [1, {}]),
        ("extra", "plain words", "plain words"),
    ],
)
def test_what_was_written_is_the_value_that_is_meant(name: str, text: str, value: object) -> None:
    assert values_of((ARGUMENTS[name],), {name: text}) == {name: value}


def test_an_empty_input_is_the_default_or_an_empty_text() -> None:
    assert values_of(tuple(ARGUMENTS.values()), dict.fromkeys(ARGUMENTS, "  ")) == {"title": "  "}
    target = replace(ARGUMENTS["place"], default=None)
    assert values_of((target,), {}) == {}


@pytest.mark.parametrize(("name", "text"), [("count", "three"), ("tags", "a, b"), ("loud", "yes")])
def test_what_cannot_be_read_is_named(name: str, text: str) -> None:
    with pytest.raises(UsageError, match=f"^{name} cannot be read: .* Write it as JSON"):
        values_of((ARGUMENTS[name],), {name: text})


@pytest.mark.parametrize("one", builtin_tools(), ids=lambda one: one.name)
def test_every_tool_that_is_built_in_can_be_shown(one: Any) -> None:
    entry = entry_of(one)
    assert entry.first
    assert [argument.name for argument in entry.arguments] == list(one.schema["properties"])
    assert json.loads(entry.schema) == one.schema
    assert all(argument.types for argument in entry.arguments)


# The page as values --------------------------------------------------------------------------------------------------

WRITE = entry_of(FILE_IT)
LOOK = ToolEntry("peek", "look", "Peek.", "Peek.", 60.0, (), "{}")
CATALOG = Catalog((WRITE, LOOK, replace(LOOK, name="finish", description="End it.")), (), "/tools")


def shown(*messages: ToolsMessage, start: ToolsState = ToolsState()) -> ToolsState:  # noqa: B008 - frozen
    return functools.reduce(reduce_tools, messages, start)


def opened(name: str) -> ToolsState:
    return shown(ToolsRead(CATALOG), ToolOpened(name))


def test_a_tool_in_one_line() -> None:
    assert WRITE.first == "File it."
    assert LOOK.source == "built in"
    assert replace(LOOK, origin="/tools/mine.py").source == "mine.py"
    assert replace(LOOK, origin="greeter (greet = greeter:greet)").source == "greeter"
    assert [one.fixed for one in CATALOG.entries] == [False, False, True]


def test_a_search_leaves_the_tools_that_have_its_words() -> None:
    tools = shown(ToolsRead(CATALOG), ToolsSearched("STORY write"))
    assert tools.found == (WRITE,)
    assert shown(ToolsSearched("peek built in"), start=tools).found == (LOOK,)
    assert shown(ToolsSearched("nothing"), start=tools).found == ()
    assert shown(ToolsSearched("x")).found == ()


def test_a_tool_that_is_gone_is_left_and_told_of() -> None:
    tools = shown(ToolsRead(Catalog((LOOK,))), start=opened("file_it"))
    assert (tools.opened, tools.is_error) == (None, True)
    assert tools.message.startswith("file_it is gone")
    assert shown(ToolsRead(Catalog((LOOK,))), start=opened("peek")).opened == "peek"


def test_only_tools_with_effects_need_confirmation() -> None:
    phases = {}
    for risk in ("look", "act", "write", "danger"):
        catalog = Catalog((replace(LOOK, risk=risk),))
        tools = shown(ToolsRead(catalog), ToolOpened("peek"), TrialRequested(Action("peek", {}), virtual=True))
        assert tools.trial
        phases[risk] = tools.trial.phase
    assert phases == {"look": "running", "act": "running", "write": "confirming", "danger": "confirming"}


def test_what_was_asked_about_is_begun_or_left() -> None:
    asked = shown(TrialRequested(Action("file_it", {}), virtual=False), start=opened("file_it"))
    assert not asked.trying
    assert shown(TrialCancelled(), start=asked).trial is None
    begun = shown(TrialConfirmed(), start=asked)
    assert begun.trying
    assert shown(TrialCancelled(), start=begun) == begun
    assert shown(ToolOpened(None), start=asked).trial is None
    assert shown(ToolOpened(None), start=begun).trying
    assert shown(TrialConfirmed(), TrialTicked(1.0), TrialNoted("x")).trial is None


def test_a_second_one_is_not_begun_while_one_goes_on() -> None:
    tools = shown(TrialRequested(Action("peek", {"a": 1}), virtual=True), start=opened("peek"))
    again = shown(TrialRequested(Action("peek", {"a": 2}), virtual=True), start=tools)
    assert again.trial
    assert again.trial.action.args == {"a": 1}


def test_how_long_it_takes_is_told_after_half_a_second() -> None:
    tools = shown(TrialRequested(Action("peek", {}), virtual=True), TrialTicked(0.4), start=opened("peek"))
    assert tools.trial
    assert tools.trial.waited == ""
    later = shown(TrialTicked(2.5), start=tools).trial
    assert later
    assert later.waited == "2.5 s"


@pytest.mark.parametrize(
    ("seen", "title", "ok", "text", "hints", "data"),
    [
        (Observation(ok=True, text="Fine."), "Succeeded", True, "Fine.", "", ""),
        (Observation(ok=True, text=""), "Succeeded", True, "It returned nothing.", "", ""),
        (Observation(ok=True, text="a: 1", data={"a": 1}), "Succeeded", True, "a: 1", "", ""),
        (Observation(ok=True, text="One.", data={"a": 1}), "Succeeded", True, "One.", "", "a: 1"),
        (
            Observation(ok=False, text="", error=Problem("DENIED", "No.", ("Ask.", "Wait."))),
            "Error: DENIED",
            False,
            "No.",
            "Ask.\nWait.",
            "",
        ),
        (STOPPED, "Not run", False, STOPPED, "", ""),
    ],
)
def test_what_came_of_it_is_told_as_it_was(
    seen: Observation | str, title: str, ok: object, text: str, hints: str, data: str
) -> None:
    tools = shown(
        TrialRequested(Action("peek", {}), virtual=True), TrialNoted("n"), TrialEnded(seen), start=opened("peek")
    )
    assert tools.trial
    assert not tools.trying
    result = tools.trial.result
    assert result
    assert (result.title, result.ok, result.text, result.hints, result.data) == (title, ok, text, hints, data)
    assert tools.trial.note == "n"


def test_a_long_result_says_what_is_left_out() -> None:
    tools = shown(
        TrialRequested(Action("peek", {}), virtual=True),
        TrialEnded(Observation(ok=True, text="x" * 5000)),
        start=opened("peek"),
    )
    assert tools.trial
    assert tools.trial.result
    assert tools.trial.result.text.endswith("x … (1,000 more characters)")


def test_a_message_stays_until_something_else_is_done() -> None:
    tools = shown(ToolsFailed("No room."), start=opened("peek"))
    assert (tools.message, tools.is_error, tools.opened) == ("No room.", True, "peek")
    assert shown(ToolOpened(None), start=tools).message == ""
    made = shown(SampleWritten("peek", "/tools/my_tool.py"), start=shown(ToolsRead(CATALOG)))
    assert made.entry == LOOK
    assert made.message.startswith("/tools/my_tool.py is a small working tool.")
    assert not made.is_error


# On its threads ------------------------------------------------------------------------------------------------------


class Bench:
    """A workbench, and the page that it brings about."""

    def __init__(self) -> None:
        self.message: list[ToolsMessage] = []
        self.bench = ToolsThread(self.message.append)
        self.done = 0

    @property
    def page(self) -> ToolsState:
        return shown(*tuple(self.message))

    def until(self, condition: Any) -> ToolsState:
        """Looks, as the page does, until the page is as it should be."""

        def there() -> bool:
            self.bench.look()
            return bool(self.page.catalog and condition(self.page))

        assert Control().until(there, CAP_S), self.page
        return self.page

    def result(self) -> Observation | str:
        """What comes of the use that was just begun."""
        self.done += 1

        def ends() -> list[TrialEnded]:
            return [one for one in self.message if isinstance(one, TrialEnded)]

        assert Control().until(lambda: len(ends()) >= self.done, CAP_S)
        assert Control().until(lambda: not self.bench.alive, CAP_S)
        return ends()[-1].result


@pytest.fixture
def bench() -> Iterator[Bench]:
    one = Bench()
    with contextlib.closing(one.bench):
        yield one


def names(page: ToolsState) -> list[str]:
    return [one.name for one in page.catalog.entries] if page.catalog else []


def entry(page: ToolsState, name: str) -> ToolEntry:
    found = page.catalog.entry(name) if page.catalog else None
    assert found
    return found


def test_all_tools_of_a_run_are_found_and_told_once(bench: Bench) -> None:
    page = bench.until(lambda page: page.catalog)
    assert names(page) == [one.name for one in builtin_tools()]
    assert {name for name in names(page) if entry(page, name).desktop} >= {"click", "press", "wait_for", "open_app"}
    assert not {name for name in names(page) if entry(page, name).desktop} & {"finish", "list_files", "python_repl"}
    bench.bench.look()
    bench.bench.use(Action("list_files", {}), virtual=True)
    bench.result()
    assert sum(isinstance(one, ToolsRead) for one in bench.message) == 1


def test_a_file_that_comes_breaks_is_mended_and_goes_is_seen(bench: Bench) -> None:
    bench.until(lambda page: page.catalog)
    tools_folder().mkdir(parents=True)
    mine = tool_file(tools_folder(), "mine.py", "mine")
    page = bench.until(lambda page: "mine" in names(page))
    assert (entry(page, "mine").origin, entry(page, "mine").source) == (str(mine), "mine.py")

    mine.write_text(BROKEN)
    page = bench.until(lambda page: any("line 5" in fault for fault in page.catalog.faults))  # it may see half of it
    assert page.catalog
    assert page.catalog.faults == ("mine.py, line 5: SyntaxError: invalid syntax. Its tools stay as they were.",)
    assert entry(page, "mine").fault == page.catalog.faults[0]

    tool_file(tools_folder(), "mine.py", "yours")
    page = bench.until(lambda page: "yours" in names(page))
    assert "mine" not in names(page)
    assert page.catalog
    assert page.catalog.faults == ()

    mine.unlink()
    assert "yours" not in names(bench.until(lambda page: "yours" not in names(page)))


def test_a_tool_is_switched_off_and_on_in_the_settings(bench: Bench) -> None:
    bench.bench.switch("read_file", on=False)
    bench.bench.switch("python_repl", on=False)
    page = bench.until(lambda page: entry(page, "python_repl").off)
    assert load().tools_off == ("read_file", "python_repl")
    assert entry(page, "read_file").off
    assert not entry(page, "list_files").off
    bench.bench.switch("read_file", on=True)
    bench.until(lambda page: not entry(page, "read_file").off)
    assert load().tools_off == ("python_repl",)


def test_what_ends_a_run_stays_on(bench: Bench) -> None:
    bench.bench.switch("finish", on=False)
    bench.until(lambda page: page.message)
    assert "without finish and fail" in bench.page.message
    assert load().tools_off == ()


def test_broken_settings_are_reported_and_the_tools_still_listed(bench: Bench) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("max_steps = 0\n")
    page = bench.until(lambda page: page.catalog.faults)
    assert page.catalog
    assert "max_steps must be" in page.catalog.faults[0]
    assert "click" in names(page)
    settings_file().unlink()
    bench.until(lambda page: not page.catalog.faults)


def test_a_sample_is_written_under_a_name_that_is_free_and_works(bench: Bench) -> None:
    for name in ("my_tool", "my_tool_2"):
        bench.bench.write_sample()
        page = bench.until(lambda page, name=name: page.opened == name)
        assert page.entry
        assert (tools_folder() / f"{name}.py").exists()
        assert page.message.startswith(str(tools_folder() / f"{name}.py"))
    bench.bench.use(Action("my_tool_2", {"who": "Ada"}), virtual=True)
    assert bench.result() == Observation(ok=True, text="Hello, Ada!")


def test_a_disabled_tool_can_be_tried_and_its_error_shown(bench: Bench, tmp_path: Path) -> None:
    bench.bench.switch("list_files", on=False)
    bench.bench.use(Action("list_files", {"path": "."}), virtual=True)
    seen = bench.result()
    assert isinstance(seen, Observation)
    assert "README.md" in seen.text
    bench.bench.use(Action("list_files", {"path": str(tmp_path)}), virtual=True)
    refused = bench.result()
    assert isinstance(refused, Observation)
    assert refused.error
    assert refused.error.code == "PERMISSION_DENIED"


@pytest.mark.usefixtures("display")
def test_a_desktop_tool_has_a_desktop_or_says_it_is_missing(bench: Bench) -> None:
    bench.bench.use(Action("list_windows", {}), virtual=False)
    seen = bench.result()
    assert isinstance(seen, Observation)
    assert seen.ok
    notes = [one.note for one in bench.message if isinstance(one, TrialNoted)]
    assert len(notes) == 1
    assert notes[0].startswith("There is no display here, so the agent works on a virtual desktop")


def test_what_takes_too_long_is_stopped(bench: Bench, tmp_path: Path) -> None:
    tools_folder().mkdir(parents=True)
    (tools_folder() / "slow.py").write_text(SLOW)
    bench.bench.use(Action("wait_for_file", {"path": str(tmp_path / "never")}), virtual=True)
    assert bench.bench.alive
    bench.bench.stop()
    assert bench.result() == STOPPED


# In the window -------------------------------------------------------------------------------------------------------


@pytest.fixture
def window(screen: Eyes, home: Path) -> Iterator[Window]:
    with contextlib.closing(Window(screen, home)) as found:
        assert found.sees("Ready", "What should MARK-I do?")
        yield found


def open_tool(window: Window, name: str) -> None:
    """From another page, by keys."""
    window.desktop.press("ctrl+5")
    assert window.sees("What it does", "double_click", "built in", "Enabled")
    window.desktop.type(name)
    assert window.gone("double_click")
    assert window.sees("What it does")
    window.desktop.press("enter")
    assert window.sees("Back", "Show schema")


def test_a_run_cannot_use_a_tool_that_was_switched_off(window: Window, tmp_path: Path) -> None:
    open_tool(window, "list_files")
    assert window.sees("look: changes nothing", "Built in. Timeout: 60 s.", "path", 'default "."')
    window.click("Show schema")
    assert window.sees("Hide schema", '"additionalProperties": false')
    window.click("Available in runs")
    assert window.wait(lambda: load().tools_off == ("list_files",))

    window.click("Back")
    assert window.sees("Off")
    window.desktop.press("ctrl+1")
    window.start(script(tmp_path / "b.jsonl", action("list_files"), LONG))
    assert window.sees("is switched off.", "The user switched it off", "Acting: Wait for")
    window.desktop.press("escape")
    assert window.sees("Stopped")

    window.desktop.press("ctrl+5")
    assert window.sees("Enabled", "Off")
    window.desktop.press("down")
    window.desktop.press("space")
    assert window.wait(lambda: load().tools_off == ())


def test_a_tool_is_tried_and_what_may_do_harm_asks_first(window: Window) -> None:
    open_tool(window, "python_repl")
    assert window.sees("danger: can do harm", "code", "required")
    for _ in range(3):
        window.desktop.press("tab")
    window.desktop.type("6 * 7\nprint('seen')")
    window.desktop.press("ctrl+enter")
    assert window.sees("with these arguments? It can do harm.", "Cancel")
    window.desktop.press("escape")
    assert window.gone("Cancel")

    window.desktop.press("tab")
    window.desktop.press("space")
    window.click("Run it")
    assert window.sees("Succeeded", "seen")


def test_errors_have_codes_and_bad_input_is_found_before_trying(window: Window) -> None:
    open_tool(window, "wait_until_still")
    assert window.sees("At least 0, at most 600.")
    for _ in range(3):
        window.desktop.press("tab")
    window.desktop.type("soon\n")
    assert window.sees("seconds cannot be read", "Write it as JSON, as a number.")
    window.desktop.press("shift+home")
    window.desktop.type("-1\n")
    assert window.sees("Error: INVALID", "Call it as")


def test_a_desktop_tool_is_tried_on_a_virtual_or_real_desktop(screen: Eyes, home: Path) -> None:
    screen.desktop.launch(["xterm", "-T", "Garden", "-geometry", "20x5", "-e", "cat"])
    assert screen.control.until(lambda: [one.title for one in screen.desktop.windows()] == ["Garden"], CAP_S)
    (garden,) = screen.desktop.windows()
    with contextlib.closing(Window(screen, home)) as window:
        assert window.sees("Ready", "What should MARK-I do?")
        open_tool(window, "list_windows")
        window.click("Try it")
        assert window.sees("Succeeded", "No window is open.")
        window.click("Run on this desktop")
        window.click("Try it")
        assert window.sees("Succeeded", "Garden")
    screen.desktop.close_window(garden)
    assert screen.control.until(lambda: not screen.desktop.windows(), CAP_S)


def test_what_takes_long_says_so_and_is_stopped(window: Window, tmp_path: Path) -> None:
    tools_folder().mkdir(parents=True)
    (tools_folder() / "slow.py").write_text(SLOW)
    open_tool(window, "wait_for_file")
    for _ in range(3):
        window.desktop.press("tab")
    window.desktop.type(str(tmp_path / "never"))
    window.desktop.press("ctrl+enter")
    assert window.sees("Running", "Stop")
    window.desktop.press("escape")
    assert window.sees("Not run", STOPPED)

    window.click("Try it")
    assert window.sees("Running", "Stop")
    window.desktop.press("ctrl+1")
    assert window.sees("What should MARK-I do?")
    (tmp_path / "never").touch()
    window.desktop.press("ctrl+5")
    assert window.sees("Succeeded", "It is there.")


def test_a_dropped_file_and_its_errors_are_shown(window: Window) -> None:
    window.desktop.press("ctrl+5")
    assert window.sees("New tool", "Put your own tool files into")
    window.click("New tool")
    assert window.sees("is a small working tool")
    sample = tools_folder() / "my_tool.py"
    assert sample.exists()
    assert window.sees("Arguments", "who", "loudly")
    window.desktop.press("escape")
    assert window.sees("Enabled", "double_click")
    window.desktop.press("shift+tab")
    window.desktop.type("zebra")
    assert window.sees("No tool matches these words.")
    zebra = tool_file(tools_folder(), "zebra.py", "zebra")
    assert window.sees("zebra.py", "Answer.")

    zebra.write_text(BROKEN)
    assert window.sees("zebra.py, line 5: SyntaxError: invalid syntax. Its tools stay as they were.")
    window.desktop.press("enter")
    assert window.sees("Back", "zebra.py, line 5", "No arguments")
    zebra.unlink()
    assert window.sees("zebra is gone", "No tool matches these words.")
