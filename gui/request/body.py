"""The content of a card that asks: the words, buttons for short answers, and the screen that it is about."""

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from gui.kit.buttons import PLAIN, PRIMARY, Button, ButtonStyle
from gui.kit.style import GAP_PX, MUTED, NEAR_PX, TEXT, TONES, Color, scale_of, small_font, strong_font, text_font
from gui.kit.tones import Tone
from gui.kit.wrapped_text import LINES_MIN_PX, WrappedText
from gui.request.screen_crop import Seen
from gui.request.screenshot import Screenshot
from gui.run.messages import Answered, Decided
from gui.run.requests import TIERS, PendingApproval, PendingQuestion, PendingRequest
from gui.toolkit import ctk
from mark_i.guard import Choice
from world_model import Point

ASKS, NEEDS_APPROVAL = "MARK-I asks", "MARK-I needs your approval"
DISMISS: Final = "Dismiss"
DENY, ONCE, RUN = "Deny", "Allow once", "Allow for this run"
CHOICES: Final[dict[str, Choice]] = {DENY: "no", RUN: "run", ONCE: "once"}
BARRED: Final = "To allow the action, clear the text and the point."
SHOW, HIDE = "Show details", "Hide details"
SCREEN: Final = "Show the screen"
TONE: Final[dict[str, Tone]] = {"look": "quiet", "act": "busy", "write": "unverified", "danger": "failed"}
BUTTON: Final = {"width": 64, "height": 30}
BESIDE_MIN_PX: Final = 560  # width of the card from which the picture is beside the words
PICTURE_PART: Final = 0.42  # of that width
PICTURE_MAX_PX, PICTURE_HEIGHT_PX = 420, 226  # with what is below it
MIN_WRAP_PX: Final = 80


@dataclass(frozen=True, slots=True)
class RequestCallbacks:
    """What a card that asks does.

    Attributes:
        reply: gets what a button says.
        send: replies with what is written in the message box, as Enter does there.
        words: returns what is written there.
        focus: gives the message box the focus.
        enlarge: is called when the picture takes the room of the log, or gives it back.
    """

    reply: Callable[[Answered | Decided], None]
    send: Callable[[], None]
    words: Callable[[], str]
    focus: Callable[[], None]
    enlarge: Callable[[], None]


