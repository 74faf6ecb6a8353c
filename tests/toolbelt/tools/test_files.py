"""Files: whole texts, written whole or not at all, and no way out of the allowed folders."""

import ctypes
import os
import random
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.tool import tools_of
from toolbelt.tools.files import MAX_BYTES, MAX_ENTRIES, Files
from world_model import Action, Observation, ToolFailure

CHECKOUT = Path(__file__).parents[3]
CAP_S = 120.0
AT_FDCWD, RENAME_EXCHANGE = -100, 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The allowed folder; beside it lies what nobody may see."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("secret")
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


@pytest.fixture
def files(folder: Path) -> Files:
    return Files([folder])


@pytest.fixture
def outside(folder: Path) -> Path:
    return folder.parent / "outside"


@contextmanager
def refused(code: str) -> Iterator[ToolFailure]:
    """The failure that comes, to be looked at after the block."""
    failure = ToolFailure(code, "")
    with pytest.raises(ToolFailure) as raised:
        yield failure
    assert raised.value.code == code, raised.value.message
    failure.message, failure.hints = raised.value.message, raised.value.hints


def use(files: Files, name: str, **args: Any) -> Observation:
    """As the agent does it."""
    return Toolbelt(files).call(Action(name, args), Control()).observation


# Reading -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one line",
        "two\nlines\n",
        "Windows\r\nlines\r\n",
        "Größe 5 €, 你好 👋\n",
        "\ufeffmarked",
        "a\0b",
        "x" * 300_000,
    ],
)
def test_a_text_is_read_whole_and_unchanged(text: str, files: Files, folder: Path) -> None:
    (folder / "a.txt").write_bytes(text.encode())

    assert files.read_file("a.txt") == text
    assert use(files, "read_file", path="a.txt") == Observation(ok=True, text=text)


@pytest.mark.parametrize("path", ["notes/a.txt", "./notes//a.txt", "notes/../notes/a.txt", "{folder}/notes/a.txt"])
def test_a_path_may_be_written_in_any_way_that_stays_inside(path: str, files: Files, folder: Path) -> None:
    (folder / "notes").mkdir()
    (folder / "notes" / "a.txt").write_text("hello")

    assert files.read_file(path.format(folder=folder)) == "hello"


def test_a_tilde_is_the_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")
    monkeypatch.setenv("HOME", str(tmp_path))

    assert Files([tmp_path]).read_file("~/a.txt") == "hello"
    with refused("PERMISSION_DENIED"):
        Files([tmp_path / "below"]).read_file("~/a.txt")


