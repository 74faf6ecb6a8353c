"""Private files are closed in every folder: keys, passwords, sessions, and what was typed at a shell."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from toolbelt.tools.files import Files
from toolbelt.tools.sandbox.private_files import is_private, private_paths
from world_model import ToolFailure

PRIVATE: Final = [
    *(
        ".ssh/id_rsa",
        ".ssh/config",
        ".ssh/known_hosts",
        "backup/.ssh/authorized_keys",
        "id_ed25519",
        ".gnupg/secring.gpg",
    ),
    *(
        ".netrc",
        ".pgpass",
        ".my.cnf",
        ".git-credentials",
        ".config/gh/hosts.yml",
        "server.pem",
        "client.p12",
        "site.ppk",
    ),
    *(
        ".aws/credentials",
        ".azure/accessTokens.json",
        ".config/gcloud/credentials.db",
        ".kube/config",
        ".docker/config.json",
    ),
    *(".npmrc", ".pypirc", ".cargo/credentials.toml", ".terraform.d/credentials.tfrc.json", ".vault-token"),
    *(".env", ".env.local", "project/.env.production", "prod.env", ".envrc", "deploy/secrets.yml", "credentials.json"),
    *("passwords.kdbx", ".password-store/bank.gpg", ".local/share/keyrings/login.keyring", "x/keyring_pass.cfg"),
    *(".local/share/python_keyring/keyring_pass.cfg", ".bitcoin/wallet.dat", ".local/share/kwalletd/kdewallet.kwl"),
    *(
        ".mozilla/firefox/a.default/logins.json",
        ".config/google-chrome/Default/Login Data",
        ".config/chromium/Local State",
    ),
    *(".thunderbird/x/key4.db", ".config/BraveSoftware/x", "snap/firefox/common/x", "profile/cookies.sqlite"),
    *(
        ".bash_history",
        ".zsh_history",
        ".python_history",
        ".local/share/fish/fish_history",
        ".lesshst",
        ".psql_history",
    ),
    *(".SSH/ID_RSA", "Passwords.KDBX"),
    *("server.key", "office.ovpn", ".authinfo", ".vnc/passwd", ".viminfo", "passwords.csv", "Chrome Passwords.csv"),
    *(".claude/.credentials.json", ".config/age/keys.txt", "prod.env.local", "run/secrets/db", "prod.tfvars"),
    *(
        ".env~",
        ".netrc~",
        ".bash_history.bak",
        "id_rsa.old",
        "vault.kdbx.orig",
        ".ssh.bak/x",
        ".pgpass.save",
        ".aws.old/x",
    ),
]
ORDINARY: Final = [
    *(
        "notes.txt",
        "history.txt",
        "environment.md",
        "ssh.txt",
        "docs/keys.md",
        ".env.example",
        "cookies.txt",
        "key.txt",
    ),
    *("config.json", "docker/config.json", ".config/mousepad/settings", "Documents/aws.docx", "history/2025.csv"),
    *("password-policy.pdf", "My Passwords and how to choose them.txt", ".bashrc", "image.png", "public/keys/readme"),
    *("notes.txt~", "letter.bak", ".env.example.bak", "keys.txt", "monkey.txt", "keyboard.md"),
]


@pytest.mark.parametrize("name", PRIVATE)
def test_a_private_file_is_neither_read_listed_nor_written(name: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("the key")
    (tmp_path / "plain.txt").symlink_to(tmp_path / name)
    files = Files([tmp_path])

    calls: list[Callable[[], object]] = [
        lambda: files.read_file(name),
        lambda: files.list_files(name),
        lambda: files.write_file(name, "mine"),
    ]
    calls += [lambda: files.read_file("plain.txt"), lambda: files.read_file(str(tmp_path / name))]
    for call in calls:
        with pytest.raises(ToolFailure, match="is private") as refused:
            call()
        assert refused.value.code == "PERMISSION_DENIED"
    assert (tmp_path / name).read_text() == "the key"


@pytest.mark.parametrize("name", ORDINARY)
def test_other_files_are_used_as_before(name: str, tmp_path: Path) -> None:
    files = Files([tmp_path])

    files.write_file(name, "mine")

    assert files.read_file(name) == "mine"


def test_a_private_folder_stays_closed_if_it_is_the_allowed_one(tmp_path: Path) -> None:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "config").write_text("Host *")

    with pytest.raises(ToolFailure, match="is private"):
        Files([tmp_path / ".ssh"]).read_file("config")


@pytest.mark.parametrize(
    "name", ["/proc/self/environ", "/etc/shadow", r"C:\Users\ada\AppData\Roaming\Mozilla\Firefox\x"]
)
def test_private_files_of_the_system_are_known(name: str) -> None:
    assert is_private(name)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cp ~/.ssh/id_rsa /tmp", ["~/.ssh/id_rsa"]),
        ("cat '.env'", [".env"]),
        ('{"path": "/home/a/.netrc"}', ["/home/a/.netrc"]),
        ("It is in ~/.aws/credentials.", ["~/.aws/credentials"]),
        ("Accept all cookies", []),
        ("Copy notes.txt to /tmp", []),
    ],
)
def test_private_files_are_found_in_a_text(text: str, found: list[str]) -> None:
    assert private_paths(text) == found