class RequestBody(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows one request; `resized` is called when it may need another height."""

    def __init__(
        self,
        master: tk.Misc,
        pending: PendingRequest,
        seen: Seen | None,
        callbacks: RequestCallbacks,
        resized: Callable[[], None],
    ) -> None:
        super().__init__(master, fg_color="transparent")
        self._pending, self._callbacks, self._resized = pending, callbacks, resized
        self._beside = True
        self._shown = (False, False)  # whether the buttons can be pressed, and whether a correction bars some
        self._labels: list[ctk.CTkLabel] = []
        self._rows: list[tk.Widget] = []  # top to bottom
        self._buttons: dict[str, Button] = {}
        self._hint: ctk.CTkLabel | None = None
        self._details: Button | None = None
        if isinstance(pending, PendingApproval):
            self._build_approval(pending)
        else:
            self._build_question(pending)
        self.grid_columnconfigure(0, weight=1)
        place = pending.place if isinstance(pending, PendingApproval) else None
        self.picture = Screenshot(self, seen, place, self._enlarge, callbacks.send) if seen else None
        if self.picture:
            self._buttons[SCREEN] = Button(self._choices, SCREEN, PLAIN, self.picture.enlarge, BUTTON)
        self._arrange()

    @property
    def pointed(self) -> Point | None:
        """Where the person pointed."""
        return self.picture.pointed if self.picture else None

    @property
    def large(self) -> bool:
        """Whether the picture takes the room of everything else."""
        return bool(self.picture and self.picture.large)

    def height_px(self, most: float) -> float:
        """Return the height to show it at, unscaled: at most that, unless the buttons need more."""
        others = sum(one.winfo_reqheight() for one in self._rows if one is not self._words) / scale_of(self)
        others += NEAR_PX * (len(self._rows) - 1)
        words = self._words.needed_px
        wanted = max(others + words, PICTURE_HEIGHT_PX if self.picture and self._beside else 0)
        return max(min(wanted, most), others + min(words, LINES_MIN_PX))

    def message(self, words: str) -> Answered | Decided:
        """Return the reply with what is written in the message box: an answer, or a denial that says what to do."""
        if isinstance(self._pending, PendingApproval):
            return Decided("no", words, self.pointed)
        return Answered(words, self.pointed)

    def enable(self, *, usable: bool, corrected: bool) -> None:
        """Say whether the buttons can be pressed; a correction bars approval, for it belongs to a denial."""
        if (usable, corrected) == self._shown:
            return
        self._shown = (usable, corrected)
        for text, button in self._buttons.items():
            button.enable(usable=text == SCREEN or (usable and not (corrected and text in {RUN, ONCE})))
        if self._hint:
            self._hint.configure(text=BARRED if corrected else "")

    def fit(self, width: float) -> None:
        """Wrap and arrange everything for a new width, unscaled."""
        self._beside = width >= BESIDE_MIN_PX
        picture = min(PICTURE_MAX_PX, PICTURE_PART * width) if self.picture and self._beside else 0
        self.grid_columnconfigure(1, minsize=round(picture * scale_of(self)))
        room = max(MIN_WRAP_PX, width - picture - (GAP_PX if picture else 0))
        for label in self._labels:
            label.configure(wraplength=room)
        self._flow(room)
        self._arrange()

    def _build_question(self, pending: PendingQuestion) -> None:
        self._label(ASKS, small_font(), TONES["unverified"])
        self._add_words(pending.text)
        self._offer(*((text, PLAIN, partial(self._answer, text)) for text in pending.choices))
        self._offer((DISMISS, PLAIN, partial(self._answer, "")))

    def _build_approval(self, pending: PendingApproval) -> None:
        self._label(NEEDS_APPROVAL, small_font(), TONES["unverified"])
        self._label(f"{pending.sentence}?", strong_font())
        self._add_words(pending.why)
        self._risk(pending)
        self._hint = self._label("", small_font(), MUTED)
        looks = {DENY: PLAIN, RUN: PLAIN, ONCE: PRIMARY}
        self._offer(*((text, looks[text], partial(self._decide, choice)) for text, choice in CHOICES.items()))

    def _label(self, words: str, font: ctk.CTkFont, color: Color = TEXT) -> ctk.CTkLabel:
        label = ctk.CTkLabel(self, text=words, font=font, text_color=color, height=0, justify="left", anchor="w")
        self._labels.append(label)
        self._rows.append(label)
        return label

    def _add_words(self, text: str) -> None:
        self._words = WrappedText(self, text, text_font(), self._resized)
        # Whoever reads or copies it goes on typing in the message box.
        self._words.bind("<ButtonRelease-1>", lambda _event: self.after_idle(self._callbacks.focus), add="+")
        self._rows.append(self._words)

    def _risk(self, pending: PendingApproval) -> None:
        """Show how much harm it may do, with the button for the action as code."""
        row = ctk.CTkFrame(self, fg_color="transparent")
        tone = TONES[TONE.get(pending.tier, "failed")]
        text = TIERS.get(pending.tier, pending.tier)
        ctk.CTkLabel(row, text="●", font=small_font(), text_color=tone, height=0).pack(side="left", padx=(0, NEAR_PX))
        ctk.CTkLabel(row, text=text, font=small_font(), text_color=MUTED, height=0).pack(side="left", padx=(0, GAP_PX))
        shape = {"width": 0, "height": 22, "font": small_font()}
        self._details = Button(row, SHOW, PLAIN, partial(self._toggle_details, pending), shape)
        self._details.pack(side="left")
        self._rows.append(row)

    def _offer(self, *buttons: tuple[str, ButtonStyle, Callable[[], None]]) -> None:
        """Add buttons, which cannot be pressed yet."""
        if not self._buttons:
            self._choices = ctk.CTkFrame(self, fg_color="transparent", width=0, height=0)
            self._rows.append(self._choices)
        for text, look, work in buttons:
            self._buttons[text] = Button(self._choices, text, look, work, BUTTON)
            self._buttons[text].enable(usable=False)

    def _flow(self, room: float) -> None:
        """Place the buttons in as many rows as they need."""
        row = column = 0
        taken = 0.0
        for text, button in self._buttons.items():
            if text == SCREEN and self._beside:
                button.grid_forget()
                continue
            wide = button.winfo_reqwidth() / scale_of(self) + NEAR_PX
            if column and taken + wide > room:
                row, column, taken = row + 1, 0, 0.0
            button.grid(row=row, column=column, padx=(0, NEAR_PX), pady=(NEAR_PX if row else 0, 0), sticky="w")
            column, taken = column + 1, taken + wide

    def _arrange(self) -> None:
        """Show the words, and beside them the picture where there is room; or the picture alone."""
        for number, one in enumerate(self._rows):
            if self.large:
                one.grid_remove()
            else:
                sticky = "nsew" if one is self._words else "ew"
                one.grid(row=number, column=0, sticky=sticky, pady=(NEAR_PX if number else 0, 0))
            self.grid_rowconfigure(number, weight=int(one is self._words and not self.large))
        if not self.picture:
            return
        if self.large:
            self.grid_rowconfigure(0, weight=1)
            self.picture.grid(row=0, column=0, columnspan=2, rowspan=1, sticky="nsew", padx=0)
        elif self._beside:
            self.picture.grid(row=0, column=1, columnspan=1, rowspan=len(self._rows), sticky="nsew", padx=(GAP_PX, 0))
        else:
            self.picture.grid_remove()

    def _enlarge(self) -> None:
        self._arrange()
        self._callbacks.enlarge()

    def _toggle_details(self, pending: PendingApproval) -> None:
        """Show or hide the action as code."""
        if self._details:
            hidden = self._details.cget("text") == SHOW
            self._words.show(f"{pending.why}\n\n{pending.call}" if hidden else pending.why)
            self._details.configure(text=HIDE if hidden else SHOW)
            self._resized()

    def _answer(self, text: str) -> None:
        self._callbacks.reply(Answered(text, self.pointed if text else None))

    def _decide(self, choice: Choice) -> None:
        """Decide; a denial takes with it what was said instead."""
        if choice == "no" and self._shown[1]:
            self._callbacks.send()
        else:
            self._callbacks.reply(Decided(choice))
