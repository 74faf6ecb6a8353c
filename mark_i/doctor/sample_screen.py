"""A screen that is drawn to see where a model clicks: a form with one button to find among others like it."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from world_model import Region, Size

SCREEN: Final = Size(1920, 1080)
BUTTON: Final = "Confirm order"
OTHERS: Final = ("Cancel order", "Confirm address", "Print order", "Save draft", "Add item", "Help", "Next page")
FIELDS: Final = ("Customer", "Street", "City", "Quantity", "Voucher")
BOXES: Final = ("Gift wrap", "Send a receipt", "Express")
WINDOW: Final = Region(90, 60, 1740, 960)
TITLE_PX: Final = 44
COLUMNS, ROWS = 5, 8  # of the cells in the window
CELL: Final = Size(WINDOW.width // COLUMNS, (WINDOW.height - TITLE_PX) // ROWS)
BUTTON_SIZE: Final = Size(176, 42)
FIELD_SIZE: Final = Size(210, 34)
BOX_PX: Final = 20
# Near the top left corner, coordinates of all kinds are alike, so the button is never there.
FIRST_COLUMN, FIRST_ROW = 2, 2
DESKTOP, PANE, BAR, INK, EDGE, FACE, PAPER, BLUE = (
    "#35506B",
    "#F4F5F7",
    "#DADDE3",
    "#1B1E24",
    "#8B93A1",
    "#E3E6EB",
    "#FFFFFF",
    "#2F6FD6",
)


@dataclass(frozen=True, slots=True)
class SampleScreen:
    """The picture, and the region of its button `BUTTON`."""

    picture: Image.Image
    button: Region


def drawn(chance: Random) -> SampleScreen:
    """Draw a screen on which chance decides where everything is."""
    picture = Image.new("RGB", (SCREEN.width, SCREEN.height), DESKTOP)
    brush = ImageDraw.Draw(picture)
    brush.rectangle((WINDOW.x, WINDOW.y, WINDOW.right, WINDOW.bottom), PANE, EDGE)
    brush.rectangle((WINDOW.x, WINDOW.y, WINDOW.right, WINDOW.y + TITLE_PX), BAR, EDGE)
    brush.text((WINDOW.x + 16, WINDOW.y + 11), "Orders", INK, _font(20))
    cells = [(column, row) for column in range(COLUMNS) for row in range(ROWS)]
    chance.shuffle(cells)
    chosen = next(one for one in cells if one[0] >= FIRST_COLUMN and one[1] >= FIRST_ROW)
    cells.remove(chosen)
    button = _place(chosen, BUTTON_SIZE, chance)
    _button(brush, button, BUTTON)
    shapes: list[tuple[Callable[[ImageDraw.ImageDraw, Region, str], None], Size, tuple[str, ...]]] = [
        (_button, BUTTON_SIZE, OTHERS),
        (_field, FIELD_SIZE, FIELDS),
        (_checkbox, FIELD_SIZE, BOXES),
        (_disc, Size(48, 48), ("", "")),
    ]
    for draw, size, texts in shapes:
        for text in texts:
            draw(brush, _place(cells.pop(), size, chance), text)
    return SampleScreen(picture, button)


def _place(cell: tuple[int, int], size: Size, chance: Random) -> Region:
    """Return a region of a size, somewhere in a cell of the window, with a margin."""
    column, row = cell
    x = WINDOW.x + column * CELL.width + 20 + chance.randrange(CELL.width - size.width - 40)
    y = WINDOW.y + TITLE_PX + row * CELL.height + 34 + chance.randrange(CELL.height - size.height - 44)
    return Region(x, y, size.width, size.height)


def _button(brush: ImageDraw.ImageDraw, place: Region, text: str) -> None:
    brush.rounded_rectangle((place.x, place.y, place.right - 1, place.bottom - 1), 6, FACE, EDGE)
    brush.text((place.center.x, place.center.y), text, INK, _font(18), anchor="mm")


def _field(brush: ImageDraw.ImageDraw, place: Region, text: str) -> None:
    brush.text((place.x, place.y - 24), text, INK, _font(17))
    brush.rectangle((place.x, place.y, place.right - 1, place.bottom - 1), PAPER, EDGE)


def _checkbox(brush: ImageDraw.ImageDraw, place: Region, text: str) -> None:
    brush.rectangle((place.x, place.y, place.x + BOX_PX, place.y + BOX_PX), PAPER, INK)
    brush.text((place.x + BOX_PX + 10, place.y), text, INK, _font(17))


def _disc(brush: ImageDraw.ImageDraw, place: Region, _text: str) -> None:
    brush.ellipse((place.x, place.y, place.right, place.bottom), BLUE)


def _font(height: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    """Return Pillow's own font, which is on every machine."""
    return ImageFont.load_default(height)
