"""The welcome page of somebody who has run nothing yet: what to do, what is available, and the demo."""

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from gui.kit.buttons import PLAIN, PRIMARY, Button, clicked
from gui.kit.style import (
    BACKGROUND,
    EDGE_PX,
    GAP_PX,
    MUTED,
    NEAR_PX,
    SUNKEN,
    TEXT,
    TONES,
    small_font,
    strong_font,
    text_font,
    title_font,
)
from gui.toolkit import ctk
from mark_i.doctor import Finding

MAX_WIDTH_PX: Final = 640
# What the window itself offers, in place of a command for the terminal.
REMEDIES: Final = {"key": "With an API key (Settings page), goals can be in your own words."}
MARK_PX: Final = 26  # width of the sign before a finding
INVITATION: Final = (
    "Enter a goal above and press Run (Enter). Each step appears here. Esc stops the run, F1 shows the keys."
)


@dataclass(frozen=True, slots=True)
class WelcomeCallbacks:
    """What a first start offers; `example` fills in a goal, `keys` opens the place to enter a key, if there is one."""

    example: Callable[[], None]
    demo: Callable[[], None]
    keys: Callable[[], None] | None


class Welcome(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shown until the first run."""

    def __init__(self, master: tk.Misc, findings: Sequence[Finding], example: str, callbacks: WelcomeCallbacks) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self._column = ctk.CTkFrame(self, fg_color=BACKGROUND, corner_radius=0)
        self._column.grid(row=0, column=0, pady=GAP_PX)
        self._column.grid_columnconfigure(1, weight=1)
        self._wrapped: list[tuple[ctk.CTkLabel, int]] = []  # and what stands beside each
        self._row = 0
        self._say("What should MARK-I do?", title_font(), TEXT)
        self._say(INVITATION, text_font(), MUTED)
        self._offer_example(example, callbacks.example)
        self._offer(findings, callbacks)
        self._say("What is available", strong_font(), TEXT)
        for finding in findings:
            self._tell(finding)

    def fit(self, width: int) -> None:
        """Wrap at a new width."""
        room = max(120, min(MAX_WIDTH_PX, width - 2 * EDGE_PX))
        for label, beside in self._wrapped:
            label.configure(wraplength=room - beside)

    def _say(self, text: str, font: ctk.CTkFont, color: tuple[str, str], **look: object) -> ctk.CTkLabel:
        label = ctk.CTkLabel(
            self._column, text=text, font=font, text_color=color, anchor="w", justify="left", height=0, **look
        )
        label.grid(row=self._row, column=0, columnspan=2, sticky="w", pady=(0, NEAR_PX))
        self._wrapped.append((label, 2 * GAP_PX if look else 0))
        self._row += 1
        return label

    def _offer_example(self, example: str, use: Callable[[], None]) -> None:
        self._say("Example (click to use it):", small_font(), MUTED)
        label = self._say(example, text_font(), TEXT, fg_color=SUNKEN, corner_radius=8, padx=GAP_PX, pady=NEAR_PX)
        label.configure(cursor="hand2")
        label.bind("<Button-1>", partial(clicked, use))

    def _offer(self, findings: Sequence[Finding], callbacks: WelcomeCallbacks) -> None:
        """Offer the demo, where it can run, and a place for a key, where there is one."""
        row = ctk.CTkFrame(self._column, fg_color=BACKGROUND, corner_radius=0)
        row.grid(row=self._row, column=0, columnspan=2, sticky="w", pady=(NEAR_PX, GAP_PX + NEAR_PX))
        self._row += 1
        demo = Button(row, "Watch the demo", PRIMARY, callbacks.demo)
        demo.enable(usable=any(one.about == "demo" and one.there for one in findings))
        demo.grid(row=0, column=0, padx=(0, NEAR_PX))
        if callbacks.keys:
            Button(row, "Enter an API key", PLAIN, callbacks.keys).grid(row=0, column=1)

    def _tell(self, finding: Finding) -> None:
        """Show a finding: its name and whether it is available, in words as well as by the sign; below, what to do."""
        sign, color = ("✓", TONES["done"]) if finding.there else ("✗", TONES["unverified"])
        ctk.CTkLabel(self._column, text=sign, font=strong_font(), text_color=color, height=0, width=MARK_PX).grid(
            row=self._row, column=0, sticky="nw", rowspan=3
        )
        title = finding.name if finding.there else f"{finding.name}: not available"
        for text, font, tone in (
            (title, text_font(), TEXT),
            (finding.told, small_font(), MUTED),
            (REMEDIES.get(finding.about, finding.todo) if not finding.there else "", small_font(), TEXT),
        ):
            if text:
                label = ctk.CTkLabel(
                    self._column, text=text, font=font, text_color=tone, anchor="w", justify="left", height=0
                )
                label.grid(row=self._row, column=1, sticky="w")
                self._wrapped.append((label, MARK_PX))
                self._row += 1
        self._column.grid_rowconfigure(self._row, minsize=NEAR_PX)
        self._row += 1
