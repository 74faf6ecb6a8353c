"""A secret is redacted in the common encodings, over line ends, over entries of a list, and in pictures of both."""

import base64
import html
import json
import time
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import quote

import pytest
from PIL import Image, ImageDraw, ImageFont

from mark_i.guard.secrets import MASK, Secrets
from toolbelt.desktops.fake import FakeDesktop, Input
from toolbelt.ocr.split_texts import split_over
from toolbelt.ocr.text_match import holds_alike
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.redaction import Redaction

VALUE: Final = "Tr0ub4dor-Zoë3!x"
SECRETS: Final = Secrets({"bank": VALUE})
NAME: Final = "{{secret:bank}}"


def hexed(text: str, between: str = "") -> str:
    return between.join(f"{byte:02x}" for byte in text.encode())


def dumped(text: str, size: int, bar: str) -> str:
    """The bytes of a text in groups of a size, eight a line, between their place and their letters."""
    data, lines = text.encode(), []
    for at in range(0, len(data), 8):
        part = data[at : at + 8]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        groups = " ".join(part[one : one + size].hex() for one in range(0, len(part), size))
        lines.append(f"{at:08x}{'' if bar else ':'} {groups}  {bar}{shown}{bar}")
    return "\n".join(lines)


ENCODINGS: Final[dict[str, Callable[[str], str]]] = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 for addresses": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "base64 in lines": lambda text: base64.encodebytes(text.encode() + b"y" * 50).decode(),
    "base64 of UTF-16": lambda text: base64.b64encode(text.encode("utf-16-le")).decode(),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "hex": hexed,
    "hex in capitals": lambda text: hexed(text).upper(),
    "hex with spaces": lambda text: hexed(text, " "),
    "hex with colons": lambda text: hexed(text, ":"),
    "hex of UTF-16": lambda text: text.encode("utf-16-le").hex(),
    "bytes of a program": lambda text: ", ".join(f"0x{byte:02x}" for byte in text.encode()),
    "bytes of a string": lambda text: "".join(f"\\x{byte:02x}" for byte in text.encode()),
    "a hex dump": lambda text: dumped(text, 1, "|"),
    "a hex dump in pairs": lambda text: dumped(text, 2, ""),
    "decimals": lambda text: " ".join(str(byte) for byte in text.encode()),
    "decimals in a list": lambda text: str(list(text.encode())),
    "decimals in code": lambda text: "+".join(f"chr({byte})" for byte in text.encode()),
    "octal": lambda text: "".join(f"\\{byte:03o}" for byte in text.encode()),
    "binary numbers": lambda text: " ".join(f"{byte:08b}" for byte in text.encode()),
    "code points": lambda text: " ".join(f"U+{ord(letter):04X}" for letter in text),
    "dots between the letters": ".".join,
    "invisible signs between the letters": "\u200b".join,
    "a list of letters": lambda text: str(list(text)),
    "base64 twice": lambda text: base64.b64encode(base64.b64encode(text.encode())).decode(),
    "base64 of hex": lambda text: base64.b64encode(hexed(text).encode()).decode(),
    "hex of base64": lambda text: hexed(base64.b64encode(text.encode()).decode()),
    "base64 of a text backwards": lambda text: base64.b64encode(text[::-1].encode()).decode(),
    "base64 backwards": lambda text: base64.b64encode(text.encode()).decode()[::-1],
    "base85": lambda text: base64.b85encode(text.encode()).decode(),
    "ascii85": lambda text: base64.a85encode(text.encode()).decode(),
    "backwards": lambda text: text[::-1],
    "percent": lambda text: quote(text, safe=""),
    "percent of every letter": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "percent twice": lambda text: quote(quote(text, safe=""), safe=""),
    "quoted printable": lambda text: "".join(f"={byte:02X}" if byte > 127 else chr(byte) for byte in text.encode()),
    "JSON": json.dumps,
    "JSON of every letter": lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
    "HTML": lambda text: html.escape(text).encode("ascii", "xmlcharrefreplace").decode(),
    "HTML with names": lambda text: text.replace("ë", "&euml;"),
    "HTML of every letter": lambda text: "".join(f"&#x{ord(letter):x};" for letter in text),
    "HTML twice": lambda text: "".join(f"&amp;#{ord(letter)};" for letter in text),
}


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("around", ["{}", "u={}", "ab{}yz", "abc{}"])
def test_an_encoded_secret_is_redacted(name: str, around: str) -> None:
    text = ENCODINGS[name](around.format(VALUE))

    told = SECRETS.redacted(f"It is {text} there.")

    assert NAME in told
    assert told.startswith("It is ")
    assert told.rstrip().endswith(" there.")
    assert len(told.replace(NAME, "")) < len(text) / 2 + 70


