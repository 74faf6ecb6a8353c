"""Prices of models: a table that comes with MARK-I, and the user's own, which comes first."""

import functools
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from world_model import UsageError, file_fault

MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Counts:
    """The tokens of one call.

    Attributes:
        input: of the whole prompt, cached or not.
        output: including hidden thinking, which is paid for as well.
        cached: the part of the input that was read from the vendor's cache.
        written: the part of the input that was written to it.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    written: int = 0


class Price(BaseModel):
    """USD per million tokens; `..._above` applies to a whole call whose prompt has more than `above` tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)
    cache_write: float | None = Field(default=None, ge=0)
    above: int | None = Field(default=None, ge=1)
    input_above: float | None = Field(default=None, ge=0)
    output_above: float | None = Field(default=None, ge=0)
    cached_above: float | None = Field(default=None, ge=0)
    cache_write_above: float | None = Field(default=None, ge=0)

    def of(self, counts: Counts) -> float:
        """Return the price of one call in USD."""
        long = counts.input > (self.above or math.inf)
        new = _first(self.input_above if long else None, self.input)
        old = _first(self.cached_above if long else None, self.cached, new)
        output = _first(self.output_above if long else None, self.output)
        written = _first(self.cache_write_above if long else None, self.cache_write, new)
        plain = max(0, counts.input - counts.cached - counts.written)
        total = plain * new + counts.cached * old + counts.written * written + counts.output * output
        return total / MILLION

    def affordable(self, counts: Counts, usd: float) -> int:
        """Return how many tokens a reply may have so that the call costs at most so much; at least one."""
        one = self.of(replace(counts, output=1)) - self.of(counts)
        return max(1, int((usd - self.of(counts)) / one)) if one else MILLION


_VERSION: Final = re.compile(r"(?:-latest|-preview|[-@]\d{2,8})*")
_TABLE: Final = TypeAdapter(dict[str, Price])


def price_of(model: str, file: Path | None = None, *, at_vendor: bool = True) -> Price | None:
    """Return the price of a model, from the user's `file` or from ours. A dated version costs what its base name does.

    Ours are those of the vendors: what a service at another address costs, only the user knows.

    Raises:
        UsageError: the file cannot be read as a table of prices.
    """
    for table in (_own(file) if file else {}, _ours() if at_vendor else {}):
        names = [name for name in table if model.startswith(name) and _VERSION.fullmatch(model, len(name))]
        if names:
            return table[max(names, key=len)]
    return None


@functools.cache
def _ours() -> Mapping[str, Price]:
    return _table((resources.files("mark_i.brains") / "prices.toml").read_text(encoding="utf-8"))


def _own(file: Path) -> Mapping[str, Price]:
    try:
        return _table(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {file_fault(error)}.") from error
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise UsageError(f"{file}: {where}: {fault['msg']}. Prices are in USD per million tokens.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file} is not valid TOML: {error}.") from error


def _table(text: str) -> Mapping[str, Price]:
    return _TABLE.validate_python(tomllib.loads(text).get("models", {}))


def _first(*numbers: float | None) -> float:
    return next(number for number in numbers if number is not None)
