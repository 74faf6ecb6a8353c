"""The recognizer's classes: the likely ones first give what all of them would."""

import functools
import itertools

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from toolbelt.ocr import engine as recognizing
from toolbelt.ocr.ctc_head import Best, best_of_all, likely_first
from world_model import Pixels

Strokes = list[tuple[float, float, float, float]]
SQUARE: Strokes = [(0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 1, 1), (0, 1, 1, 1)]
CHARACTERS: dict[str, Strokes] = {  # no font with these has to be installed
    "中": [(0, 0.2, 1, 0.2), (0, 0.2, 0, 0.65), (1, 0.2, 1, 0.65), (0, 0.65, 1, 0.65), (0.5, -0.1, 0.5, 1.1)],
    "田": [*SQUARE, (0.5, 0, 0.5, 1), (0, 0.5, 1, 0.5)],
    "王": [(0, 0, 1, 0), (0.1, 0.45, 0.9, 0.45), (0, 1, 1, 1), (0.5, 0, 0.5, 1)],
    "正": [(0, 0, 1, 0), (0.5, 0, 0.5, 1), (0, 1, 1, 1), (0.5, 0.45, 0.95, 0.45), (0.18, 0.45, 0.18, 1)],
}
LATIN = ["Save the file", "logical_and.txt", "17.35 EUR", "Größe: 12 µm → Ångström", "Привет, мир", "l1I|"]


def text(words: str, size: int) -> Pixels:
    font = ImageFont.load_default(size)
    image = Image.new("RGB", (int(font.getlength(words)) + 8, size + 10), "white")
    ImageDraw.Draw(image).text((4, 3), words, "black", font)
    return np.asarray(image)


def strokes(characters: str, size: int) -> Pixels:
    image = Image.new("RGB", (int(len(characters) * 1.4 * size) + 8, int(1.7 * size)), "white")
    draw = ImageDraw.Draw(image)
    for number, one in enumerate(characters):
        x, y = 4 + 1.4 * size * number, 0.3 * size
        for left, top, right, bottom in CHARACTERS[one]:
            draw.line((x + left * size, y + top * size, x + right * size, y + bottom * size), "black", 2)
    return np.asarray(image)


@functools.cache
def all_classes() -> Best:
    """The recognizer as rapidocr builds it."""
    engine = recognizing._engine()
    engine(np.zeros((32, 32, 3), np.uint8), use_det=False, use_cls=False)
    assert engine.text_rec.postprocess_op.character == recognizing._recognizer().decoder.character
    return best_of_all(engine.text_rec.session)


def said(best: Best, picture: Pixels) -> str:
    characters = recognizing._recognizer().decoder.character
    classes, _ = best(recognizing._filled(recognizing._drawn(picture)))
    steps = [characters[number] for number, _ in itertools.groupby(classes[0])]
    return "".join(one for one in steps if one != "blank")


@pytest.mark.parametrize("size", [12, 16, 24])
@pytest.mark.parametrize("words", LATIN)
def test_letters_are_the_same_as_where_all_classes_are_scored(words: str, size: int) -> None:
    picture = text(words, size)

    for network in recognizing._recognizer().networks:
        assert said(network, picture) == said(all_classes(), picture)


@pytest.mark.parametrize("size", [16, 22])
@pytest.mark.parametrize("words", ["中田王正", "王", "正中"])
def test_characters_that_are_not_likely_are_found_all_the_same(words: str, size: int) -> None:
    assert said(recognizing._recognizer().networks[0], strokes(words, size)) == words


def test_a_piece_with_letters_and_others_is_read_whole() -> None:
    picture = np.hstack([np.pad(text("abc", 20), ((2, 2), (0, 0), (0, 0)), mode="edge"), strokes("王正", 20)])

    assert said(recognizing._recognizer().networks[0], picture).replace(" ", "") == "abc王正"


def test_a_network_that_ends_in_another_way_is_left_as_it_is() -> None:
    openvino = pytest.importorskip("openvino", reason="OpenVINO has no build for this system")
    given = openvino.opset13.parameter([1, 4], np.float32)

    assert likely_first(openvino.Model([openvino.opset13.relu(given)], [given]), ["blank", "a"], 2) == ()
