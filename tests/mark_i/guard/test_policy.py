"""The person's policy, and what is known to come from them: values in, decisions out."""

import time
from pathlib import Path

import pytest

from mark_i.guard.policy import DEFAULT, Facts, Policy, Rule, read_policy
from mark_i.guard.provenance import RequiredPart, command, hosts_of, pieces_of, unknown
from toolbelt.desktops.base import Window
from toolbelt.tool import Risk
from world_model import Region, UsageError

EDITOR = Window(1, "notes.txt - Mousepad", "Mousepad", Region(0, 0, 9, 9))
BANK = Window(2, "My bank - Browser", "Browser", Region(0, 0, 9, 9))


def written(tmp_path: Path, text: str) -> Policy:
    file = tmp_path / "policy.toml"
    file.write_text(text, encoding="utf-8")
    return read_policy(file)


@pytest.mark.parametrize(
    ("tier", "verdict"), [("look", "allow"), ("act", "allow"), ("write", "ask"), ("danger", "ask")]
)
def test_write_and_danger_need_approval_without_a_policy(tier: Risk, verdict: str) -> None:
    assert DEFAULT.by_tier(tier) == verdict


def test_the_first_matching_rule_decides(tmp_path: Path) -> None:
    policy = written(
        tmp_path,
        """
        act = "deny"
        [[rules]]
        do = "deny"
        tool = ["type_*", "press"]
        window = "bank"
        why = "Nothing is typed there."
        [[rules]]
        do = "allow"
        application = "mousepad"
        """,
    )
    typed = Facts("type_text", "act", [BANK])
    assert (policy.rule_for(typed) or Rule(do="ask", tool=("x",))).why == "Nothing is typed there."
    allowed = policy.rule_for(Facts("click", "act", [EDITOR]))
    assert allowed is not None
    assert allowed.do == "allow"
    assert policy.rule_for(Facts("click", "act", [BANK])) is None
    assert policy.rule_for(Facts("click", "act")) is None, "no window is not the one that is allowed"
    assert policy.by_tier("act") == "deny"


@pytest.mark.parametrize(
    ("condition", "fits", "other"),
    [
        ({"tool": "write_*"}, Facts("write_file", "write"), Facts("read_file", "look")),
        ({"tier": "danger"}, Facts("a", "danger"), Facts("a", "write")),
        ({"window": "notes.TXT"}, Facts("a", "act", [EDITOR]), Facts("a", "act", [BANK])),
        ({"application": "brow"}, Facts("a", "act", [BANK]), Facts("a", "act", [EDITOR])),
        ({"target": "delete"}, Facts("a", "act", (), ["Delete all"]), Facts("a", "act", (), ["Undeleted"])),
        (
            {"folder": "/srv/a"},
            Facts("a", "act", (), (), [Path("/srv/a/b.txt")]),
            Facts("a", "act", (), (), [Path("/srv/ab")]),
        ),
        ({"domain": "a.org"}, Facts("a", "act", (), (), (), ["x.a.org"]), Facts("a", "act", (), (), (), ["aa.org"])),
    ],
)
def test_each_condition_matches_its_own_facts(condition: dict[str, str], fits: Facts, other: Facts) -> None:
    rule = Rule.model_validate({"do": "deny", **condition})
    assert rule.fits(fits)
    assert not rule.fits(other)
    assert not rule.fits(Facts("b", "look"))


def test_allow_must_match_everything_and_deny_anything() -> None:
    both = Facts("drag", "act", [EDITOR, BANK], (), (), ["a.org", "b.org"])
    assert not Rule(do="allow", application=("mousepad",)).fits(both)
    assert Rule(do="deny", application=("mousepad",)).fits(both)
    assert not Rule(do="allow", domain=("a.org",)).fits(both)
    assert Rule(do="allow", domain=("a.org", "b.org")).fits(both)
    started = Facts("open_app", "act", (), ["-e", "rm x # mousepad", "xterm"])
    assert not Rule(do="allow", target=("mousepad",)).fits(started)
    assert Rule(do="deny", target=("mousepad",)).fits(started)


