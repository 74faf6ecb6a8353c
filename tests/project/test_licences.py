"""docs/licences.md tells the licence of every package that is installed with MARK-I, as its own metadata has it."""

import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

import pytest

CHECKOUT: Final = Path(__file__).parents[2]
PAGE: Final = (CHECKOUT / "docs" / "licences.md").read_text(encoding="utf-8")
SCRIPT: Final[dict[str, Any]] = runpy.run_path(str(CHECKOUT / "scripts" / "licences.py"))
TOLD: Final = {
    name: (licence, needed)
    for name, licence, needed in re.findall(r"^\| ([\w-]+) \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
    if name not in {"package", "extra"}
}
PERMISSIVE: Final = re.compile(
    r"0BSD|Apache-2\.0|BSD(-[23]-Clause)?|CC0-1\.0|CNRI-Python|ISC|MIT(-0|-CMU)?|PSF-2\.0|Zlib|AND|OR|[() ]"
)


Rows = dict[str, tuple[str, str]]


@pytest.fixture(scope="module")
def needed() -> Rows:
    return cast("Rows", SCRIPT["table"]())


def test_every_package_is_in_the_table_with_its_licence(needed: Rows) -> None:
    assert {name: row for name, row in needed.items() if TOLD.get(name) != row} == {}


@pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="what a package needs that only an older Python needs is not known here"
)
def test_no_row_is_left_of_a_package_that_is_gone(needed: Rows) -> None:
    elsewhere: Callable[[], set[str]] = SCRIPT["elsewhere"]
    assert TOLD.keys() - needed.keys() - elsewhere() == set()


def test_every_licence_is_known(needed: Rows) -> None:
    assert [name for name, (licence, _) in needed.items() if licence == SCRIPT["UNTOLD"]] == []


def test_every_package_that_is_not_permissive_is_named(needed: Rows) -> None:
    [copyleft] = re.findall(r"^## Copyleft\n(.*?)^## ", PAGE, re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"\*\*([\w-]+)\*\*", copyleft))
    others = {name for name, (licence, _) in needed.items() if PERMISSIVE.sub("", licence)}
    assert {"python3-xlib", "mouseinfo", "pymsgbox"} <= others
    assert others - named == set()
