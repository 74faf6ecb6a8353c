"""The thread that runs the agent, so that the window never waits for it. What happens comes back as messages."""

import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from gui.pictures import shots_of
from gui.state import Halted, Message, Over, Pictured, Refused
from mark_i import DEFAULT_SIZE, Answers, Control, Event, Setting, agent_for, brain_named, desktop_for
from mark_i.settings import load
from toolbelt.masks import Masks
from world_model import Halt, MarkIError, Step


@dataclass(frozen=True, slots=True)
class Job:
    """What a person asked for; `virtual` is whether the agent gets a desktop of its own."""

    goal: str
    brain: str
    virtual: bool
    key: str | None = None


class Worker:
    """One run, on a thread of its own. `put` is called from there, and last with `Over`, whatever happens."""

    def __init__(self, job: Job, put: Callable[[Message], None]) -> None:
        self._job = job
        self._put = put
        self._control = Control()
        self._answers = Answers(put, self._control)
        # A daemon: a run that does not end must not keep the program alive once the window has waited long enough.
        self._thread = threading.Thread(target=self._work, name="run", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the run still holds anything."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """End the run; it is felt at once, and followed by its last messages."""
        self._control.stop()

    def answer(self, text: str) -> None:
        """The person's answer to the question that the agent asked."""
        self._answers.give(text)

    def _work(self) -> None:
        try:
            with ThreadPoolExecutor(1, "pictures") as darkroom:
                self._run(darkroom)
        except Halt:
            self._put(Halted())
        except MarkIError as error:
            self._put(Refused(str(error)))
        except Exception as error:  # noqa: BLE001 - a bug: shown and printed in full, and the window lives on
            traceback.print_exc(file=sys.stderr)
            self._put(Refused(f"{type(error).__name__}: {error} (the terminal has the details)", bug=True))
        finally:
            self._put(Over())

    def _run(self, darkroom: ThreadPoolExecutor) -> None:
        brain = brain_named(self._job.brain, key=self._job.key)
        virtual, told = desktop_for(DEFAULT_SIZE if self._job.virtual else None)
        if told:
            self._put(Event("notice", 0.0, {"text": told}))
        pictures: list[Future[None]] = []
        masks = replace(Masks.parse(load().masks), own=True)
        setting = Setting(brain, virtual, masks=masks)
        with agent_for(self._job.goal, setting, self._control, self._answers.ask) as (agent, _folder):
            for event in agent.run(self._job.goal):
                self._put(event)
                if event.step:
                    pictures.append(darkroom.submit(self._picture, event.step))
        for picture in pictures:
            picture.result()  # raises what went wrong with it

    def _picture(self, step: Step) -> None:
        self._put(Pictured(step.index, *shots_of(step)))
