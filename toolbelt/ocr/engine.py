"""The models that find lines of text in a picture and say what they read: PP-OCR, which comes inside rapidocr."""

import functools
import importlib.util
import math
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, Final

import cv2
import numpy as np

from toolbelt.ocr.ctc_head import Best, Numbers, best_of_all, likely_first
from toolbelt.ocr.lines import Line, Word
from world_model import Pixels, Region

HIGH: Final = 48  # pixels that a line has for the recognizer
PACE: Final = 10.0  # changes from light to dark and back that a line is given in a length of its height ...
NARROW, WIDE = 0.6, 1.5  # ... for which it is drawn so much narrower or wider: few steps, but no two letters in one
LONG: Final = 6  # times its height; a shorter one may be a label, which would run together with an icon before it
STEP: Final = 64  # pixels; the recognizer is the slower, the more different widths it is given
STRETCHED: Final = 4 * STEP  # pixels; a line from here on is drawn a little wider or narrower, to need no more than ...
FILL: Final = 16  # ... so many beside it; without any, the last letter is read badly
GRAY: Final = 127.5  # of 255; what the recognizer takes for 0
SURE: Final = 0.6  # what is read with less confidence is not text
MAX_SIDE: Final = 4096  # pixels; beyond, the reader would scale the picture down
MOST: Final = 4  # networks; each takes 30 MB
ALONE: Final = {"INFERENCE_NUM_THREADS": 1, "ENABLE_CPU_PINNING": False}  # pinned, all are on the same core
BRIEF: Final = 0.0005  # seconds for which loading may keep Python's lock: a stop needs it for each of its system calls
BLANK: Final = 32  # pixels of a side of the picture that the models are warmed up with
_READING: Final = threading.Lock()  # all readers share the models, and each of them reads one picture at a time


def found_rows(pixels: Pixels) -> list[Region]:
    """Where lines of text stand in a picture."""
    with _READING:
        found = _engine().text_det(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))
    return [] if found.boxes is None else _around(found.boxes)


def recognized(pictures: list[Pixels]) -> list[Line | None]:
    """What each of the pictures of a few words says; as many at once as there are networks."""
    if not pictures:
        return []
    with _READING:
        idle: SimpleQueue[Best] = SimpleQueue()
        for network in _networks():
            idle.put(network)
        with ThreadPoolExecutor(len(_networks())) as pool:
            drawn = list(pool.map(_drawn, pictures))
            # A network is slower where the width is another; and the short ones last: no core waits long for another.
            order = sorted(range(len(drawn)), key=lambda nth: drawn[nth].shape[1], reverse=True)
            inputs = [pictures[nth] for nth in order], [drawn[nth] for nth in order]
            found = dict(zip(order, pool.map(functools.partial(_said, idle), *inputs), strict=True))
            return [found[nth] for nth in range(len(pictures))]


def warm_up() -> None:
    """Load the models now, on a thread of their own, so that the first read does not wait for them."""
    threading.Thread(target=_load, name="reading-models", daemon=True).start()


def _said(idle: SimpleQueue[Best], pixels: Pixels, drawn: Pixels) -> Line | None:
    """What a picture of a few words says, if that is certain enough; `drawn`, as it is given to the recognizer."""
    height, width = pixels.shape[:2]
    filled = _filled(drawn)
    best = idle.get()
    try:
        classes, probabilities = best(filled)
    finally:
        idle.put(best)
    [(text, score)], [info] = _engine().text_rec.postprocess_op.decode(
        classes,
        probabilities,
        return_word_box=True,
        wh_ratio_list=[drawn.shape[1] / HIGH],
        max_wh_ratio=filled.shape[3] / HIGH,
        remove_duplicate=True,
    )
    if score < SURE or not text.strip():
        return None
    box = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    words, places, _ = _engine().cal_rec_boxes.cal_ocr_word_box(text, box, info)
    places = _engine().cal_rec_boxes.adjust_box_overlap(places)
    found_words = (Word(word, at) for word, at in zip(words, _around(places), strict=True) if word.strip())
    return Line(text.strip(), Region(0, 0, width, height), tuple(found_words))


def _drawn(pixels: Pixels) -> Pixels:
    """A line as it is given to the recognizer: as high as that wants it, and so wide that its letters keep a pace."""
    height, width = pixels.shape[:2]
    narrow = NARROW if width >= LONG * height else 1.0
    pace = 1.0 if width < 2 * height else min(max(_crowd(pixels) / PACE, narrow), WIDE)  # a sign or two have none
    wide = math.ceil(pace * HIGH * width / height)
    wide = round((wide + FILL) / STEP) * STEP - FILL if wide >= STRETCHED else wide
    way = cv2.INTER_AREA if height > HIGH else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, (wide, HIGH), interpolation=way), np.uint8)


def _filled(drawn: Pixels) -> Numbers:
    """A line filled up to one of a few widths: each new one costs extra, and one is read the same beside any other."""
    filled = np.zeros((1, 3, HIGH, -(-drawn.shape[1] // STEP) * STEP), np.float32)
    filled[..., : drawn.shape[1]] = cv2.dnn.blobFromImage(drawn, 1 / GRAY, mean=(GRAY, GRAY, GRAY), swapRB=True)
    return filled


def _crowd(pixels: Pixels) -> float:
    """How often a line turns from light to dark and back in a length of its height: more where letters are narrow."""
    columns = cv2.reduce(pixels, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S).sum(axis=(0, 2))
    turns = np.sign(np.diff(columns))
    return float(np.count_nonzero(np.diff(turns[turns != 0])) * pixels.shape[0] / pixels.shape[1])


def _around(corners: Any) -> list[Region]:  # noqa: ANN401 - four points each, as arrays or as lists
    points = np.asarray(corners).reshape(-1, 4, 2)
    first, last = points.min(axis=1), points.max(axis=1)
    boxes = np.hstack([first, np.ceil(last - first)]).astype(int).tolist()
    return [Region(*box) for box in boxes]


def _load() -> None:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(BRIEF)
    try:
        blank = np.zeros((BLANK, BLANK, 3), np.uint8)
        found_rows(blank)
        recognized([blank] * len(_networks()))
    finally:
        sys.setswitchinterval(usual)


@functools.cache
def _networks() -> tuple[Best, ...]:
    """One for each core: two that work on one picture together take longer, and far longer on a busy machine."""
    recognizer = _engine().text_rec
    count = min(os.cpu_count() or 1, MOST)
    if not _has_openvino():
        return (best_of_all(recognizer.session),) * count  # onnxruntime's can be asked by several threads at once
    characters = recognizer.postprocess_op.character
    networks = [likely_first(recognizer.session.model, characters, ALONE) for _ in range(count)]
    return tuple(filter(None, networks)) or (best_of_all(recognizer.session),)


def _has_openvino() -> bool:
    return bool(importlib.util.find_spec("openvino"))


@functools.cache
def _engine() -> Any:  # noqa: ANN401 - rapidocr ships no types
    # Importing openvino reports that to its maker, from a forked process, unless its reporter cannot be imported.
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # Python's own way to say so
    from rapidocr import EngineType, RapidOCR  # noqa: PLC0415 - it takes a second to import, and not all runs read

    kind = EngineType.OPENVINO if _has_openvino() else EngineType.ONNXRUNTIME
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
        }
    )
    blank = np.zeros((BLANK, BLANK, 3), np.uint8)
    engine(blank, use_cls=False)  # which loads its detector ...
    engine(blank, use_det=False, use_cls=False)  # ... and its recognizer
    return engine
