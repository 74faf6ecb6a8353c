"""The wall: a tile for each run of a fleet, on one canvas that draws and decodes only what is in view."""

import time
import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gui.fleet_page.run_picture import RunPicture
from gui.fleet_page.tile_painter import PaintedTile, TilePainter
from gui.fleet_page.wall_layout import WallLayout, laid_out
from gui.kit.style import BACKGROUND, MUTED, SCROLLBAR, scale_of
from gui.log.thumbnail_thread import Thumbnails
from gui.toolkit import ctk

if TYPE_CHECKING:
    from mark_i.fleet import RunNow

NOTCH_PX: Final = 60  # that one notch of the wheel scrolls
REFRESH_MS: Final = 100  # between two looks for pictures that are ready
BUSY_MAX_S: Final = 0.012  # for which pictures are shown before the window reacts to its person again
KEPT_IMAGES: Final = 160  # more than a large window shows at once
ARROWS: Final = (("<Left>", -1, 0), ("<Right>", 1, 0), ("<Up>", 0, -1), ("<Down>", 0, 1))


class Wall(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `open_run` with the run of a tile that is clicked, and `chosen` with the run that is pointed at.

    The arrow keys choose a tile, too, and Enter opens it. The journals of the runs are in the folder `journals`.
    """

    def __init__(
        self,
        master: tk.Misc,
        journals: Path,
        open_run: Callable[["RunNow"], None],
        chosen: Callable[["RunNow | None"], None],
    ) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(0, weight=1)
        self._journals, self._open, self._tell = journals, open_run, chosen
        self._view = tk.Canvas(
            self, highlightthickness=0, borderwidth=0, yscrollincrement=1, width=1, height=1, takefocus=True
        )
        self._view.grid(row=0, column=0, sticky="nsew")
        self._bar = ctk.CTkScrollbar(self, command=self._scroll_to, fg_color=BACKGROUND)
        self._bar.grid(row=0, column=1, sticky="ns")
        self._view.configure(yscrollcommand=self._bar.set)
        self._painter = TilePainter(self._view, self._apply_appearance_mode)
        self._thumbnails = Thumbnails(KEPT_IMAGES)
        self._runs: Sequence[RunNow] = ()
        self._layout: WallLayout = laid_out(0, (1, 1), 1.0)
        self._tiles: dict[str, PaintedTile] = {}
        self._chosen: str | None = None
        self._look = 0  # counts changes of theme and size, after which every tile is drawn again
        self._refreshing: str | None = None
        self._listen()
        self._restyle()

    def draw(self, runs: Sequence["RunNow"]) -> None:
        """Show these runs, in this order."""
        if runs != self._runs:
            self._runs = runs
            self._lay_out()
            self._told_chosen()

    def take_focus(self) -> None:
        """Give the wall the focus, so that the arrow keys choose a tile."""
        self._view.focus_set()

    def to_top(self) -> None:
        """Show the first runs, and choose none."""
        self._view.yview_moveto(0.0)
        self._choose(None)

    def close(self) -> None:
        """Read no more pictures."""
        self._thumbnails.close()

    def _listen(self) -> None:
        view = self._view
        view.bind("<Configure>", lambda _event: self._lay_out())
        view.bind("<Map>", lambda _event: self._refresh())
        for sequence in ("<Button-4>", "<Button-5>", "<MouseWheel>"):
            view.bind(sequence, self._by_wheel)
        view.bind("<Motion>", self._pointed)
        view.bind("<ButtonRelease-1>", self._clicked)
        view.bind("<Button-1>", lambda _event: self.take_focus())
        view.bind("<FocusIn>", lambda _event: self._chosen or self._move(0, 0, None))
        for key, across, down in ARROWS:
            view.bind(key, partial(self._move, across, down))
        for key, pages in (("<Prior>", -1), ("<Next>", 1)):
            view.bind(key, partial(self._by_page, pages))
        for key in ("<Return>", "<space>"):
            view.bind(key, lambda _event: self._open_chosen())

    def _lay_out(self) -> None:
        """Place all tiles, after a change of runs or size; the scrollbar keeps its place, but not its color."""
        scale, width, height = scale_of(self), self._view.winfo_width(), self._view.winfo_height()
        layout = laid_out(len(self._runs), (width, height), scale)
        if layout != self._layout:
            self._layout = layout
            self._look += 1
        self._view.configure(scrollregion=(0, 0, width, max(height, layout.whole)))
        color = SCROLLBAR if layout.whole > height else BACKGROUND
        if self._bar.cget("button_color") != color:
            self._bar.configure(button_color=color, button_hover_color=MUTED if color == SCROLLBAR else BACKGROUND)
        self._paint()

    def _paint(self) -> None:
        """Draw the tiles that are in view and have changed; those out of view are forgotten."""
        top = int(self._view.canvasy(0))
        seen = self._layout.within(top, top + self._view.winfo_height())
        shown = {self._runs[number].id: number for number in seen}
        for name in self._tiles.keys() - shown.keys():
            self._view.delete(self._tiles.pop(name).tag)
        for name, number in shown.items():
            run = self._runs[number]
            look = (number, name == self._chosen, self._look)
            if (before := self._tiles.get(name)) and (before.run, before.look) == (run, look):
                continue
            if before:
                self._view.delete(before.tag)
            tile = self._painter.paint(run, self._layout, number, f"tile {name}", chosen=name == self._chosen)
            tile.look, self._tiles[name] = look, tile
            if before and before.photo and before.look[-1] == self._look:
                tile.picture, tile.photo = before.picture, before.photo
                self._view.itemconfigure(tile.image, image=before.photo)

    def _refresh(self) -> None:
        """Show the pictures that are ready, for as long as nobody notices, and want the others."""
        if self._refreshing:
            self.after_cancel(self._refreshing)
            self._refreshing = None
        if not self._view.winfo_ismapped():  # `<Map>` begins it again
            return
        until, missing = time.monotonic() + BUSY_MAX_S, []
        for tile in list(self._tiles.values()):
            if (wanted := self._picture(tile.run)) is None:
                continue
            picture = self._thumbnails.small(wanted)
            if picture is None:
                missing.append(wanted)
            elif picture is not tile.picture and time.monotonic() < until:
                self._painter.show(tile, picture)
        self._thumbnails.want(missing)
        self._refreshing = self.after(REFRESH_MS, self._refresh)

    def _picture(self, run: "RunNow") -> RunPicture | None:
        """The picture that belongs to a run now; None if there is none."""
        if not run.run or (run.state == "running" and not run.screen):
            return None
        return RunPicture(self._journals / run.run, run.screen, self._painter.room(self._layout))

    def _scroll_to(self, *where: str) -> None:
        self._view.yview(*where)
        self._paint()

    def _by_wheel(self, event: "tk.Event[tk.Misc]") -> str:
        up = event.num == 4 or event.delta > 0  # noqa: PLR2004 - X11 calls the wheel buttons 4 and 5
        self._view.yview_scroll(-NOTCH_PX if up else NOTCH_PX, "units")
        self._paint()
        return "break"

    def _by_page(self, pages: int, _event: object) -> str:
        self._view.yview_scroll(pages, "pages")
        self._paint()
        return "break"

    def _pointed(self, event: "tk.Event[tk.Misc]") -> None:
        if (number := self._at(event)) is not None:
            self._choose(self._runs[number].id)

    def _clicked(self, event: "tk.Event[tk.Misc]") -> None:
        if (number := self._at(event)) is not None:
            self._open(self._runs[number])

    def _at(self, event: "tk.Event[tk.Misc]") -> int | None:
        return self._layout.at(event.x, int(self._view.canvasy(event.y)))

    def _move(self, across: int, down: int, _event: object) -> str:
        numbers = {run.id: number for number, run in enumerate(self._runs)}
        number = numbers.get(self._chosen or "")
        to = 0 if number is None else number + across + down * self._layout.columns
        if 0 <= to < len(self._runs):
            self._choose(self._runs[to].id)
            self._see(to)
        return "break"

    def _see(self, number: int) -> None:
        """Scroll a tile into view."""
        top, above, height = self._layout.corner(number)[1], int(self._view.canvasy(0)), self._view.winfo_height()
        below = top + self._layout.height - above - height
        if top < above or below > 0:
            self._view.yview_scroll(top - above if top < above else below, "units")
            self._paint()

    def _open_chosen(self) -> None:
        if run := self._run():
            self._open(run)

    def _choose(self, name: str | None) -> None:
        if name != self._chosen:
            self._chosen = name
            self._paint()
            self._told_chosen()

    def _told_chosen(self) -> None:
        self._tell(self._run())

    def _run(self) -> "RunNow | None":
        return next((run for run in self._runs if run.id == self._chosen), None)

    def _restyle(self) -> None:
        """Apply the current colors and sizes, which a plain canvas does not know."""
        self._look += 1
        self._painter.restyle(scale_of(self))
        self._view.configure(background=self._apply_appearance_mode(BACKGROUND))
        self._lay_out()

    def _set_appearance_mode(self, mode_string: str) -> None:
        """React to a change of theme, which customtkinter reports and plain Tk ignores."""
        super()._set_appearance_mode(mode_string)
        self._restyle()

    def _set_scaling(self, *scales: float) -> None:
        """React to a change of scale, which customtkinter reports."""
        super()._set_scaling(*scales)
        self._restyle()
