"""The recognizer's network: its last layer scores the likely classes first, and the others only if it must.

17,000 of its 18,710 classes are East Asian characters and emoji. Scoring all of them takes a third of the time.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

UNLIKELY_FROM: Final = 0x2E80  # the first East Asian code point; letters, signs, arrows and boxes come before
# A likely class with this score is taken as the best of all classes. 99 of 100 letters in western text reach it. Of
# 3,732 pieces of Chinese and Japanese text in four fonts, one did: a full-width plus, read as a plus.
CERTAIN_MIN_SCORE: Final = 15.0

Numbers = NDArray[Any]
# From pictures (1, 3, 48, w) to the class and the probability of each step.
Best = Callable[[Numbers], tuple[Numbers, Numbers]]


def best_of_all(network: Callable[[Numbers], Numbers]) -> Best:
    """Return the best classes of a network that returns the probabilities of all classes, (1, steps, classes)."""

    def best(pictures: Numbers) -> tuple[Numbers, Numbers]:
        found = network(pictures)
        return found.argmax(axis=2), found.max(axis=2)

    return best


def likely_first(model: Any, characters: Sequence[str], count: int) -> tuple[Best, ...]:  # noqa: ANN401 - OpenVINO's
    """Do the same as `best_of_all` for OpenVINO's `model`, but faster, on one core each.

    Args:
        model: computes the probabilities of the classes from pictures.
        characters: the text of each class.
        count: how many pictures are to be read at once.

    Returns:
        A network for each; empty if the model does not end in the known layers.
    """
    from openvino import Core, Model, opset13  # noqa: PLC0415 - slow to import, and not every system has it

    last = _last_layer(model)
    if not last:
        return ()
    features, weights, bias = last
    # The class with a longer text is the blank.
    is_likely = np.array([len(one) > 1 or ord(one) < UNLIKELY_FROM for one in characters])
    likely = np.flatnonzero(is_likely)

    def scores(of: Any, classes: Any) -> Any:  # noqa: ANN401
        some = [opset13.gather(part, classes, axis) for part, axis in ((weights, 1), (bias, 0))]
        return opset13.add(opset13.matmul(of, some[0], transpose_a=False, transpose_b=False), some[1])

    first = scores(features, likely)
    seen = opset13.reduce_max(first, [2])
    short = Model([opset13.softmax(first, 2).output(0), seen.output(0), features], model.get_parameters())
    given = opset13.parameter(features.get_partial_shape(), np.float32)
    rest = Model([opset13.softmax(scores(given, np.arange(len(characters))), 2)], [given])
    # Compiled once for all: that takes longer than reading a screen. Pinned, they would all run on the same core.
    settings = {"NUM_STREAMS": count, "INFERENCE_NUM_THREADS": count, "ENABLE_CPU_PINNING": False}
    core = Core()
    some, every = (core.compile_model(one, "CPU", settings) for one in (short, rest))
    requests = ((some.create_infer_request(), every.create_infer_request()) for _ in range(count))
    return tuple(_best(*both, likely, is_likely) for both in requests)


def _best(asked: Any, asked_all: Any, likely: Numbers, is_likely: Numbers) -> Best:  # noqa: ANN401 - as above
    """Return the best classes by a request for the likely ones, and one for all where those do not suffice."""
    all_of_them = best_of_all(lambda features: asked_all.infer([features])[0])

    def best(pictures: Numbers) -> tuple[Numbers, Numbers]:
        asked.infer([pictures], share_inputs=True)
        found, highest, features = (asked.get_output_tensor(number).data for number in range(3))
        if (unsure := highest < CERTAIN_MIN_SCORE).any() and not is_likely[
            all_of_them(features[unsure][np.newaxis])[0]
        ].all():
            return all_of_them(features)
        return likely[found.argmax(axis=2)], found.max(axis=2)

    return best


def _last_layer(model: Any) -> tuple[Any, Any, Any] | None:  # noqa: ANN401
    """Return the last layer's input, weights and bias, if it is a product, a sum and a softmax."""
    nodes = [model.get_results()[0].input_value(0).get_node()]
    while nodes[-1].get_type_name() in ("Softmax", "Identity", "Add"):
        nodes.append(nodes[-1].input_value(0).get_node())
    layers = [node for node in nodes if node.get_type_name() != "Identity"]
    if [layer.get_type_name() for layer in layers] != ["Softmax", "Add", "MatMul"]:
        return None
    _, plus, product = layers
    return (*product.input_values(), plus.input_value(1))
