"""The dialog for an action that needs approval: what, where and why, and what to do instead."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.dialogs.base import Dialog
from gui.kit.buttons import PLAIN, PRIMARY, Button
from gui.kit.style import GAP_PX, MUTED, NEAR_PX, TONES, code_font, small_font, strong_font, text_font
from gui.kit.tones import Tone
from gui.run.messages import Decided
from gui.run.requests import TIERS, PendingApproval
from gui.toolkit import ctk
from mark_i.guard import Choice
from world_model import Frame

INSTEAD: Final = "What should it do instead? Enter denies the action and sends this."
BARRED: Final = "Enter denies the action and sends this. To allow the action, clear the text and the point."
ONCE, RUN = "Allow once", "Allow for this run"
PURPOSE: Final = "The frame shows where it will act. Click the picture to point somewhere else."
ANYWHERE: Final = "Click the picture to point at the place that it should use."
SHOW, HIDE = "Show details", "Hide details"
TONE: Final[dict[str, Tone]] = {"look": "quiet", "act": "busy", "write": "unverified", "danger": "failed"}


class ApprovalDialog(Dialog):
    """Calls `decide` once; closing it denies the action. Nothing that could be pressed has the focus at first."""

    def __init__(
        self,
        master: tk.Misc,
        pending: PendingApproval,
        screen: Frame | None,
        decide: Callable[[Decided], None],
        stop: Callable[[], None],
    ) -> None:
        super().__init__(master, "MARK-I needs your approval", stop, lambda: self._say("no"))
        self._decide = decide
        self._exact = self.box(pending.call, code_font())
        self.above = [
            self.text(f"{pending.sentence}?", strong_font()),
            self.text(pending.why, text_font()),
            self._risk(pending),
        ]
        self.show_screen(screen, pending.place, PURPOSE if pending.place else ANYWHERE)
        self._field = self.field(INSTEAD, self._correct)
        self._instead = tk.StringVar(self)
        self._instead.trace_add("write", lambda *_: self._weigh())
        self._field.configure(textvariable=self._instead)
        if self.picture:
            self.picture.bind("<<Pointed>>", lambda _event: self._weigh())
        self.choices(
            ("Deny", PLAIN, lambda: self._say("no")),
            (RUN, PLAIN, lambda: self._say("run")),
            (ONCE, PRIMARY, lambda: self._say("once")),
        )
        self.appear(self)

    def _risk(self, pending: PendingApproval) -> ctk.CTkFrame:
        """Show how much harm it may do, with the button for details."""
        row = ctk.CTkFrame(self, fg_color="transparent")
        tone = TONES[TONE.get(pending.tier, "failed")]
        text = TIERS.get(pending.tier, pending.tier)
        ctk.CTkLabel(row, text="●", font=small_font(), text_color=tone, height=0).pack(side="left", padx=(0, NEAR_PX))
        ctk.CTkLabel(row, text=text, font=small_font(), text_color=MUTED, height=0).pack(side="left", padx=(0, GAP_PX))
        self._details = Button(row, SHOW, PLAIN, self._toggle_details)
        self._details.configure(font=small_font(), height=24)
        self._details.pack(side="right")
        return row

    def _toggle_details(self) -> None:
        """Show or hide the action as code."""
        if hidden := self._exact not in self.above:
            self.above.append(self._exact)
        else:
            self.above.remove(self._exact)
        self._details.configure(text=HIDE if hidden else SHOW)
        self.arrange()

    @property
    def _corrected(self) -> bool:
        """Whether the person has said what to do instead, in words or by pointing."""
        return bool(self._instead.get().strip() or (self.picture and self.picture.pointed))

    def _weigh(self) -> None:
        """Disable approval while a correction stands: it belongs to a denial, and would be lost otherwise."""
        self.bar(*((RUN, ONCE) if self._corrected else ()))
        self.caption.configure(text=BARRED if self._corrected else INSTEAD)

    def _correct(self) -> None:
        """Deny and send the correction; Return in an empty field does nothing."""
        if self._corrected:
            self._say("no")

    def _say(self, choice: Choice) -> None:
        at = self.picture.pointed if self.picture else None
        self._decide(Decided(choice, self._instead.get().strip(), at))
