"""One-time codes: made as they are typed, and found nowhere but where they were typed."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pyotp
import pytest

from mark_i import AgentCore, Oversight, ScriptedBrain, VirtualDesktop, standard_toolbelt, tool
from mark_i.config.api_keys import Keys
from mark_i.guard.one_time_codes import OneTimeCode
from mark_i.guard.policy import DEFAULT
from mark_i.guard.risk import Guard
from mark_i.guard.secrets import Secrets
from tests.support import Run, action, script
from toolbelt.belt import Toolbelt
from toolbelt.perception.eyes import Eyes
from world_model import Action, Journal, ToolFailure, UsageError, read_run

KEY: Final = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # those of the table in RFC 6238, with its times
LONG_KEY: Final = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA"
BANK: Final = f"otpauth://totp/Bank:ada?secret={KEY}&digits=8&issuer=Bank"
SHORT: Final = "JBSWY3DPEHPK3PXP"  # 80 bits
CAP_S: Final = 120.0  # seconds for an application to do something on a busy machine
FAIL: Final = action("fail", reason="That was all.")


def never(seconds: float) -> None:
    raise AssertionError(f"It waited for {seconds} s.")


def at(time_s: float) -> Callable[[], float]:
    return lambda: time_s


@pytest.mark.parametrize(
    ("key", "code"),
    [
        (KEY, "005924"),
        (BANK, "89005924"),
        (f"otpauth://totp/x?secret={LONG_KEY.lower()}&digits=8&algorithm=SHA256&period=30", "91819424"),
        (" gezd gnbv-gy3t qojq gezd gnbv gy3t qojq== ", "005924"),
        (SHORT, "742275"),
    ],
)
def test_a_code_is_that_of_the_moment(key: str, code: str) -> None:
    assert OneTimeCode("bank", key, at(1234567890)).make(never) == code


def test_a_code_that_is_about_to_expire_is_not_typed() -> None:
    clock, waited = [1111111107.5], list[float]()

    def wait(seconds: float) -> None:
        waited.append(seconds)
        clock[0] += seconds

    code = OneTimeCode("bank", BANK, lambda: clock[0])
    assert code.make(wait) == "14050471"  # that of 1111111111
    assert waited == [2.5]
    clock[0] = 1111111137.0
    assert (code.make(never), len(waited)) == ("14050471", 1)


@pytest.mark.parametrize(
    "key",
    [
        "not-a-key-at-all!",
        "JBSWY3DP",
        "",
        "ä" * 20,
        f"otpauth://hotp/x?secret={KEY}&counter=1",
        f"otpauth://totp/x?secret={KEY}&digits=six",
        f"otpauth://totp/x?secret={KEY}&period=0",
        f"otpauth://totp/x?secret={KEY}&algorithm=MD5",
        f"otpauth://totp/x?secret={KEY}&encoder=steam",
        "otpauth://totp/x",
        f"https://[x?secret={KEY}",
    ],
)
def test_what_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(
        UsageError, match=r"totp\.bank is not a key for one-time codes\. Set .*config set totp\.bank$"
    ) as told:
        OneTimeCode("bank", key)
    assert KEY not in str(told.value)
    assert "\n" not in str(told.value)


def test_a_code_is_redacted_once_it_was_made() -> None:
    secrets = Secrets({"bank": "hunter22"}, (), {"bank": OneTimeCode("bank", BANK, at(1234567890))})
    for shown in (KEY, KEY.lower(), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ", BANK):
        assert KEY.lower() not in "".join(secrets.redacted(shown).split()).lower()
    assert secrets.redacted("It is 89005924.") == "It is 89005924."

    @tool
    def log_in(password: str, code: str) -> str:
        """Log in."""
        return password + code

    place = Action("log_in", {"password": "{{secret:bank}}", "code": "{{ totp:bank }}"})
    tools = Toolbelt(log_in)
    assert secrets.filled(place, tools["log_in"], never).args == {"password": "hunter22", "code": "89005924"}
    assert secrets.used(place, tools["log_in"]) == ["hunter22", "89005924"]
    assert secrets.redacted("It is 89005924.") == "It is {{totp:bank}}."
    assert secrets.placeholders == ("{{secret:bank}}", "{{totp:bank}}")
    with pytest.raises(ToolFailure, match="There is no one-time code named mail") as failure:
        secrets.filled(Action("log_in", {"password": "", "code": "{{totp:mail}}"}), tools["log_in"])
    assert failure.value.hints[0] == "The one-time codes are: bank."
    assert KEY not in repr(secrets)


@pytest.mark.parametrize(("goal", "allowed"), [("log in at the bank", True), ("log in", False)])
def test_a_code_that_the_goal_does_not_name_needs_approval(goal: str, *, allowed: bool) -> None:
    seen: list[str] = []

    @tool
    def log_in(code: str) -> str:
        """Log in."""
        seen.append(code)
        return "in"

    brain = ScriptedBrain([action("log_in", code="{{totp:bank}}"), FAIL])
    secrets = Secrets(codes={"bank": OneTimeCode("bank", KEY, at(1234567890))})
    agent = AgentCore(
        brain,
        Toolbelt(log_in, *standard_toolbelt(None)),
        oversight=Oversight(secrets=secrets, guard=Guard(DEFAULT)),
    )
    agent.execute_command(goal)
    assert seen == (["005924"] if allowed else [])


def test_a_run_types_the_code_and_writes_it_nowhere_else(mark_i: Run, tmp_path: Path) -> None:
    environment = {**os.environ, "MARK_I_TOTP_BANK": BANK}
    assert '"totp": ["bank"]' in mark_i("config", "show", "--json", env=environment).stdout
    brain = script(
        tmp_path / "b.jsonl",
        action("write_file", path="a.txt", text="{{totp:bank}}"),
        action("read_file", path="a.txt"),
        action("fail", reason="The code {{totp:bank}} was refused."),
    )
    done = mark_i("ask", "write {{totp:bank}}", "--brain", brain, "--json", "--yes", cwd=tmp_path, env=environment)
    code = (tmp_path / "a.txt").read_text()
    assert pyotp.TOTP(KEY, digits=8).verify(code, valid_window=20)
    assert "The code {{totp:bank}} was refused." in done.stdout
    home = Path(os.environ["MARK_I_HOME"])
    written = [file.read_bytes().decode(errors="replace") for file in home.rglob("*") if file.is_file()]
    assert len(written) > 4
    for text in (done.stdout, done.stderr, *written):
        assert code not in text
        assert KEY not in text


def test_a_typed_code_is_black_on_every_picture(desktop: VirtualDesktop, tmp_path: Path) -> None:
    eyes = Eyes(desktop, desktop.control)
    desktop.launch(["xterm", "-T", "Log in", "-fa", "DejaVu Sans Mono", "-fs", "14", "-e", "cat"])
    assert desktop.control.until(lambda: any(one.title == "Log in" and one.active for one in desktop.windows()), CAP_S)
    secrets = Secrets(codes={"bank": OneTimeCode("bank", BANK, at(1234567890))})
    agent = AgentCore(
        ScriptedBrain([action("type_text", text="sent {{totp:bank}}", enter=True), action("read_screen"), FAIL]),
        standard_toolbelt(eyes),
        desktop,
        oversight=Oversight(secrets=secrets),
        eyes=eyes,
        journal=Journal(tmp_path / "run", {"goal": "x"}, clean=secrets.redacted),
    )
    agent.execute_command("log in at the bank")
    assert any("89005924" in line.text for line in eyes.read(eyes.look())), "it stands on the screen itself"
    shown = [step.after for step in read_run(tmp_path / "run").steps]
    assert len(shown) == 3
    for frame in shown:
        assert frame is not None
        assert not [line.text for line in eyes.read(frame) if "9005" in line.text]
        assert any("Log in" in line.text for line in eyes.read(frame))
    assert "9005924" not in "".join(file.read_text() for file in (tmp_path / "run").glob("*.json*"))


@pytest.mark.parametrize(
    ("value", "typed", "told"),
    [
        (None, "not a key\n", "totp.bank is not a key for one-time codes."),
        (KEY, "", "stays in the shell's history. Leave it out: mark-i config set totp.bank"),
    ],
)
def test_a_key_is_not_taken_carelessly(mark_i: Run, value: str | None, typed: str, told: str) -> None:
    done = mark_i("config", "set", "totp.bank", "--file", *([value] if value else []), input=typed)
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_key_can_be_kept_in_a_file_and_removed(mark_i: Run) -> None:
    done = mark_i("config", "set", "totp.bank", "--file", input=f"{BANK}\n")
    assert "The agent can type {{totp:bank}} now." in done.stdout
    kept = Keys().secrets()
    assert ([*kept.codes], kept.named) == (["bank"], {}), "the key itself cannot be typed"
    assert "one-time codes         bank\n" in mark_i("config", "show").stdout
    assert "removed" in mark_i("config", "set", "totp.bank", "none").stdout
    assert not Keys().secrets().codes


def test_a_faulty_key_of_the_environment_is_refused_before_the_run(mark_i: Run, tmp_path: Path) -> None:
    environment = {**os.environ, "MARK_I_TOTP_BANK": "0189"}
    done = mark_i("ask", "log in", "--brain", script(tmp_path / "b.jsonl", FAIL), env=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert "totp.bank is not a key for one-time codes." in done.stderr
    assert "0189" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