def test_relative_paths_start_from_the_first_folder(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(name)
    files = Files([tmp_path / "first", tmp_path / "second"])

    assert files.read_file("a.txt") == "first"
    assert files.read_file("../second/a.txt") == "second"
    assert files.read_file(str(tmp_path / "second/a.txt")) == "second"


def test_a_link_that_stays_inside_is_followed(files: Files, folder: Path) -> None:
    (folder / "real").mkdir()
    (folder / "real" / "a.txt").write_text("hello")
    (folder / "short").symlink_to("real")
    (folder / "b.txt").symlink_to(folder / "short" / "a.txt")

    assert files.read_file("short/a.txt") == "hello"
    assert files.read_file("b.txt") == "hello"


def test_the_allowed_folder_may_itself_be_a_link(folder: Path) -> None:
    (folder / "a.txt").write_text("hello")
    (folder.parent / "link").symlink_to(folder)

    assert Files([folder.parent / "link"]).read_file("a.txt") == "hello"


def test_without_a_folder_there_are_no_files() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Files([])


def test_a_missing_file_is_an_error_with_near_names(files: Files, folder: Path) -> None:
    for name in ("report-2024.txt", "Report-2025.TXT", "photo.png"):
        (folder / name).touch()

    with refused("FILE_NOT_FOUND") as failure:
        files.read_file("report-2025.txt")

    assert failure.message == f"There is no file or folder {folder}/report-2025.txt."
    assert failure.hints == (
        "Did you mean Report-2025.TXT or report-2024.txt?",
        f'list_files("{folder}") shows what is there.',
    )


def test_a_missing_folder_on_the_way_suggests_names(files: Files, folder: Path) -> None:
    (folder / "notes").mkdir()

    with refused("FILE_NOT_FOUND") as failure:
        files.read_file("note/a.txt")

    assert failure.hints == ("Did you mean notes?", f'list_files("{folder}") shows what is there.')


def test_an_allowed_folder_that_is_not_there_is_told(folder: Path) -> None:
    with refused("FILE_NOT_FOUND") as failure:
        Files([folder / "later"]).list_files()

    assert f"{folder}/later" in failure.message


def test_what_is_no_text_is_told_for_what_it_is(files: Files, folder: Path) -> None:
    (folder / "photo.png").write_bytes(b"\x89PNG\r\n")
    (folder / "old").write_bytes("für".encode("latin-1"))

    with refused("TOOL_ERROR") as png:
        files.read_file("photo.png")
    with refused("TOOL_ERROR") as latin:
        files.read_file("old")

    assert "photo.png is not text: its byte 0 is 0x89" in png.message
    assert "image/png" in png.message
    assert "its byte 1 is 0xfc" in latin.message


def test_the_largest_file_is_read_and_one_byte_more_is_refused(files: Files, folder: Path) -> None:
    (folder / "a.txt").write_bytes(b"x" * MAX_BYTES)
    assert len(files.read_file("a.txt")) == MAX_BYTES

    (folder / "a.txt").write_bytes(b"x" * (MAX_BYTES + 1))
    with refused("TOOL_ERROR") as failure:
        files.read_file("a.txt")
    assert "larger than 5,000,000 bytes" in failure.message


def test_a_file_larger_than_the_memory_is_refused_as_quickly(files: Files, folder: Path) -> None:
    with (folder / "huge").open("wb") as file:
        file.truncate(10**13)

    with refused("TOOL_ERROR"):
        files.read_file("huge")


@pytest.mark.parametrize("path", ["a\0b", "\ud800"])
def test_what_is_no_path_is_refused(path: str, files: Files) -> None:
    for call in (files.read_file, files.list_files, lambda path: files.write_file(path, "")):
        with refused("INVALID_ARGS"):
            call(path)


def test_a_name_that_is_too_long_is_refused(files: Files) -> None:
    with refused("INVALID_ARGS"):
        files.read_file("x" * 300)
    with refused("INVALID_ARGS"):
        files.write_file("x" * 300, "")


# No way out --------------------------------------------------------------------------------------------------------

Call = Callable[[Files, str], object]
CALLS: dict[str, Call] = {
    "read": lambda files, path: files.read_file(path),
    "write": lambda files, path: files.write_file(path, "written"),
    "list": lambda files, path: files.list_files(path),
}


@pytest.fixture(params=CALLS)
def call(request: pytest.FixtureRequest) -> Call:
    return CALLS[request.param]


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../outside/secret.txt",
        "a/../../outside/secret.txt",
        "{outside}/secret.txt",
        "/etc/passwd",
        "/",
        "../work2/a",
    ],
)
def test_a_path_that_leads_out_is_refused(path: str, call: Call, files: Files, folder: Path, outside: Path) -> None:
    (folder.parent / "work2").mkdir()

    with refused("PERMISSION_DENIED") as failure:
        call(files, path.format(outside=outside))

    assert failure.hints == (f"Files may be used in {folder}.",)
    assert (outside / "secret.txt").read_text() == "secret"


def test_what_lies_outside_is_not_told_by_the_kind_of_refusal(call: Call, files: Files) -> None:
    with refused("PERMISSION_DENIED") as there:
        call(files, "../outside/secret.txt")
    with refused("PERMISSION_DENIED") as missing:
        call(files, "../outside/nothing.txt")

    assert there.message.replace("secret", "nothing") == missing.message


@pytest.mark.parametrize("path", ["link", "link/secret.txt", "deep/link/secret.txt", "file", "dangling"])
def test_a_link_that_leads_out_is_refused(path: str, call: Call, files: Files, folder: Path, outside: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "link").symlink_to(outside)
    (folder / "deep" / "link").symlink_to("../../outside")
    (folder / "file").symlink_to(outside / "secret.txt")
    (folder / "dangling").symlink_to(outside / "new.txt")

    with refused("PERMISSION_DENIED") as failure:
        call(files, path)

    assert str(outside) in failure.message
    assert {file.name: file.read_text() for file in outside.iterdir()} == {"secret.txt": "secret"}


def test_links_in_a_circle_are_refused(call: Call, files: Files, folder: Path) -> None:
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")

    with refused("PERMISSION_DENIED"):
        call(files, "a")


