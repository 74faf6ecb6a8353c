"""The PP-OCR models, shipped with rapidocr, that find lines of text in a picture and read them."""

import contextlib
import functools
import importlib.util
import math
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

import cv2
import numpy as np

from toolbelt.ocr.ctc_head import Best, Numbers, best_of_all, likely_first
from toolbelt.ocr.elsewhere import Address, ask, serve
from toolbelt.ocr.lines import Line, Word
from world_model import Pixels, Region

LINE_HEIGHT_PX: Final = 48  # the height of the lines that the recognizer takes
# A line is scaled to so many turns from light to dark and back per length of its height: few steps, one letter each.
TURNS_PER_HEIGHT: Final = 10.0
SCALE_MIN, SCALE_MAX = 0.6, 1.5  # how much narrower or wider a line may be drawn for that
LONG_MIN_RATIO: Final = 6  # to its height; a shorter line is not narrowed, or a label might run into an icon before it
WIDTH_STEP_PX: Final = 64  # widths are multiples of this; the recognizer slows down with each new width
# A line at least as wide is scaled, so that only the padding is left to the next multiple.
STRETCHED_MIN_PX: Final = 4 * WIDTH_STEP_PX
PADDING_MIN_PX: Final = 16  # to the right of such a line; without padding, the last letter is read badly
MID_GRAY: Final = 127.5  # of 255; the recognizer's 0
CONFIDENCE_MIN: Final = 0.6  # of 1.0; a result with less is not text
SIDE_MAX_PX: Final = 4096  # the detector would scale a larger picture down
NETWORKS_MAX: Final = 4  # each takes 30 MB
SWITCH_INTERVAL_S: Final = 0.0005  # how long loading may hold Python's lock; a stop needs it for each system call
BLANK_SIDE_PX: Final = 32  # of the picture that warms the models up
_READING: Final = threading.Lock()  # all readers share the models, and a model reads one picture at a time


@dataclass(frozen=True, slots=True)
class Recognizer:
    """The networks that read, one for each picture at a time, and what makes a text of the classes they find."""

    decoder: Any  # rapidocr ships no types
    networks: tuple[Best, ...]


class _Where:
    """Where pictures are read: in this process, unless another does it."""

    address: Address | None = None


def read_elsewhere(address: Address) -> None:
    """Have another process read for this one, for as long as it is there; `serve_reading` runs in it."""
    _Where.address = address


def serve_reading(address: Address, ready: Callable[[], object]) -> None:
    """Read for other processes, for as long as this one lives; `ready` is called once they can ask."""
    _load()
    serve(address, {found_rows.__name__: found_rows, recognized.__name__: recognized, _signs.__name__: _signs}, ready)


def _elsewhere(name: str, value: object) -> Any:  # noqa: ANN401 - what the function returns
    """Return what a function returns in the process that reads for this one; None if there is none."""
    if _Where.address is None:
        return None
    try:
        return ask(_Where.address, name, value)
    except ConnectionError:  # it has ended, and this process reads by itself from now on
        _Where.address = None
        return None


def found_rows(pixels: Pixels) -> list[Region]:
    """Return the regions of the lines of text in a picture."""
    if (found_there := _elsewhere(found_rows.__name__, pixels)) is not None:
        return list(found_there)
    with _READING:
        found = _engine().text_det(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))
    return [] if found.boxes is None else _around(found.boxes)


def recognized(pictures: list[Pixels]) -> list[Line | None]:
    """Read pictures of a few words each, as many at once as there are networks."""
    if not pictures:
        return []
    if (found_there := _elsewhere(recognized.__name__, pictures)) is not None:
        return list(found_there)
    with _READING:
        idle: SimpleQueue[Best] = SimpleQueue()
        for network in _recognizer().networks:
            idle.put(network)
        with ThreadPoolExecutor(len(_recognizer().networks)) as pool:
            drawn = list(pool.map(_drawn, pictures))
            # A network slows down when the width changes. The narrow ones are last, so that all cores finish together.
            order = sorted(range(len(drawn)), key=lambda nth: drawn[nth].shape[1], reverse=True)
            inputs = [pictures[nth] for nth in order], [drawn[nth] for nth in order]
            found = dict(zip(order, pool.map(functools.partial(_said, idle), *inputs), strict=True))
            return [found[nth] for nth in range(len(pictures))]


def warm_up() -> None:
    """Load the models on their own thread, so that the first read does not wait for them.

    A process that ends meanwhile waits for it: openvino aborts if it is left while it loads.
    """
    if _Where.address is None:
        threading.Thread(target=_load, name="reading-models").start()


@functools.cache
def readable_signs() -> frozenset[str]:
    """Return the signs that the recognizer knows; it takes any other for one of these."""
    return frozenset(_elsewhere(_signs.__name__, None) or _signs(None))


def _signs(_: None) -> list[str]:
    return list(_recognizer().decoder.character)


def _said(idle: SimpleQueue[Best], pixels: Pixels, drawn: Pixels) -> Line | None:
    """Read a picture of a few words; None if the result is too uncertain. `drawn` is the recognizer's version of it."""
    height, width = pixels.shape[:2]
    filled = _filled(drawn)
    best = idle.get()
    try:
        classes, probabilities = best(filled)
    finally:
        idle.put(best)
    [(text, score)], [info] = _recognizer().decoder.decode(
        classes,
        probabilities,
        return_word_box=True,
        wh_ratio_list=[drawn.shape[1] / LINE_HEIGHT_PX],
        max_wh_ratio=filled.shape[3] / LINE_HEIGHT_PX,
        remove_duplicate=True,
    )
    if score < CONFIDENCE_MIN or not text.strip():
        return None
    box = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    words, places, _ = _engine().cal_rec_boxes.cal_ocr_word_box(text, box, info)
    places = _engine().cal_rec_boxes.adjust_box_overlap(places)
    found_words = (Word(word, at) for word, at in zip(words, _around(places), strict=True) if word.strip())
    return Line(text.strip(), Region(0, 0, width, height), tuple(found_words))


