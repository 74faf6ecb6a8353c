"""Homoglyphs: texts that look alike, with letters of other scripts, accents or invisible characters."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

# Cyrillic and Greek letters that look like Latin ones, in upper and lower case.
_LATIN: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјӏорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορυχ",
    "ABESIJKMHOPCTYXaesijlopcyxhdqwABEZHIKMNOPTYXaivopux",
)
# Small letters that do not look like Latin ones, and whose capitals do: a word is the same in capitals.
_SMALL: Final = str.maketrans("вкмнтβεζηκμτ", "bkmhtbezhkmt")
# The ideographic full stop, which browsers accept as a dot in a host name.
_DOT: Final = re.compile(r"(?<=[a-z0-9])[。｡](?=[a-z0-9])", re.IGNORECASE)


# The gap after a letter that stands alone, before another one: of a word in spaced letters
_SPACED: Final = re.compile(r"(?<![^\W_])([^\W\d_])[ .](?=[^\W\d_](?![^\W_]))")


_APOSTROPHES: Final = dict.fromkeys(map(ord, "\u2018\u2019\u02bc\u2032"), "'")


@lru_cache(maxsize=4096)  # the same labels are compared with many words
def latin_lookalike(text: str) -> str:
    """Return the small Latin letters that a text looks like, without accents, invisible characters and wide spacing."""
    text = _SPACED.sub(r"\1", text.translate(_APOSTROPHES))
    bare = "".join(one for one in unicodedata.normalize("NFKD", text) if unicodedata.category(one) not in {"Mn", "Cf"})
    return bare.translate(_LATIN).casefold().translate(_SMALL)


def as_browsers_read(text: str) -> str:
    """Normalize a text as browsers do in an address: wide letters become narrow, invisible characters go.

    Lookalike letters stay as they are, since they name a different host.
    """
    seen = "".join(one for one in text if unicodedata.category(one) != "Cf")
    return unicodedata.normalize("NFKC", _DOT.sub(".", seen))