def exchange(one: Path, other: Path) -> None:
    """Let two names change places, in one moment."""
    if ctypes.CDLL(None).renameat2(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE):
        raise OSError(f"{one} and {other} cannot be exchanged")


@contextmanager
def exchanging(one: Path, other: Path) -> Iterator[None]:
    """Two names that change places all the time."""
    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            exchange(one, other)
            time.sleep(random.random() / 10_000)

    with ThreadPoolExecutor(1) as pool:
        exchanged = pool.submit(work)
        try:
            yield
        finally:
            over.set()
    exchanged.result()


@pytest.mark.parametrize(
    ("swapped", "call", "harmless"),
    [
        ("notes", lambda files: files.read_file("notes/secret.txt"), "harmless"),
        ("notes/secret.txt", lambda files: files.read_file("notes/secret.txt"), "harmless"),
        ("notes", lambda files: files.list_files("notes").data, [{"name": "secret.txt", "kind": "file", "size": 8}]),
        ("notes", lambda files: files.write_file("notes/secret.txt", "harmless")[:8], "Replaced"),
    ],
    ids=["read in a folder", "read a file", "list", "write"],
)
def test_a_link_that_is_swapped_in_after_the_check_leads_nowhere(
    swapped: str, call: Callable[[Files], object], harmless: object, files: Files, folder: Path, outside: Path
) -> None:
    (folder / "notes").mkdir()
    (folder / "notes" / "secret.txt").write_text("harmless")
    (folder / "link").symlink_to(outside / Path(swapped).relative_to("notes"))
    seen: list[object] = []
    refusals: list[str] = []

    with exchanging(folder / swapped, folder / "link"):
        end = time.monotonic() + 1
        while time.monotonic() < end or not (seen and refusals):
            try:
                seen.append(call(files))
            except ToolFailure as failure:
                refusals.append(failure.code)

    assert all(one == harmless for one in seen)
    assert set(refusals) == {"PERMISSION_DENIED"}
    assert {file.name: file.read_text() for file in outside.iterdir()} == {"secret.txt": "secret"}


@contextmanager
def special(kind: str, path: Path) -> Iterator[None]:
    if kind == "a named pipe":
        os.mkfifo(path)
    elif kind == "a device":
        try:
            os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 5))  # zeros without end
        except PermissionError:
            pytest.skip("only root makes a device")
    else:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(path))
            yield
        return
    yield


@pytest.mark.parametrize("kind", ["a named pipe", "a device", "a socket"])
def test_a_special_file_is_refused_at_once_and_left_as_it_is(
    kind: str, call: Call, files: Files, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)  # the address of a socket cannot be long
    with special(kind, Path("special")):
        before = (folder / "special").lstat()

        with refused("INVALID_ARGS") as failure:
            call(files, "special")

        assert f"{folder}/special is {kind}, not a" in failure.message
        assert (folder / "special").lstat() == before


def test_a_folder_is_no_file(files: Files, folder: Path) -> None:
    (folder / "notes").mkdir()

    for path in ("notes", "."):
        with refused("INVALID_ARGS") as read:
            files.read_file(path)
        with refused("INVALID_ARGS"):
            files.write_file(path, "text")
        assert f'list_files("{folder / path}")' in read.hints[0]
    assert list((folder / "notes").iterdir()) == []


def test_a_file_is_no_folder(files: Files, folder: Path) -> None:
    (folder / "a.txt").write_text("hello")

    with refused("INVALID_ARGS") as failure:
        files.list_files("a.txt")
    for call in (files.read_file, files.list_files, lambda path: files.write_file(path, "")):
        with refused("INVALID_ARGS"):
            call("a.txt/b.txt")

    assert failure.message == f"{folder}/a.txt is a file, not a folder."
    assert (folder / "a.txt").read_text() == "hello"


# Writing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("", "0 characters, 0 lines"),
        ("x", "1 character, 1 line"),
        ("two\nlines\n", "10 characters, 2 lines"),
        ("a\r\nb", "4 characters, 2 lines"),
        ("Größe 5 €\n\n", "11 characters, 2 lines"),
        ("x" * 1_234_567, "1,234,567 characters, 1 line"),
    ],
)
def test_what_is_written_is_there_and_told(text: str, size: str, files: Files, folder: Path) -> None:
    assert files.write_file("a.txt", text) == f"Created {folder}/a.txt: {size}."
    assert (folder / "a.txt").read_bytes() == text.encode()
    assert files.write_file("a.txt", text) == f"Replaced {folder}/a.txt: {size}."
    assert [file.name for file in folder.iterdir()] == ["a.txt"]


