"""The threads that read, make, change and check skills, so that the window never waits for them."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PIL import Image

from gui.kit.work_thread import WorkThread, describe_bug
from gui.skills_page.catalog import SkillEntry, asked, suggested_name
from gui.skills_page.model import (
    CheckEnded,
    EditingLeft,
    PicturesRead,
    Proposal,
    ProposalFailed,
    ProposalMade,
    ReplayEnded,
    RowsRead,
    SkillDeleted,
    SkillExported,
    SkillSaved,
    SkillsFailed,
    SkillsMessage,
    SkillsRead,
    TextRead,
    TextRefused,
)
from mark_i import Control
from mark_i.config import DEFAULT_PROFILE, runs_folder, skills_folder
from mark_i.runs import find_run
from world_model import Halt, MarkIError, UsageError

if TYPE_CHECKING:
    from mark_i.skills import Parameter

STOPPED: Final = "The check was stopped. The skill is as it was."


class SkillsThread:
    """The skills of a profile. `put` is called on its threads."""

    def __init__(self, put: Callable[[SkillsMessage], None], profile: str = DEFAULT_PROFILE) -> None:
        self._put, self._profile = put, profile
        self._thread = WorkThread("skills", lambda message: put(SkillsFailed(message)))
        # A long run takes half a minute to compile.
        self._compiler = WorkThread("compiler", lambda message: put(SkillsFailed(message)))
        self._control = Control()
        self._check: threading.Thread | None = None
        self._began_s = 0.0

    @property
    def alive(self) -> bool:
        """Whether a skill is still being checked."""
        return self._check is not None and self._check.is_alive()

    @property
    def seconds(self) -> float:
        """How long the newest check has taken so far."""
        return time.monotonic() - self._began_s

    def look(self) -> None:
        """Read the skills."""
        self._thread.begin(self._look)

    def show_pictures(self, name: str) -> None:
        """Read the pictures of the steps of a skill."""
        self._thread.begin(partial(self._show_pictures, name))

    def propose(self, run: str) -> None:
        """Compile a run."""
        self._compiler.begin(partial(self._propose, run))

    def save(self, proposal: Proposal, name: str, parameters: Sequence["Parameter"]) -> None:
        """Save a proposal under a name, with these parameters."""
        self._thread.begin(partial(self._save, proposal, name, parameters))

    def read_text(self, name: str) -> None:
        """Read the file of a skill, to edit it."""
        self._thread.begin(partial(self._read_text, name))

    def write_text(self, name: str, text: str) -> None:
        """Write the edited file of a skill, if it has no fault."""
        self._thread.begin(partial(self._write_text, name, text))

    def read_rows(self, name: str, file: Path, given: Mapping[str, str], *, virtual: bool) -> None:
        """Read the rows of a table, which a skill is to be done for; what a row does not say is `given`."""
        self._thread.begin(partial(self._read_rows, name, file, given, virtual))

    def export(self, name: str, folder: Path) -> None:
        """Export a skill into a new folder in this one."""
        self._thread.begin(partial(self._export, name, folder))

    def delete(self, name: str) -> None:
        """Delete a skill permanently."""
        self._thread.begin(partial(self._delete, name))

    def check(self, name: str) -> None:
        """Check a skill; `CheckEnded` comes last, whatever happens."""
        self._control, self._began_s = Control(), time.monotonic()
        self._check = threading.Thread(target=self._checked, args=(name, self._control), name="check", daemon=True)
        self._check.start()

    def stop_check(self) -> None:
        """Stop the check."""
        self._control.stop()

    def close(self) -> None:
        """Start nothing more."""
        self.stop_check()
        self._thread.close()
        self._compiler.close()

    def _look(self) -> None:
        from mark_i.skills import names_of, skill_named  # noqa: PLC0415 - on this thread, as below

        entries = []
        for name in names_of(self._profile):
            try:
                skill, _folder = skill_named(self._profile, name)
            except UsageError as error:
                entries.append(SkillEntry(name, "fault", self._brief(str(error), name)))
            else:
                entries.append(SkillEntry(name, skill.state, skill.why, skill))
        self._put(SkillsRead(tuple(entries)))

    def _brief(self, message: str, name: str) -> str:
        """Return a message about a skill without the folder of its file, which the page shows by its name."""
        return message.replace(f"{skills_folder(self._profile) / name}/", "")

    def _show_pictures(self, name: str) -> None:
        from mark_i.skills import skill_named  # noqa: PLC0415

        skill, folder = skill_named(self._profile, name)
        files = {file for step in skill.steps for file in step.pictures.values()}
        pictures = {}
        for file in files:
            try:
                with Image.open(folder / file) as picture:
                    pictures[file] = picture.convert("RGB")
            except OSError as error:  # one that cannot be drawn hides no others
                self._put(SkillsFailed(f"{folder / file} cannot be read: {error}"))
        self._put(PicturesRead(name, pictures))

    def _propose(self, run: str) -> None:
        from mark_i.skills import compiled, names_of  # noqa: PLC0415

        try:
            made = compiled(find_run(runs_folder(self._profile), run), "skill")
            name = suggested_name(made.plain.goal, names_of(self._profile))
            pictures = {file: Image.fromarray(pixels) for file, pixels in made.pictures.items()}
            self._put(ProposalMade(Proposal(run, name, made, pictures)))
        except MarkIError as error:
            self._put(ProposalFailed(run, str(error)))
        except Exception as error:  # noqa: BLE001 - a bug: shown and printed in full, and the page waits for it no longer
            self._put(ProposalFailed(run, describe_bug(error)))

    def _save(self, proposal: Proposal, name: str, parameters: Sequence["Parameter"]) -> None:
        from mark_i.skills import new_folder, write_skill  # noqa: PLC0415

        skill = proposal.compiled.named(name, parameters)
        write_skill(skill, new_folder(self._profile, name), proposal.compiled.pictures)
        self._look()
        self._put(SkillSaved(name))

    def _read_text(self, name: str) -> None:
        from mark_i.skills import FileFault, folder_of, read_text, skill_in  # noqa: PLC0415

        folder = folder_of(self._profile, name)
        text = read_text(folder)
        try:
            skill_in(text, folder)
        except FileFault as error:
            self._put(TextRead(name, text, self._brief(str(error), name), error.line))
        else:
            self._put(TextRead(name, text))

    def _write_text(self, name: str, text: str) -> None:
        from mark_i.skills import FileFault, folder_of, write_edited  # noqa: PLC0415

        try:
            write_edited(text, folder_of(self._profile, name))
        except FileFault as error:
            self._put(TextRefused(self._brief(str(error), name), error.line))
        else:
            self._look()
            self._put(EditingLeft())

    def _read_rows(self, name: str, file: Path, given: Mapping[str, str], virtual: bool) -> None:  # noqa: FBT001
        from mark_i.skills import rows_of, skill_named  # noqa: PLC0415

        skill, _folder = skill_named(self._profile, name)
        self._put(RowsRead(tuple(asked(skill, {**given, **row}) for row in rows_of(file)), virtual))

    def _export(self, name: str, folder: Path) -> None:
        from mark_i.skills import export_skill, skill_named  # noqa: PLC0415

        skill, source = skill_named(self._profile, name)
        export_skill(skill, source, folder / name)
        self._put(SkillExported(name, str(folder / name)))

    def _delete(self, name: str) -> None:
        from mark_i.skills import delete_skill  # noqa: PLC0415

        delete_skill(self._profile, name)
        self._put(SkillDeleted(name))

    def _checked(self, name: str, control: Control) -> None:
        from mark_i.skills import judged, replays, skill_named, write_skill  # noqa: PLC0415

        failure = ""
        try:
            skill, folder = skill_named(self._profile, name)
            done = []
            for one in replays(skill, self._profile, control):
                done.append(one)
                self._put(ReplayEnded(one.values, one.true, one.told))
            write_skill(judged(skill, done), folder)
        except Halt:
            failure = STOPPED
        except MarkIError as error:
            failure = str(error)
        except Exception as error:  # noqa: BLE001 - a bug: shown and printed in full, and the window lives on
            failure = describe_bug(error)
        finally:
            self.look()
            self._put(CheckEnded(failure))
