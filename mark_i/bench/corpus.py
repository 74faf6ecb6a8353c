"""The corpus of the typing benchmark: 1,000 different strings in many scripts, generated deterministically."""

# ruff: noqa: RUF001 - the look-alike characters are intended

import itertools
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

STRINGS: Final = 1000
LONG_CHARS: Final = 5000  # of the last string

ASCII: Final = "".join(map(chr, range(0x20, 0x7F)))
RANGES: Final = (  # first and last character, and the maximum number of characters used
    (0x00A1, 0x024F, 999),  # Latin with accents
    (0x1E00, 0x1EFF, 999),
    (0x0250, 0x02AF, 40),  # phonetic
    (0x0370, 0x03FF, 999),  # Greek
    (0x1F00, 0x1FFF, 80),
    (0x0400, 0x052F, 999),  # Cyrillic
    (0x0531, 0x0587, 40),  # Armenian
    (0x10D0, 0x10FF, 40),  # Georgian
    (0x05D0, 0x05EA, 999),  # Hebrew
    (0x0621, 0x064A, 999),  # Arabic
    (0x066E, 0x06D3, 80),
    (0x0904, 0x0939, 999),  # Devanagari
    (0x0E01, 0x0E2E, 999),  # Thai
    (0x3041, 0x3096, 999),  # Hiragana
    (0x30A1, 0x30FA, 999),  # Katakana
    (0x4E00, 0x9FFF, 480),  # Chinese characters
    (0xAC00, 0xD7A3, 240),  # Korean syllables
    (0x20000, 0x2A6D0, 40),  # beyond the first 65,536
    (0x2010, 0x2027, 999),  # dashes, quotes, dots
    (0x20A0, 0x20BF, 999),  # currencies
    (0x2190, 0x22FF, 160),  # arrows and mathematics
    (0x2500, 0x25FF, 80),  # boxes
    (0x1D400, 0x1D7FF, 80),  # mathematical letters
    (0x1F300, 0x1F5FF, 160),  # emoji
    (0x1F600, 0x1F64F, 999),
    (0x1F680, 0x1F6C5, 999),
    (0x1F900, 0x1F9FF, 120),
)
ROW_CHARS: Final = 8
MARKS: Final = (0x0300, 0x036F)  # combining characters, first and last
BASES: Final = "aeiouycnqsxzAEIOU"
SKINS: Final = tuple(map(chr, range(0x1F3FB, 0x1F400)))
HANDS: Final = "👋🤚✋🖖👌✌🤞🤙👈👉👍👎✊👏🙏"
FAMILIES: Final = (
    "👩\u200d👩\u200d👧\u200d👦",
    "👨\u200d👩\u200d👧",
    "👩🏽\u200d🚀",
    "🧑🏿\u200d💻",
    "👨🏻\u200d🎨",
    "🏴\u200d☠️",
    "🏳️\u200d🌈",
    "❤️\u200d🔥",
    "👁️\u200d🗨️",
    "🐻\u200d❄️",
)
COUNTRIES: Final = ("DE", "FR", "UA", "JP", "BR", "IN", "EG", "IL", "KR", "GR")
SENTENCES: Final = (
    "The quick brown fox jumps over the lazy dog.",
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.",
    "Portez ce vieux whisky au juge blond qui fume ; voilà, c'est l'été !",
    "El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia: ¿de verdad?",
    "Pchnąć w tę łódź jeża lub ośm skrzyń fig.",
    "Příliš žluťoučký kůň úpěl ďábelské ódy.",
    "Fahiş bluz güvenceleri Ağrı'da pijamalı hasta yağız şoföre çabucak güvendi.",
    "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
    "Съешь ещё этих мягких французских булок, да выпей чаю.",
    "Чуєш їх, доцю, га? Кумедна ж ти, прощайся без ґольфів!",
    "いろはにほへと ちりぬるを わかよたれそ つねならむ。",
    "我能吞下玻璃而不傷身體。你好，世界！",
    "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다.",
    "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر.",
    "עטלף אבק נס דרך מזגן שהתפוצץ כי חם.",
    "Tiếng Việt có rất nhiều dấu thanh: ặ, ể, ỗ, ợ, ự.",
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता है।",
    "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า",
    "if (a < b && c > d) { return x[0] | ~y ^ 'z'; } // 100% of #1 @home",
    '{"price": "3,14 €", "path": "C:\\\\Temp\\\\*.txt", "ok": true}',
    "grep -rn \"$HOME\" . | awk '{print $1}' > out.txt; echo `date`",
    "Done 👍🏽 — see you “tomorrow” … ½ of it at 20 °C, £5 or ¥500 🎉",
)
BREAKS: Final = ("\n", "\t", "\n\n", "\n\t", " \t", "\t\t", " \n", "; ")


def corpus() -> list[str]:
    """Return all strings; the long one is the last."""
    own = dict.fromkeys(itertools.chain(ASCII, (ASCII,), _rows(), _marked(), _emoji(), SENTENCES))
    more = (text for text in _mixed() if text not in own)
    return [*itertools.islice(itertools.chain(own, more), STRINGS - 1), _long()]


def _rows() -> Iterator[str]:
    """Yield the characters of each range, eight at a time."""
    for first, last, most in RANGES:
        known = [sign for sign in map(chr, range(first, last + 1)) if unicodedata.category(sign) != "Cn"]
        step = max(1, len(known) // most)
        yield from map("".join, _chunks(known[::step][:most], ROW_CHARS))


def _marked() -> Iterator[str]:
    """Yield letters with one combining mark each, and letters with several."""
    marks = [chr(code) for code in range(MARKS[0], MARKS[1] + 1) if chr(code) != "\N{COMBINING GRAPHEME JOINER}"]
    for row, base in zip(_chunks(marks, ROW_CHARS), itertools.cycle(BASES), strict=False):
        yield " ".join(base + mark for mark in row)
        yield base + "".join(row[:3])


def _emoji() -> Iterator[str]:
    """Yield emoji with skin tones, joined emoji, flags, and keycaps."""
    for hand in HANDS:
        yield "".join(hand + skin for skin in SKINS)
    yield from FAMILIES
    yield "".join(FAMILIES)
    yield from ("".join(chr(0x1F1E6 + ord(letter) - ord("A")) for letter in country) for country in COUNTRIES)
    yield "".join(f"{digit}\ufe0f\u20e3" for digit in "0123456789#*")


def _mixed() -> Iterator[str]:
    """Yield words and sentences, separated by line ends and tabs, without end."""
    for number in itertools.count():
        one, other = SENTENCES[number % len(SENTENCES)], SENTENCES[number * 7 // len(SENTENCES) % len(SENTENCES)]
        between = BREAKS[number % len(BREAKS)]
        words = other.split()
        yield f"{one}{between}{' '.join(words[number % len(words) :])}{'' if number % 3 else between}{number}"


def _long() -> str:
    """Return lines in every script, one sentence each."""
    lines = "\n".join(SENTENCES) + "\n"
    return (lines * (LONG_CHARS // len(lines) + 1))[:LONG_CHARS]


def _chunks(signs: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (signs[start : start + size] for start in range(0, len(signs), size))