def test_missing_folders_are_made_the_allowed_one_among_them(folder: Path) -> None:
    files = Files([folder / "later"])

    files.write_file("deep/er/a.txt", "hello")

    assert (folder / "later/deep/er/a.txt").read_text() == "hello"


def test_a_new_file_has_the_permissions_that_any_has(files: Files, folder: Path) -> None:
    (folder / "other.txt").touch()

    files.write_file("a.txt", "hello")

    assert (folder / "a.txt").stat().st_mode == (folder / "other.txt").stat().st_mode


def test_a_replaced_file_keeps_its_permissions_and_its_owner(files: Files, folder: Path) -> None:
    script = folder / "run.sh"
    script.write_text("old")
    if os.geteuid() == 0:
        os.chown(script, 1234, 1235)
    script.chmod(0o751)
    before = script.stat()

    files.write_file("run.sh", "new")

    after = script.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert script.read_text() == "new"


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(files: Files, folder: Path) -> None:
    (folder / "real.txt").write_text("old")
    (folder / "link.txt").symlink_to("real.txt")

    assert files.write_file("link.txt", "new").startswith(f"Replaced {folder}/real.txt")

    assert (folder / "link.txt").is_symlink()
    assert (folder / "real.txt").read_text() == "new"


def test_a_path_of_a_folder_is_not_written(files: Files, folder: Path) -> None:
    with refused("INVALID_ARGS"):
        files.write_file("notes/", "text")
    assert list(folder.iterdir()) == []


def test_a_text_that_utf8_cannot_hold_is_refused(files: Files, folder: Path) -> None:
    with refused("INVALID_ARGS") as failure:
        files.write_file("a.txt", "ab\ud800")

    assert "character 2 is half of a surrogate pair" in failure.message
    assert list(folder.iterdir()) == []


@pytest.mark.usefixtures("processes")
def test_on_a_full_disk_only_the_old_file_stays(folder: Path) -> None:
    """A limit on the size of files is the full disk of one process."""
    (folder / "a.txt").write_text("old")
    code = """
import pathlib, resource, signal, sys
from toolbelt.tools.files import Files
from world_model import ToolFailure
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    Files([pathlib.Path(sys.argv[1])]).write_file("a.txt", "x" * 100_000)
except ToolFailure as failure:
    print(failure.code, failure.message)
"""
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True, timeout=CAP_S)

    assert done.stdout == f"TOOL_ERROR {folder}/a.txt cannot be used: File too large.\n"
    assert [file.name for file in folder.iterdir()] == ["a.txt"]
    assert (folder / "a.txt").read_text() == "old"


WRITER = """
import pathlib, sys
from toolbelt.tools.files import Files
files = Files([pathlib.Path(sys.argv[1])])
print("ready", flush=True)
while True:
    for letter in "ab":
        files.write_file("a.txt", letter * 3_000_000)
"""


@pytest.mark.usefixtures("processes")
def test_a_killed_writer_leaves_the_old_or_the_new_file(folder: Path, files: Files) -> None:
    for _ in range(3):
        command = [sys.executable, "-c", WRITER, str(folder)]
        with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE) as writer:
            assert writer.stdout
            assert writer.stdout.readline() == b"ready\n"
            while not (folder / "a.txt").exists():
                assert writer.poll() is None
                time.sleep(0.01)
            for _ in range(20):  # it writes on meanwhile
                assert files.read_file("a.txt") in {"a" * 3_000_000, "b" * 3_000_000}
            writer.kill()
        assert files.read_file("a.txt") in {"a" * 3_000_000, "b" * 3_000_000}


def test_of_several_writers_one_text_is_there_whole(files: Files, folder: Path) -> None:
    texts = [str(number) * 100_000 for number in range(8)]

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda text: files.write_file("deep/er/a.txt", text), texts))

    assert all(str(folder / "deep/er/a.txt") in one for one in told)
    assert (folder / "deep/er/a.txt").read_text() in texts
    assert [file.name for file in (folder / "deep/er").iterdir()] == ["a.txt"]


