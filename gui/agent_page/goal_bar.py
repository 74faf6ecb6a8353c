"""The goal bar: the goal, its model, workflow, style and desktop, and the buttons of the run."""

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from tkinter.filedialog import askopenfilename
from typing import Final

from gui.agent_page.attach_row import AttachRow
from gui.agent_page.goal_box import HIGH_PX, LOW_PX, GoalBox
from gui.agent_page.run_buttons import RunButtons, RunCallbacks
from gui.agent_page.style_box import StyleBox
from gui.kit.buttons import LinkButton
from gui.kit.checkbox import CheckBox
from gui.kit.segmented import SegmentedSwitch
from gui.kit.style import EDGE_PX, GAP_PX, MUTED, NEAR_PX, SURFACE, combobox_style, highlight_on_focus, small_font
from gui.run.choices import Choices
from gui.run.requests import PREVIEW, PendingApproval, PendingRequest
from gui.run.state import RunState
from gui.toolkit import ctk
from mark_i.workflows import shipped

GOAL, FOLLOW_UP, WORD = "Goal", "Next goal (the agent knows what came before)", "Say something to the agent"
ANSWER: Final = "This answers the question below"
INSTEAD: Final = "What should it do instead? Enter denies the action and sends this."
SHORT_FOLLOW_UP: Final = "Next goal"
NEW: Final = "New conversation"
OFFLINE: Final = "offline"
OWN, LIVE = "Virtual desktop", "This desktop"
NONE, FILE = "none", "Open file…"
ONE_ROW_MIN_PX: Final = 690  # window width from which all choices are in one row
ROOMY_MIN_PX: Final = 760  # width from which none of them is narrower for that
LONG_CAPTION_MIN_PX: Final = 900  # width from which FOLLOW_UP fits beside what is above the goal
BESIDE_MIN_PX: Final = 560  # window width from which the buttons are beside the goal
TALL_GOAL_MIN_PX: Final = 560  # page height from which the goal has three lines instead of two
WIDTH_PX, NARROW_PX, HEIGHT_PX = 150, 122, 34
CAPTION_PX: Final = 20  # height of the caption above the goal


@dataclass(frozen=True, slots=True)
class GoalCallbacks:
    """What the goal bar does: `buttons` are those of the run, `choose` is called with another workflow."""

    buttons: RunCallbacks
    choose: Callable[[str | None], object]
    begin_conversation: Callable[[], None]


