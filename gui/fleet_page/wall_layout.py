"""Where the tiles of the wall are. No Tk here."""

from dataclasses import dataclass
from typing import Final

from gui.kit.style import GAP_PX

TILE_MIN_PX, TILE_MAX_PX = 164, 320  # width, unscaled
PICTURE_SHAPE: Final = 0.625  # height divided by width: of a screen of 16 to 10
WORDS_PX: Final = 50  # height of title and state below the picture


@dataclass(frozen=True, slots=True)
class WallLayout:
    """Tiles side by side, in as many rows as they need; all lengths are pixels of the screen."""

    count: int
    columns: int
    width: int
    height: int
    gap: int

    @property
    def rows(self) -> int:
        """How many there are."""
        return -(-self.count // self.columns)

    @property
    def whole(self) -> int:
        """The height of all rows, with a gap after each."""
        return self.rows * (self.height + self.gap)

    def corner(self, number: int) -> tuple[int, int]:
        """The left top corner of a tile."""
        row, column = divmod(number, self.columns)
        return column * (self.width + self.gap), row * (self.height + self.gap)

    def at(self, x: int, y: int) -> int | None:
        """The tile at a point."""
        (row, down), (column, across) = divmod(y, self.height + self.gap), divmod(x, self.width + self.gap)
        number = row * self.columns + column
        inside = down < self.height and across < self.width and 0 <= column < self.columns
        return number if inside and 0 <= number < self.count else None

    def within(self, top: int, bottom: int) -> range:
        """The tiles of which a part is between two heights."""
        step = self.height + self.gap
        return range(max(0, top // step) * self.columns, min(self.count, (bottom // step + 1) * self.columns))


def laid_out(count: int, room: tuple[int, int], scale: float) -> WallLayout:
    """Make the tiles as large as they may be with all of them in sight, or else as small."""
    (width, height), gap = room, round(GAP_PX * scale)
    least, most = (max(1, round(side * scale)) for side in (TILE_MIN_PX, TILE_MAX_PX))
    for columns in range(1, max(1, (width + gap) // (least + gap)) + 1):
        whole = max(1, (width + gap) // columns - gap)
        side = min(whole, most)
        layout = WallLayout(count, columns, side, round(side * PICTURE_SHAPE + WORDS_PX * scale), gap)
        if (whole <= most or columns >= count) and layout.whole - gap <= height:
            break
    return layout