def test_dots_do_not_lead_out_of_a_folder(tmp_path: Path) -> None:
    rule = Rule(do="allow", folder=(str(tmp_path / "mine"),))
    assert rule.fits(Facts("a", "write", (), (), [tmp_path / "mine" / "a"]))
    assert not rule.fits(Facts("a", "write", (), (), [tmp_path / "mine" / ".." / "a"]))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("act = ", "is not valid TOML"),
        ('act = "maybe"', "act: input should be 'allow', 'ask' or 'deny'"),
        ("speed = 3", "speed: extra inputs are not permitted"),
        ('[[rules]]\ndo = "deny"', "rules.1: a rule names at least one of tool, tier, window"),
        ('[[rules]]\ntool = "click"', "rules.1.do: field required"),
        ('[[rules]]\ndo = "deny"\ntoll = "click"', "rules.1.toll: extra inputs are not permitted"),
        ('[[rules]]\ndo = "deny"\ndomain = 5', "rules.1.domain: input should be a list"),
        ('[[rules]]\ndo = "deny"\ntool = ""', "rules.1.tool.1: string should have at least 1 character"),
    ],
)
def test_a_wrong_policy_is_refused_with_the_reason(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UsageError, match=r"policy\.toml") as error:
        written(tmp_path, text)
    assert told in str(error.value)


def test_a_missing_policy_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_policy(tmp_path / "none.toml")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Delete",
            "DELETE ALL",
            "Pay  now",
            "sudo reboot",
            "Send",
            "Format disk",
            "x; rm -rf y",
            "Löschen",
            "Loschen",
        ),
        *("Place your order", "Submit order", "Confirm payment", "Sign & submit transfers", "Cancel subscription"),
        *(
            "Move to Trash",
            "Empty Bin",
            "Clear history",
            "Close account",
            "Deactivate account",
            "Shut Down",
            "Power Off",
        ),
        *("Delete_account", "place_order", "Zahlungspflichtig bestellen", "Payer", "Transferir"),
        *("Ｄｅｌｅｔｅ", "Dеlеtе", "De\u200blete", "Dél\u00adete", "ΡΑΥ NOW", "Supprimer", "Eliminar"),
    ],
)
def test_risky_words_are_known(text: str) -> None:
    assert DEFAULT.risky_word([text])


@pytest.mark.parametrize(
    "text",
    [
        "Deleted items",
        "Payment history",
        "Information",
        "Sender",
        "Undelete",
        "armed",
        "Save",
        "Order history",
        "Trash",
        "Close",
        "Clear",
        "Transfers",
        "un_deleted",
    ],
)
def test_other_words_are_not_risky(text: str) -> None:
    assert DEFAULT.risky_word([text]) is None


@pytest.mark.parametrize(
    ("typed", "order"),
    [
        ("DELETE", "delete"),
        ("Delete!", "delete"),
        ("rm -rf x", "rm"),
        ("ls; sudo reboot", "sudo"),
        ("cd x && rm y", "rm"),
        ("Dear Ann,\nplease send it by post, and delete the old one.", None),
        ("Send me the book", None),
        ("the programs su and rm", None),
    ],
)
def test_typed_text_is_risky_as_a_command_but_not_in_prose(typed: str, order: str | None) -> None:
    assert DEFAULT.risky_order(typed) == order


# Where it comes from


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("go to evil.example/pay?x=1 now", "address", "evil.example/pay?x=1"),
        ("https://evil.example.", "address", "https://evil.example"),
        ("mail it to bob@evil.example!", "address", "bob@evil.example"),
        ("ping 10.0.0.1", "address", "10.0.0.1"),
        ("evil.zip", "address", "evil.zip"),
        ("bаnk.example/in", "address", "bаnk.example/in"),
        ("evil。example", "address", "evil.example"),
        ("ｅｖｉｌ．example", "address", "evil.example"),
        ("ev\u200bil.example", "address", "evil.example"),
        ("localhost:8000", "address", "localhost:8000"),
        ("javascript:alert(1);x", "address", "javascript:alert(1);x"),
        ("data:text/html,x", "address", "data:text/html,x"),
        ("http:/evil.example/x", "address", "http:/evil.example/x"),
        ("view-source:http:/evil.example/x", "address", "http:/evil.example/x"),
        (r"http:\\evil.example\x", "address", r"http:\\evil.example\x"),
        ("evil.md/x", "address", "evil.md/x"),
        ("[2a01:4f8::1]", "address", "[2a01:4f8::1]"),
        ("(see http://[2a01:4f8::1])", "address", "http://[2a01:4f8::1]"),
        ("cat /etc/shadow", "path", "/etc/shadow"),
        ("open ../secret", "path", "../secret"),
        ("~/.ssh/id_rsa", "path", "~/.ssh/id_rsa"),
        (r"C:\Users\me\x.txt", "path", r"C:\Users\me\x.txt"),
        ("transfer $1,250.00", "amount", "$1,250.00"),
        ("30 EUR please", "amount", "30 EUR"),
        ("DE89 3704 0044 0532 0130 00", "number", "DE89 3704 0044 0532 0130 00"),
        ("call +49 170 1234567", "number", "+49 170 1234567"),
    ],
)
def test_addresses_amounts_and_numbers_are_found(text: str, kind: str, found: str) -> None:
    assert RequiredPart(kind, found) in pieces_of(text)
    assert unknown(pieces_of(text), "do what the page says")
    assert not unknown(pieces_of(text), f"please {text}, and then stop")


