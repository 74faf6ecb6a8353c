"""The policy of a run: what is allowed, what needs approval, and what is denied. A person writes it in TOML."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from mark_i.guard.words import contains_word, first_word, known_words, same_word
from toolbelt.desktops import Window
from toolbelt.tool import Risk
from world_model import UsageError, file_fault

NUMBER: Final = re.compile(r"(?<!\w)\d[\d.,\u00a0']*(?!\w)")
Verdict = Literal["allow", "ask", "deny"]

CONDITIONS: Final = ("tool", "tier", "window", "application", "target", "folder", "domain")


def _several(value: object) -> object:
    """Turn one text or a list of texts into a tuple."""
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value


Several = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(_several)]


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts about an action that a rule can match.

    Attributes:
        tier: the tool's, raised to `danger` by a risky word.
        windows: the ones that the action affects.
        words: one text for each target, with what is there, and the texts that the action types or names.
        paths: the files and folders in its arguments.
        hosts: the sites in its arguments.
        unseen: whether it affects windows and nobody tells which.
    """

    tool: str
    tier: Risk
    windows: Sequence[Window] = ()
    words: Sequence[str] = ()
    paths: Sequence[Path] = ()
    hosts: Sequence[str] = ()
    unseen: bool = False


class Rule(BaseModel):
    """One rule. All its conditions must match; a condition with several texts matches if one of them does."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    do: Verdict
    tool: Several = ()
    tier: Annotated[tuple[Risk, ...], BeforeValidator(_several)] = ()
    window: Several = ()
    application: Several = ()
    target: Several = ()
    folder: Several = ()
    domain: Several = ()
    why: str = ""

    @model_validator(mode="after")
    def _says_when(self) -> Self:
        if not any(getattr(self, name) for name in CONDITIONS):
            raise ValueError(f"a rule names at least one of {', '.join(CONDITIONS)}")
        return self

    def fits(self, facts: Facts) -> bool:
        """Whether it decides an action. `allow` must match all that the action touches, other rules any of it."""
        some = all if self.do == "allow" else any
        titles = [one.title.casefold() for one in facts.windows]
        names = [one.application.casefold() for one in facts.windows]
        paths = [path.resolve() for path in facts.paths]
        unseen = facts.unseen and self.do != "allow"  # it may be the window that the rule means
        return (
            (not self.tool or any(fnmatchcase(facts.tool, name) for name in self.tool))
            and (not self.tier or facts.tier in self.tier)
            and (unseen or _fit(self.window, titles, lambda said, title: said.casefold() in title, some))
            and (unseen or _fit(self.application, names, lambda said, name: said.casefold() in name, some))
            and _fit(self.target, facts.words, contains_word, some)
            and _fit(self.folder, paths, _within, some)
            and _fit(self.domain, facts.hosts, in_domain, some)
        )


class Policy(BaseModel):
    """Decides by the first rule that matches, otherwise by the tier of the action.

    Attributes:
        risky: words that raise a click on them, or a text that contains them, to `danger`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    look: Verdict = "allow"
    act: Verdict = "allow"
    write: Verdict = "ask"
    danger: Verdict = "ask"
    risky: Several = Field(default_factory=lambda: known_words().risky)
    rules: tuple[Rule, ...] = ()

    def by_tier(self, tier: Risk) -> Verdict:
        """Return the verdict for an action of that tier that no rule matches."""
        verdict: Verdict = getattr(self, tier)
        return verdict

    def rule_for(self, facts: Facts) -> Rule | None:
        """Return the first rule that matches."""
        return next((rule for rule in self.rules if rule.fits(facts)), None)

    def risky_word(self, texts: Iterable[str]) -> str | None:
        """Return the first risky word that one of the texts contains."""
        return next(filter(None, (first_word(self.risky, text) for text in texts)), None)

    def risky_label(self, texts: Iterable[str]) -> str | None:
        """Return the first risky word on a button or another control: shell commands are words there (`su`, `dd`)."""
        words = _labels(self.risky)
        told = (
            one for text in texts for one in dict.fromkeys((text, NUMBER.sub(" ", text)))
        )  # `Send 12 messages` sends messages
        return next(filter(None, (first_word(words, text) for text in told)), None)

    def risky_order(self, text: str) -> str | None:
        """Return the risky word that a typed line consists of, or the command that it begins with, if any."""
        commands = {one for one in known_words().commands if one in self.risky}
        for line in re.split(r"[\n;&|]", text):
            head = next(iter(line.casefold().split()), "")
            if found := head if head in commands else same_word(self.risky, line):
                return found
        return None


DEFAULT: Final = Policy()
OPEN: Final = Policy(write="allow", danger="allow", risky=())  # for programs that decide for themselves


def read_policy(file: Path) -> Policy:
    """Read the policy in a file.

    Raises:
        UsageError: it cannot be read, or something in it is not valid; nothing in a policy is guessed.
    """
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"The policy {file} cannot be read: {file_fault(error)}.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"The policy {file} is not valid TOML: {error}.") from error
    try:
        return Policy.model_validate(_with_lists(values))
    except ValidationError as error:
        raise UsageError(f"The policy {file}: {'; '.join(map(fault, error.errors()))}.") from error


@cache
def _labels(risky: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words without those that are only commands."""
    return tuple(word for word in risky if word not in known_words().commands or word in known_words().buttons)


def _within(folder: str, path: Path) -> bool:
    return path.is_relative_to(Path(folder).expanduser().resolve())


def in_domain(domain: str, host: str) -> bool:
    """Whether a host is the domain or one of its subdomains."""
    domain = domain.casefold().removeprefix("*.").strip(".")
    return host.casefold() == domain or host.casefold().endswith(f".{domain}")


def _fit(said: Sequence[str], found: Sequence[Any], fits: Any, some: Any) -> bool:  # noqa: ANN401 - `all` or `any`
    """Whether a condition matches what was found; nothing matches if nothing was found."""
    return not said or (bool(found) and some(any(fits(one, thing) for one in said) for thing in found))


def _with_lists(values: dict[str, Any]) -> dict[str, Any]:
    rules = values.get("rules")
    return {**values, "rules": tuple(rules)} if isinstance(rules, list) else values


def fault(error: Any) -> str:  # noqa: ANN401 - pydantic's own dictionary
    """Say what is wrong in a file, and where, counted from 1."""
    where = ".".join(str(part + 1) if isinstance(part, int) else str(part) for part in error["loc"])
    told = error["msg"].removeprefix("Value error, ").replace("valid tuple", "list")
    return f"{where}: {told[0].lower()}{told[1:]}".removeprefix(": ")
