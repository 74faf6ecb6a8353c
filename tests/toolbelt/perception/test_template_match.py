"""Places that are named by a picture of them."""

import math
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from mark_i import Control, Eyes, FakeDesktop, ToolFailure, VirtualDesktop
from toolbelt.desktops.fake import Input
from toolbelt.perception.template_match import find_patch
from toolbelt.targeting.targets import ImageTarget, resolve
from world_model import Frame, Point, Region

ICON = 28
PLACES = [(40, 30), (300, 150)]


def icon(kind: int, size: int = ICON) -> Image.Image:
    """A small drawing; another one for each kind."""
    image = Image.new("RGB", (8 * size, 8 * size), (236, 236, 240))
    pen = ImageDraw.Draw(image)
    for ray in range(kind + 3):
        angle = ray * math.tau / (kind + 3)
        tip = (4 * size + 3.4 * size * math.cos(angle), 4 * size + 3.4 * size * math.sin(angle))
        pen.line([(4 * size, 4 * size), tip], (30, 60, 90 + 20 * kind), size)
    return image.resize((size, size), Image.Resampling.LANCZOS)


def screen(*shown: tuple[int, int, int], size: int = ICON) -> Image.Image:
    """A screen with icons: kind, x and y of each."""
    image = Image.new("RGB", (640, 400), (236, 236, 240))
    ImageDraw.Draw(image).text((200, 40), "File Edit View", "black")
    for kind, x, y in shown:
        image.paste(icon(kind, size), (x, y))
    return image


def seen(image: Image.Image) -> Eyes:
    control = Control()
    return Eyes(FakeDesktop(lambda _inputs: image, control), control)


def saved(image: Image.Image, folder: Path) -> ImageTarget:
    path = folder / "patch.png"
    image.save(path)
    return ImageTarget(image=str(path))


@pytest.mark.parametrize("kind", range(4))
def test_the_icon_is_found_among_others(tmp_path: Path, kind: int) -> None:
    eyes = seen(screen(*[(other, 60 + 90 * other, 200) for other in range(4)]))

    place = resolve(saved(icon(kind), tmp_path), eyes).match

    assert place.region == Region(60 + 90 * kind, 200, ICON, ICON)
    assert place.point == place.region.center
    assert place.name == "the image patch.png"


@pytest.mark.parametrize("size", [14, 22, 31, 42, 56])
def test_it_is_found_at_another_scale(tmp_path: Path, size: int) -> None:
    place = resolve(saved(icon(1), tmp_path), seen(screen((1, 300, 150), size=size))).match

    assert abs(place.point.x - (300 + size // 2)) <= 2
    assert abs(place.point.y - (150 + size // 2)) <= 2


def test_two_of_them_are_told_with_their_places(tmp_path: Path) -> None:
    with pytest.raises(ToolFailure) as failure:
        resolve(saved(icon(2), tmp_path), seen(screen(*[(2, x, y) for x, y in PLACES])))

    assert failure.value.code == "TARGET_AMBIGUOUS"
    for x, y in PLACES:
        assert f"{x + ICON // 2}, {y + ICON // 2}" in failure.value.hints[0]


def test_one_that_is_grayed_out_is_another() -> None:
    plain, pale = screen((1, 300, 150)), screen((1, 300, 150))
    pale = Image.blend(pale, Image.new("RGB", pale.size, (236, 236, 240)), 0.6)
    assert find_patch(np.asarray(icon(1)), Frame(np.asarray(plain))) == [Region(300, 150, ICON, ICON)]
    assert find_patch(np.asarray(icon(1)), Frame(np.asarray(pale))) == []


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(ToolFailure) as failure:
        resolve(saved(icon(3), tmp_path), seen(screen((0, 40, 30), (1, 300, 150))), patience=0.2)

    assert failure.value.code == "TARGET_NOT_FOUND"


def test_one_that_comes_late_is_waited_for(tmp_path: Path) -> None:
    looks = []

    def draw(_inputs: Sequence[Input]) -> Image.Image:
        looks.append(1)
        return screen((1, 300, 150)) if len(looks) > 5 else screen()

    control = Control()
    place = resolve(saved(icon(1), tmp_path), Eyes(FakeDesktop(draw, control), control), patience=20).match

    assert place.region == Region(300, 150, ICON, ICON)


def test_a_pipe_is_no_picture_and_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    control = Control()
    with pytest.raises(ToolFailure) as failure:
        control.call(lambda: resolve(ImageTarget(image=str(pipe)), seen(screen())), 30)
    assert failure.value.code == "INVALID_ARGS"


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "FILE_NOT_FOUND"), (b"no picture", "INVALID_ARGS"), ("flat", "INVALID_ARGS"), ("tiny", "INVALID_ARGS")],
)
def test_what_cannot_be_looked_for_is_refused(tmp_path: Path, content: bytes | str | None, code: str) -> None:
    path = tmp_path / "patch.png"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        Image.new("RGB", (4, 4) if content == "tiny" else (40, 40), "red").save(path)

    with pytest.raises(ToolFailure) as failure:
        resolve(ImageTarget(image=str(path)), seen(screen((0, 40, 30))), patience=0)

    assert failure.value.code == code


@pytest.mark.parametrize("path", ["~nosuchuser/x.png", "a\0b.png"])
def test_a_path_that_cannot_be_any_is_no_picture(path: str) -> None:
    with pytest.raises(ToolFailure, match="is not an image that can be read") as failure:
        resolve(ImageTarget(image=path), seen(screen((0, 40, 30))), patience=0)

    assert failure.value.code == "INVALID_ARGS"


def test_a_match_is_a_place_on_the_desktop_not_in_the_picture() -> None:
    frame = Frame(np.asarray(screen((0, 40, 30))), Point(-640, 100))

    assert find_patch(np.asarray(icon(0)), frame) == [Region(-600, 130, ICON, ICON)]


def test_a_real_button_is_found_by_a_picture_of_it(desktop: VirtualDesktop, control: Control, tmp_path: Path) -> None:
    eyes = Eyes(desktop, control)
    desktop.launch(["xterm", "-geometry", "60x12+200+150", "-e", "sh", "-c", "echo '#[=]# press me'; sleep 600"])
    eyes.until(lambda lines: any("press me" in line.text for line in lines), 20)
    [line] = [line for line in eyes.read(eyes.look()) if "press me" in line.text]
    target = saved(Image.fromarray(eyes.look().crop(line.region)), tmp_path)

    assert resolve(target, eyes).region == line.region