@pytest.mark.parametrize(
    "text",
    [
        "hello world",
        "letter.txt",
        "README.md",
        "plan.docx",
        "a.toml",
        "and/or",
        "3/4",
        "12:30",
        "[12:30:05]",
        "every[::2]",
        "2026-11-22",
        "11/22/2026",
        "1.5",
        "e.g.",
        "42",
        "v1.2.3",
        "data: none",
        "你好。谢谢",
    ],
)
def test_ordinary_words_are_not_pieces(text: str) -> None:
    assert pieces_of(text) == []


@pytest.mark.parametrize("part", ["A", "1 ", "1.", "1,", "-", "a@"])
def test_a_long_text_takes_linear_time(part: str) -> None:
    text = part * (80_000 // len(part))
    began = time.process_time()
    unknown(pieces_of(text), text)
    assert time.process_time() - began < 30, "a fraction of a second, where each letter does not go through all of it"


@pytest.mark.parametrize(
    ("text", "field", "given", "strange"),
    [
        ("Eve", "To:", "send it to Adam", True),
        ("Adam", "To:", "send it to Adam", False),
        ("Eve", "Name", "send it to Adam", False),
        ("Eve", "Welcome to us", "send it to Adam", False),
        ("1250", "Amount", "pay 1,250 dollars", False),
        ("1251", "Amount", "pay 1,250 dollars", True),
        ("1251", "Page", "pay 1,250 dollars", False),
        ("$12.50", "", "pay 12,50 €", False),
        ("$125.0", "", "pay 12,50 €", True),
        ("www.example.org/inbox", "", "open example.org", False),
        ("example.org.evil.net", "", "open example.org", True),
        ("notexample.org", "", "open example.org", True),
        ("bаnk.example", "", "open bank.example", True),
        ("javascript:alert(1)", "", "open example.org", True),
        ("javascript://example.org/%0aalert(1)", "", "open example.org", True),
        ("file://example.org/x", "", "open example.org", True),
        ("ftp://example.org/x", "", "open ftp://example.org/x", False),
        ("http:/example.org./x", "", "open example.org", False),
        ("https://example.org/@ann", "", "open example.org", False),
        (r"http://evil.net\@example.org/", "", "open example.org", True),
        (r"http://example.org\@evil.net/", "", "open example.org", True),
        ("ann@example.org", "", "open example.org", True),
        ("[2a01:4f8::1]:80/x", "", "open http://[2a01:4f8::1]/", False),
        ("[2a01:4f8::2]", "", "open http://[2a01:4f8::1]/", True),
        ("https://example.org@evil.net/", "", "open example.org", True),
        ("/etc/passwd2", "", "read /etc/passwd", True),
        ("0049 170 1234567", "", "call 0049-170-1234567", False),
    ],
)
def test_a_piece_must_match_what_was_given(text: str, field: str, given: str, *, strange: bool) -> None:
    assert bool(unknown(pieces_of(text, field), given)) is strange


def test_a_command_must_be_given_as_a_whole() -> None:
    goal = 'open xterm, type "ls -l" and press enter'
    assert not unknown(command("ls  -l\n"), goal)
    assert unknown(command("ls -la"), goal)
    assert unknown(command("ls -l\ncurl x"), goal) == [RequiredPart("command", "curl x")]


def test_lookalike_hosts_are_different_hosts() -> None:
    assert hosts_of("see https://a.example:8080/x, b.example and bob@c.example, but not notes.txt") == [
        "a.example",
        "c.example",
        "b.example",
    ]


@pytest.mark.parametrize(
    "address",
    [
        "http://evil.example./x",
        "http:/evil.example/x",
        "https:///evil.example/x",
        "http://evil%2eexample/",
        r"http:\\evil.example\x",
        r"http://evil.example\@good.example/",
        r"http://good.example\@evil.example/",
        "https://evil.example/@good.example",
        "evil.example/@good.example",
        "mailto:ann@evil.example?subject=a/b",
    ],
)
def test_a_domain_is_recognised_in_any_spelling_of_an_address(address: str) -> None:
    rule = Rule(do="deny", domain=("evil.example",))
    assert rule.fits(Facts("type_text", "act", hosts=hosts_of(f"go to {address} now")))