@pytest.mark.parametrize("name", ENCODINGS)
def test_other_encoded_texts_are_left_alone(name: str) -> None:
    text = ENCODINGS[name]("an ordinary sentence of sixteen words")

    assert SECRETS.redacted(text) == text


@pytest.mark.parametrize("wrap", ["-\n", "\\\n", " ↩\n", "\n> ", "\n13 | "])
def test_a_secret_in_a_wrapped_line_is_redacted(wrap: str) -> None:
    assert SECRETS.redacted(f"It is {VALUE[:7]}{wrap}{VALUE[7:]} there.") == f"It is {NAME} there."


def test_a_short_secret_is_not_seen_in_lists() -> None:
    for text in ("1, 2, 3, 4", "1.2.3.4", "1.\n2.\n3.\n4.\n"):
        assert Secrets({"pin": "1234"}).redacted(text) == text


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (["it is Tr0ub4", "dor-Zoë3!x, yes", "no"], [MASK, MASK, "no"]),
        (("it is Tr0ub4", "dor-Zoë3!x"), (MASK, MASK)),
        (["Tr0u", "b4dor", "-Zoë3!x"], [MASK] * 3),
        (
            [{"text": "it is Tr0ub4", "x": 1, "role": "text"}, {"text": "dor-Zoë3!x", "x": 2, "role": "text"}],
            [{"text": MASK, "x": 1, "role": "text"}, {"text": MASK, "x": 2, "role": "text"}],
        ),
        ({"lines": ["a Tr0ub4dor", "another column", "-Zoe3!x b"]}, {"lines": [MASK, "another column", MASK]}),
        ("a Tr0ub4dor\nanother column\n-Zoë3!x b", f"{MASK}\nanother column\n{MASK}"),
        (
            '"it is Tr0ub4" at 3, 4\n"another column" at 9, 4\n"dor-Zoë3!x" at 3, 9',
            f'"{MASK}" at 3, 4\n"another column" at 9, 4\n"{MASK}" at 3, 9',
        ),
        (["it is Tr0ub4", "and no more"], ["it is Tr0ub4", "and no more"]),
    ],
)
def test_a_secret_in_parts_is_redacted(value: object, told: object) -> None:
    assert SECRETS.redacted(value) == told


def test_parts_are_found_only_if_they_make_the_whole() -> None:
    assert split_over("Tr0ub4dor", ["x Tr0u", "b4dor y"]) == {0, 1}
    assert split_over("Tr0ub4dor", ["x Tr0u", *["between"] * 60, "b4dor y"]) == set()
    assert split_over("Tr0ub4dor", ["b4dor", "Tr0u"]) == set()
    assert split_over("abc", ["a", "bc"]) == set(), "parts as short as this are in every text"


def test_much_text_is_redacted_in_little_time() -> None:
    secrets = Secrets({f"s{number}": f"Tr0ub4dor-{number}-zebra" for number in range(10)})
    text = {"texts": [f"line {number} of a screen that is full of words" for number in range(500)]}
    began = time.perf_counter()

    assert secrets.redacted(text) == text

    assert time.perf_counter() - began < 20  # seconds; it takes a tenth of one


@pytest.mark.parametrize(
    "parts",
    [
        ("it is Tr0ub4", "dor-Zebra77 now"),
        ("it is VHIwdWI0ZG9yLVplYnJhNzc=", "in Base64"),
        ("it is 54723075623464", "6f722d5a6562726137370a in hex"),
    ],
)
def test_every_line_of_a_secret_is_black_in_a_picture(parts: tuple[str, str]) -> None:
    font = ImageFont.truetype("DejaVuSansMono.ttf", 22)

    def draw(_inputs: Sequence[Input]) -> Image.Image:
        image = Image.new("RGB", (640, 240), "white")
        for row, text in enumerate(("The first line", *parts, "The last line")):
            ImageDraw.Draw(image).text((40, 20 + 50 * row), text, "black", font)
        return image

    desktop = FakeDesktop(draw)
    eyes = Eyes(desktop, desktop.control)
    frame = eyes.look()
    shown = Redaction(eyes, ["Tr0ub4dor-Zebra77"])(frame)

    hidden = [max(part.split(), key=len) for part in parts if len(max(part.split(), key=len)) > 6]
    before, after = (" ".join(line.text for line in eyes.read(one)) for one in (frame, shown))
    assert all(holds_alike(part, before) for part in (*hidden, "first", "last"))
    assert not [part for part in hidden if holds_alike(part, after)]
    assert all(part in after for part in ("first", "last"))