def _drawn(pixels: Pixels) -> Pixels:
    """Scale a line for the recognizer: to its height, and to a width with about `TURNS_PER_HEIGHT` turns."""
    height, width = pixels.shape[:2]
    narrow = SCALE_MIN if width >= LONG_MIN_RATIO * height else 1.0
    # One or two signs are too few to measure.
    pace = 1.0 if width < 2 * height else min(max(_crowd(pixels) / TURNS_PER_HEIGHT, narrow), SCALE_MAX)
    wide = math.ceil(pace * LINE_HEIGHT_PX * width / height)
    wide = (
        round((wide + PADDING_MIN_PX) / WIDTH_STEP_PX) * WIDTH_STEP_PX - PADDING_MIN_PX
        if wide >= STRETCHED_MIN_PX
        else wide
    )
    way = cv2.INTER_AREA if height > LINE_HEIGHT_PX else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, (wide, LINE_HEIGHT_PX), interpolation=way), np.uint8)


def _filled(drawn: Pixels) -> Numbers:
    """Pad a line to one of a few widths, since each new width costs time. Wider padding does not change the result."""
    filled = np.zeros((1, 3, LINE_HEIGHT_PX, -(-drawn.shape[1] // WIDTH_STEP_PX) * WIDTH_STEP_PX), np.float32)
    filled[..., : drawn.shape[1]] = cv2.dnn.blobFromImage(
        drawn, 1 / MID_GRAY, mean=(MID_GRAY, MID_GRAY, MID_GRAY), swapRB=True
    )
    return filled


def _crowd(pixels: Pixels) -> float:
    """Count the turns from light to dark and back per length of a line's height; narrow letters have more."""
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
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    try:
        blank = np.zeros((BLANK_SIDE_PX, BLANK_SIDE_PX, 3), np.uint8)
        found_rows(blank)
        with _READING:
            for network in _recognizer().networks:  # no pool: it takes no work once the process ends
                network(_filled(_drawn(blank)))
    finally:
        sys.setswitchinterval(usual)


@functools.cache
def _recognizer() -> Recognizer:
    """Build one network per core. Two cores on one picture take longer, and far longer on a busy machine."""
    count = min(os.cpu_count() or 1, NETWORKS_MAX)
    with contextlib.suppress(ImportError, AttributeError, KeyError, TypeError):  # a rapidocr that is made otherwise
        if _has_openvino() and (found := _likely_first(count)):
            return found
    engine = _engine()
    engine(np.zeros((BLANK_SIDE_PX, BLANK_SIDE_PX, 3), np.uint8), use_det=False, use_cls=False)  # loads the recognizer
    whole = engine.text_rec
    # Several threads can call onnxruntime's session at once.
    networks = (best_of_all(whole.session),) * (1 if _has_openvino() else count)
    return Recognizer(whole.postprocess_op, networks)


def _likely_first(count: int) -> Recognizer | None:
    """Build the networks from the recognizer's file: rapidocr would make another one of all classes, for nothing."""
    cfg = _engine().cfg  # first, as it sees to openvino's reporter
    from openvino import Core  # noqa: PLC0415 - slow to import, and not every system has it
    from rapidocr.ch_ppocr_rec.utils import CTCLabelDecode  # noqa: PLC0415 - as above
    from rapidocr.inference_engine.base import FileInfo, InferSession  # noqa: PLC0415 - as above

    names = ("engine_type", "ocr_version", "task_type", "lang_type", "model_type")
    address = InferSession.get_model_url(FileInfo(*(cfg.Rec[name] for name in names)))["model_dir"]
    file = Path(cfg.Global.model_root_dir, Path(address).name)
    if not file.is_file():  # rapidocr fetches it
        return None
    model = Core().read_model(file)
    decoder = CTCLabelDecode(model.get_rt_info()["framework"]["character"].value.splitlines())
    networks = likely_first(model, decoder.character, count)
    return Recognizer(decoder, networks) if networks else None


def _has_openvino() -> bool:
    return bool(importlib.util.find_spec("openvino"))


@functools.cache
def _engine() -> Any:  # noqa: ANN401 - rapidocr ships no types
    # On import, openvino reports to its maker from a forked process, unless its reporter cannot be imported.
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # Python's way to block an import
    from rapidocr import EngineType, RapidOCR  # noqa: PLC0415 - it takes a second to import, and not all runs read

    kind = EngineType.OPENVINO if _has_openvino() else EngineType.ONNXRUNTIME
    engine = RapidOCR(
        params={
            "Global.log_level": "error",
            "EngineConfig.openvino.inference_num_threads": 1,
            "EngineConfig.openvino.enable_cpu_pinning": False,  # it would put all engines on the same core
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "Det.engine_type": kind,
            "Det.limit_type": "max",  # otherwise small pictures are enlarged, which is slower and reads worse
            "Det.limit_side_len": SIDE_MAX_PX,
            "Rec.engine_type": kind,
        }
    )
    blank = np.zeros((BLANK_SIDE_PX, BLANK_SIDE_PX, 3), np.uint8)
    engine(blank, use_cls=False)  # loads the detector
    return engine