AS_NOBODY = """
import os, pathlib, sys
from toolbelt.tools.files import Files
from world_model import ToolFailure
folder = pathlib.Path(sys.argv[1])
if os.geteuid() == 0:
    os.chown(folder, 65534, 65534)
    os.setgid(65534)
    os.setuid(65534)
os.chdir(folder)
(folder / "mine.txt").write_text("old")
(folder / "mine.txt").chmod(0o444)
(folder / "hidden.txt").write_text("old")
(folder / "hidden.txt").chmod(0)
(folder / "closed").mkdir()
(folder / "closed" / "a.txt").write_text("old")
(folder / "closed").chmod(0)
files = Files([pathlib.Path(".").absolute()])
for call in (
    lambda: files.write_file("mine.txt", "new"),
    lambda: files.read_file("hidden.txt"),
    lambda: files.list_files("closed"),
    lambda: files.write_file("closed/a.txt", "new"),
):
    try:
        print("done", call())
    except ToolFailure as failure:
        print(failure.code, failure.message.rpartition("/")[2])
(folder / "closed").chmod(0o700)
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user can get to, as not to those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@pytest.mark.usefixtures("processes")
def test_permissions_are_kept_to(open_folder: Path) -> None:
    command = [sys.executable, "-c", AS_NOBODY, str(open_folder)]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False, timeout=CAP_S)

    assert done.stdout.splitlines() == [
        "PERMISSION_DENIED mine.txt may be read, but not written.",
        "PERMISSION_DENIED hidden.txt cannot be used: Permission denied.",
        "PERMISSION_DENIED closed cannot be used: Permission denied.",
        "PERMISSION_DENIED a.txt cannot be used: Permission denied.",
    ], done.stderr
    assert (open_folder / "mine.txt").read_text() == "old"


# Listing -----------------------------------------------------------------------------------------------------------


def test_a_folder_is_listed_folders_first(files: Files, folder: Path) -> None:
    for name in ("zoo", "Area"):
        (folder / name).mkdir()
    (folder / "b.txt").write_text("hello")
    (folder / "A.txt").write_text("x")
    (folder / ".hidden").write_text("")
    (folder / "link").symlink_to("b.txt")
    os.mkfifo(folder / "pipe")

    listed = files.list_files()

    assert listed.data == [
        {"name": "Area", "kind": "folder"},
        {"name": "zoo", "kind": "folder"},
        {"name": ".hidden", "kind": "file", "size": 0},
        {"name": "A.txt", "kind": "file", "size": 1},
        {"name": "b.txt", "kind": "file", "size": 5},
        {"name": "link", "kind": "link"},
        {"name": "pipe", "kind": "special"},
    ]
    assert listed.text.splitlines() == [
        f"In {folder}:",
        "Area/",
        "zoo/",
        ".hidden (0 bytes)",
        "A.txt (1 byte)",
        "b.txt (5 bytes)",
        "link (link)",
        "pipe (special)",
    ]
    assert use(files, "list_files", path=".").data == listed.data


def test_an_empty_folder_is_told_as_empty(files: Files, folder: Path) -> None:
    listed = files.list_files(str(folder))

    assert (listed.text, listed.data) == (f"{folder} is empty.", [])


def test_of_very_many_files_some_are_listed_and_the_rest_counted(files: Files, folder: Path) -> None:
    for number in range(MAX_ENTRIES + 1234):
        (folder / f"{number:06}").touch()

    listed = files.list_files()

    assert [one["name"] for one in listed.data] == [f"{number:06}" for number in range(MAX_ENTRIES)]
    assert listed.text.endswith("\nand 1,234 more")


def test_a_name_that_is_no_text_is_spelled_out(files: Files, folder: Path) -> None:
    (Path(os.fsdecode(os.fsencode(folder) + b"/f\xfcr"))).touch()
    (folder / "two\nlines").touch()
    (folder / "größe").touch()

    listed = files.list_files()

    assert [one["name"] for one in listed.data] == ["f\\xfcr", "größe", "two\\nlines"]
    listed.text.encode()
    with refused("FILE_NOT_FOUND") as failure:
        files.read_file("fur")
    " ".join(failure.hints).encode()


def test_the_tools_are_these() -> None:
    told = {one.name: (one.risk, one.signature) for one in tools_of(Files([Path()]))}

    assert told == {
        "read_file": ("look", "read_file(path: string)"),
        "write_file": ("write", "write_file(path: string, text: string)"),
        "list_files": ("look", 'list_files(path: string = ".")'),
    }