class GoalBar(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Asks for a goal and its choices, which are out of the way while a run goes on.

    `goal`, `files`, `chosen` and `preview` are what the person wants; `workflow` is one of the choices.
    """

    def __init__(self, master: tk.Misc, chosen: Choices, callbacks: GoalCallbacks) -> None:
        super().__init__(master, fg_color=SURFACE, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self._caption = _caption(self, GOAL)
        self._caption.grid(row=0, column=0, sticky="nw", padx=EDGE_PX, pady=(GAP_PX, 0))
        # Before the goal, as it is on the screen: Tab reaches them in this order.
        self._above = ctk.CTkFrame(self, fg_color="transparent", width=0, height=0)
        self._above.grid(row=0, column=0, sticky="ne", padx=EDGE_PX, pady=(GAP_PX - 2, 0))
        self._new = LinkButton(self._above, NEW, callbacks.begin_conversation)
        self._attach = AttachRow(self._above)
        self._preview = CheckBox(self._above, PREVIEW)
        self._goal = GoalBox(self, callbacks.buttons.run)
        self._goal.grid(row=0, column=0, sticky="ew", padx=EDGE_PX, pady=(GAP_PX + CAPTION_PX, 0))
        self._pickers = ctk.CTkFrame(self, fg_color="transparent")
        self._choose, self._reported = callbacks.choose, chosen.workflow
        self._brain = self._picker("Model", (chosen.brain,), chosen.brain, 0)
        self._workflow = self._workflow_box(chosen.workflow)
        self._style = StyleBox(self._pickers, chosen.style, (WIDTH_PX, HEIGHT_PX))
        self._desktop_caption = _caption(self._pickers, "Desktop")
        self._desktop = self._desktop_box()
        self._buttons = RunButtons(self, callbacks.buttons, self._goal.take)
        self._state, self._room = RunState(), (ONE_ROW_MIN_PX, TALL_GOAL_MIN_PX)
        self._answered: PendingRequest | None = None
        self._arrange()
        self.draw(RunState(), None)

    @property
    def goal(self) -> str:
        """The goal."""
        return self._goal.text.strip()

    @property
    def chosen(self) -> Choices:
        """What is chosen for the next run."""
        return Choices(
            str(self._brain.get()).strip(), self.workflow, self._style.style, virtual=bool(self._desktop.get() == OWN)
        )

    @property
    def workflow(self) -> str | None:
        """The name of the workflow, or its file; None for the plain loop."""
        name = str(self._workflow.get()).strip()
        return None if name in ("", NONE) else name

    @property
    def preview(self) -> bool:
        """Whether each action needs approval."""
        return self._preview.checked

    def use(self, goal: str) -> None:
        """Fill in a goal."""
        self._goal.write(goal)
        self.focus_goal()

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are attached."""
        return self._attach.files

    def invite(self, *, over: bool) -> bool:
        """Show that files that are held over the page can be dropped, or no longer; a run has its own files."""
        self._attach.invite(over=over)
        return not self._state.running

    def attach(self, files: tuple[str, ...]) -> bool:
        """Attach more files; say whether there were any, and no run goes on."""
        if fits := bool(files) and not self._state.running:
            self._attach.show(tuple(dict.fromkeys((*self.files, *files))))
        return fits

    def clear(self) -> None:
        """Empty the goal, where the next one is written."""
        self._goal.write("")
        self._attach.show(())

    def focus_brain(self) -> None:
        """Put the caret into the model, with its name selected."""
        self._brain.focus_set()
        self._brain._entry.select_range(0, "end")  # noqa: SLF001

    def use_no_model(self) -> None:
        """Choose the brain that needs no model."""
        self._brain.set(OFFLINE)

    def restore(self, goal: str, files: tuple[str, ...]) -> None:
        """Put back a goal that was not reached, to be changed or tried again, unless another one is being written."""
        if not self.goal:
            self._goal.write(goal, selected=True)
            self._attach.show(files)

    def choose(self, chosen: Choices) -> None:
        """Choose what a run is made of."""
        self._brain.set(chosen.brain)
        self._style.choose(chosen.style)
        self._workflow.set(chosen.workflow or NONE)
        self._desktop.set(OWN if chosen.virtual else LIVE)
        self._tell()

    def offer(self, brains: Sequence[str]) -> None:
        """Offer these brains."""
        self._brain.configure(values=list(brains))

    def prefer(self, was: Choices, now: Choices) -> None:
        """Choose what the settings say, where that changed."""
        if was.brain != now.brain:
            self._brain.set(now.brain)
        if was.style != now.style:
            self._style.choose(now.style)
        if was.workflow != now.workflow:
            self._workflow.set(now.workflow or NONE)
            self._tell()

    def focus_goal(self) -> None:
        """Put the caret into the goal."""
        self._goal.focus_set()

    def draw(self, state: RunState, answered: PendingRequest | None) -> None:
        """Update what can be pressed and chosen, and the earlier goals; `answered` is what the goal answers."""
        was, self._state = self._state, state
        asked, self._answered = self._answered, answered
        self._buttons.draw(state, answered)
        if was.goals is not state.goals:
            self._goal.remember(state.goals)
        if _kind(was) != _kind(state) or asked is not answered:
            self._arrange()

    def fit(self, width: int, height: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._room = (width, height)
        self._arrange()

    def _arrange(self) -> None:
        """Use one row below the goal where there is room; where there is little, the log has priority."""
        width, height = self._room
        one_row, beside = width >= ONE_ROW_MIN_PX, width >= BESIDE_MIN_PX
        for box in (self._brain, self._workflow):
            box.configure(width=NARROW_PX if one_row and width < ROOMY_MIN_PX else WIDTH_PX)
        self._goal.configure(height=HIGH_PX if beside or height >= TALL_GOAL_MIN_PX else LOW_PX)
        self._caption.configure(text=self._purpose(width))
        self._arrange_above()
        self._buttons.fit(square=beside)
        where = {"row": 0, "column": 1, "padx": (0, EDGE_PX)} if beside else {"row": 2, "column": 0, "padx": EDGE_PX}
        self._buttons.grid(**where, sticky="se", pady=(0 if beside else NEAR_PX, 0 if beside else EDGE_PX))
        if self._state.running:
            if str(self.tk.call("focus")).startswith(f"{self._pickers}."):  # keys would go to a field that is not seen
                self.focus_goal()
            self._pickers.grid_forget()
            self.grid_rowconfigure(3, minsize=GAP_PX if beside else 0)
            return
        self.grid_rowconfigure(3, minsize=0)
        self._pickers.grid(
            row=1, column=0, columnspan=2, sticky="w", padx=EDGE_PX, pady=(GAP_PX, EDGE_PX if beside else 0)
        )
        row, column, left, above = (0, 2, GAP_PX, 0) if one_row else (2, 0, 0, NEAR_PX)
        beside_those: tuple[tuple[ctk.CTkLabel, ctk.CTkBaseClass], ...] = (
            (self._style.caption, self._style),
            (self._desktop_caption, self._desktop),
        )
        for number, (caption, box) in enumerate(beside_those):
            place = {"column": column + number, "sticky": "w", "padx": (GAP_PX if number else left, 0)}
            caption.grid(row=row, pady=(above, 3), **place)
            box.grid(row=row + 1, **place)

    def _purpose(self, width: int) -> str:
        """Say what is written there now."""
        if self._answered:
            return INSTEAD if isinstance(self._answered, PendingApproval) else ANSWER
        if self._state.running:
            return WORD
        follow_up = FOLLOW_UP if width >= LONG_CAPTION_MIN_PX else SHORT_FOLLOW_UP
        return follow_up if self._state.conversing else GOAL

    def _arrange_above(self) -> None:
        """Offer what makes sense now."""
        self._new.grid_remove()
        self._preview.grid_remove()
        self._attach.grid_remove()
        if self._state.running:
            self._above.grid_remove()  # it keeps its size without its content, and would cover the caption
        else:
            self._above.grid()
            self._attach.grid(row=0, column=1, padx=(GAP_PX, 0))
            self._preview.grid(row=0, column=2, padx=(GAP_PX, 0))
            if self._state.conversing:
                self._new.grid(row=0, column=0)

    def _picker(self, text: str, values: Sequence[str], chosen: str, column: int) -> ctk.CTkComboBox:
        """Make a combobox with its caption."""
        left = (GAP_PX if column else 0, 0)
        _caption(self._pickers, text).grid(row=0, column=column, sticky="w", padx=left, pady=(0, 3))
        box = ctk.CTkComboBox(
            self._pickers,
            values=list(values),
            width=WIDTH_PX,
            height=HEIGHT_PX,
            **combobox_style(),
        )
        highlight_on_focus(box)
        box.set(chosen)
        box.grid(row=1, column=column, sticky="w", padx=left)
        return box

    def _workflow_box(self, chosen: str | None) -> ctk.CTkComboBox:
        box = self._picker("Workflow", (NONE, *shipped(), FILE), chosen or NONE, 1)
        box.configure(command=self._pick)
        for sequence in ("<Return>", "<FocusOut>"):
            box.bind(sequence, lambda _event: self._tell())
        return box

    def _pick(self, name: str) -> None:
        """Choose from the list; cancelling the file dialog keeps the earlier choice."""
        if name == FILE:
            kinds = [("Workflows", "*.json"), ("All files", "*")]
            try:
                name = askopenfilename(parent=self, title="Open a workflow", filetypes=kinds) or self._reported or NONE
            except tk.TclError:  # the window, and the dialog with it, was closed meanwhile
                return
            self._workflow.set(name)
        self._tell()

    def _tell(self) -> None:
        """Report a choice, once."""
        if self.workflow != self._reported:
            self._reported = self.workflow
            self._choose(self.workflow)

    def _desktop_box(self) -> SegmentedSwitch:
        box = SegmentedSwitch(self._pickers, (OWN, LIVE), HEIGHT_PX)
        box.set(OWN)
        return box


def _kind(state: RunState) -> tuple[bool, bool]:
    """Return what the arrangement depends on."""
    return state.running, state.conversing


def _caption(master: tk.Misc, text: str) -> ctk.CTkLabel:
    return ctk.CTkLabel(master, text=text, font=small_font(), text_color=MUTED, height=0)
