"""The models that find lines of text in a picture and say what they read: PP-OCR, which comes inside rapidocr."""

import functools
import importlib.util
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, Final

import cv2
import numpy as np

from toolbelt.lines import Line, Word
from world_model import Pixels, Region

HIGH: Final = 48  # pixels that a line has for the recognizer
CROWDED: Final = 12.0  # changes from light to dark and back in a length of the line's height; plain text has about 8
WIDER: Final = 1.5  # times that a crowded line is drawn wider: two narrow letters would be one step of the recognizer
STEP: Final = 64  # pixels; the recognizer is the slower, the more different widths it is given
SURE: Final = 0.6  # what is read with less confidence is not text
MAX_SIDE: Final = 4096  # pixels; beyond, the reader would scale the picture down
MOST: Final = 4  # engines; each takes 60 MB
BRIEF: Final = 0.0005  # seconds for which loading may keep Python's lock: a stop needs it for each of its system calls
BLANK: Final = 32  # pixels of a side of the picture that the models are warmed up with
_READING: Final = threading.Lock()  # all readers share the models, and each of them reads one picture at a time


def found_rows(pixels: Pixels) -> list[Region]:
    """Where lines of text stand in a picture."""
    with _READING:
        found = _engines()[0].text_det(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))
    return [] if found.boxes is None else [_around(box) for box in found.boxes]


def recognized(pictures: list[Pixels]) -> list[Line | None]:
    """What each of the pictures of a few words says; as many at once as there are engines."""
    if not pictures:
        return []
    with _READING:
        idle: SimpleQueue[Any] = SimpleQueue()
        for engine in _engines():
            idle.put(engine)
        with ThreadPoolExecutor(len(_engines())) as pool:
            return list(pool.map(functools.partial(_said, idle), pictures))


def warm_up() -> None:
    """Load the models now, on a thread of their own, so that the first read does not wait for them."""
    threading.Thread(target=_load, name="reading-models", daemon=True).start()


def _said(idle: SimpleQueue[Any], pixels: Pixels) -> Line | None:
    """What a picture of a few words says, if that is certain enough."""
    engine = idle.get()
    try:
        height, width = pixels.shape[:2]
        # Filled up to one of a few widths: each new one costs extra, and a picture is read the same beside any other.
        line = _line_of(pixels)
        engine.text_rec.rec_image_shape = [3, HIGH, -(-HIGH * line.shape[1] // (line.shape[0] * STEP)) * STEP]
        found = engine.text_rec(_input(cv2.cvtColor(line, cv2.COLOR_RGB2BGR)))
        text, score, info = found.txts[0], found.scores[0], found.word_results[0]
        if score < SURE or not text.strip():
            return None
        box = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        words, places, _ = engine.cal_rec_boxes.cal_ocr_word_box(text, box, info)
        places = engine.cal_rec_boxes.adjust_box_overlap(places)
    finally:
        idle.put(engine)
    found_words = (Word(word, _around(place)) for word, place in zip(words, places, strict=True) if word.strip())
    return Line(text.strip(), Region(0, 0, width, height), tuple(found_words))


def _line_of(pixels: Pixels) -> Pixels:
    """A line as it is given to the recognizer: one of crowded letters is scaled here, sharply and wider."""
    height, width = pixels.shape[:2]
    if width < 2 * height or _crowd(pixels) <= CROWDED:  # of one or two signs nothing can be said
        return pixels
    way = cv2.INTER_AREA if height > HIGH else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, (round(WIDER * HIGH * width / height), HIGH), interpolation=way), np.uint8)


def _crowd(pixels: Pixels) -> float:
    """How often a line turns from light to dark and back in a length of its height: more where letters are narrow."""
    turns = np.sign(np.diff(pixels.mean(axis=(0, 2))))
    return float(np.count_nonzero(np.diff(turns[turns != 0])) * pixels.shape[0] / pixels.shape[1])


def _input(picture: Any) -> Any:  # noqa: ANN401 - OpenCV's arrays have no narrow type
    from rapidocr.ch_ppocr_rec import TextRecInput  # noqa: PLC0415 - see _engine

    return TextRecInput(img=[picture], return_word_box=True)


def _around(corners: Any) -> Region:  # noqa: ANN401 - four points, as an array or as lists
    points = np.asarray(corners)
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return Region(int(left), int(top), int(np.ceil(right - left)), int(np.ceil(bottom - top)))


def _load() -> None:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(BRIEF)
    try:
        blank = np.zeros((BLANK, BLANK, 3), np.uint8)
        found_rows(blank)
        recognized([blank] * len(_engines()))
    finally:
        sys.setswitchinterval(usual)


@functools.cache
def _engines() -> tuple[Any, ...]:
    """One for each core: two that work on one picture together take longer, and far longer on a busy machine."""
    return tuple(_engine() for _ in range(min(os.cpu_count() or 1, MOST)))


def _engine() -> Any:  # noqa: ANN401 - rapidocr ships no types
    # Importing openvino reports that to its maker, from a forked process, unless its reporter cannot be imported.
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # Python's own way to say so
    from rapidocr import EngineType, RapidOCR  # noqa: PLC0415 - it takes a second to import, and not all runs read

    kind = EngineType.OPENVINO if importlib.util.find_spec("openvino") else EngineType.ONNXRUNTIME
    engine = RapidOCR(
        params={
            "Global.log_level": "error",
            "EngineConfig.openvino.inference_num_threads": 1,
            "EngineConfig.openvino.enable_cpu_pinning": False,  # which would put all engines on the same core
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "Det.engine_type": kind,
            "Det.limit_type": "max",  # otherwise small pictures are blown up, which costs more and reads worse
            "Det.limit_side_len": MAX_SIDE,
            "Rec.engine_type": kind,
            "Rec.rec_batch_num": 1,
        }
    )
    engine(np.zeros((BLANK, BLANK, 3), np.uint8), use_cls=False)  # which loads its detector ...
    engine(np.zeros((BLANK, BLANK, 3), np.uint8), use_det=False, use_cls=False)  # ... and its recognizer
    return engine
