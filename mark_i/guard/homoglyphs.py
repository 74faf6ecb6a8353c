"""Texts as they look: the same word in other letters, with marks on them or with signs in it that nobody sees."""

import re
import unicodedata
from typing import Final

# Cyrillic and Greek letters that look like Latin ones, in capitals and small letters.
_LATIN: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјӏорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορυχ",
    "ABESIJKMHOPCTYXaesijlopcyxhdqwABEZHIKMNOPTYXaivopux",
)
# The full stop of Chinese and Japanese, which browsers take for a dot in a host's name.
_DOT: Final = re.compile(r"(?<=[a-z0-9])[。｡](?=[a-z0-9])", re.IGNORECASE)


def as_it_looks(text: str) -> str:
    """A text in the Latin letters that it is read as, without accents and without what cannot be seen."""
    bare = "".join(one for one in unicodedata.normalize("NFKD", text) if unicodedata.category(one) not in {"Mn", "Cf"})
    return bare.translate(_LATIN)


def as_it_is_used(text: str) -> str:
    """A text as browsers take it in an address: wide letters are narrow ones, and what cannot be seen is not there.

    Letters that only look alike stay what they are, since they name another host.
    """
    seen = "".join(one for one in text if unicodedata.category(one) != "Cf")
    return unicodedata.normalize("NFKC", _DOT.sub(".", seen))
