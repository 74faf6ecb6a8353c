"""The thread that runs the agent, so that the window never waits for it. Results come back as messages."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from gui.kit.work_thread import describe_bug
from gui.live.input_thread import RemoteInput
from gui.request.screen_crop import Seen
from gui.run.messages import (
    Answered,
    ControlRequest,
    Decided,
    ImagesReady,
    Message,
    RunHalted,
    RunRefused,
    RunReleased,
    SkillOffered,
)
from gui.run.view import DesktopReady
from gui.run.workflow_graph import WorkflowDrawing
from mark_i import DEFAULT_SIZE, Answers, Control, Desktop, Event, agent_for
from mark_i.assembly import Conversation, laid_over, run_config_from
from mark_i.config import DEFAULT_PROFILE, Keys, load
from mark_i.events import Style
from mark_i.guard import Answer, Approval
from mark_i.human import Person, Watcher, Words
from mark_i.runs import checked, shots_of
from mark_i.skills import makes_skill
from toolbelt.tools import Said
from world_model import Frame, Halt, JournalError, MarkIError, ModelError, Region, read_run

RESUME: Final = "Resume (F6) lets it go on."
ROOM_MAX_S: Final = 5.0  # for the window to get out of the way


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a person asked for.

    Attributes:
        virtual: whether the agent gets a desktop of its own.
        workflow: None for the plain loop.
        preview: whether each action needs approval.
        profile: whose run it is.
        files: attached to the goal.
        resumes: whether it goes on with the newest run of the conversation, if that was stopped.
        check: says at the end what came of it, where that can be told from outside.
    """

    goal: str
    brain: str
    virtual: bool
    workflow: WorkflowDrawing | None = None
    style: Style = "default"
    preview: bool = False
    profile: str = DEFAULT_PROFILE
    files: tuple[str, ...] = ()
    resumes: bool = False
    check: Callable[[], str] | None = None


@dataclass(frozen=True, slots=True)
class WindowPerson:
    """The person at the window; `make_way` waits, after each answer, until the window is out of the agent's way."""

    answers: Person
    make_way: Callable[[], None]

    def ask(self, question: str) -> Said | None:
        """Ask a question and wait; None where nobody answers."""
        answer = self.answers.ask(question)
        self.make_way()
        return answer

    def approve(self, asked: Approval) -> Answer | None:
        """Wait for the person's decision; None where nobody answers."""
        answer = self.answers.approve(asked)
        self.make_way()
        return answer


class RunThread:
    """One run, on a thread of its own. `put` is called there, and last with `RunReleased`, whatever happens."""

    def __init__(
        self,
        request: RunRequest,
        conversation: Conversation,
        put: Callable[[Message], None],
        front: Region | None = None,
    ) -> None:
        self._request, self._conversation = request, conversation
        self._put = put
        self._control = Control()
        self._answers = Answers(self._question, self._control)
        self._words = Words()
        self._screen: Frame | None = None
        self._front = front
        self._desktop: Desktop | None = None
        self._input: RemoteInput | None = None
        self._shared = False  # the desktop is the person's own
        self._room = threading.Event()
        # A daemon: a run that does not end must not keep the program alive after the window gave up waiting.
        self._thread = threading.Thread(target=self._work, name="run", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the run still holds anything."""
        return self._thread.is_alive()

    @property
    def seen(self) -> Seen | None:
        """The screen as the agent saw it last; None without one."""
        return Seen(self._screen, self._front) if self._screen else None

    @property
    def front(self) -> Region | None:
        """Where the window in front was after the last step; None if nobody knows."""
        return self._front

    def join(self, seconds: float) -> None:
        """Wait until the run holds nothing any longer."""
        self._thread.join(seconds)

    def stop(self) -> None:
        """Stop the run; it ends at once, and its last messages follow."""
        self._control.stop()
        self._room.set()

    def control(self, requested: ControlRequest) -> None:
        """Pause, resume or step; the person's input is released first."""
        callbacks = {"pause": self._control.pause, "resume": self._control.resume, "step": self._control.step}
        if self._input and requested != "pause":
            remote, self._input = self._input, None
            remote.end(callbacks[requested])
        else:
            callbacks[requested]()

    def remote_input(self) -> RemoteInput:
        """Mouse and keyboard of the agent's desktop, while the run is paused."""
        assert self._desktop is not None  # noqa: S101 - a run that is paused has one
        self._input = self._input or RemoteInput(self._desktop, self._notice)
        return self._input

    def make_room(self) -> None:
        """Tell the run that the window is out of the way, and it may look at the screen."""
        self._room.set()

    def reply(self, message: Answered | Decided) -> None:
        """Pass on what the person said; the run continues once the window is out of its way again."""
        self._room.clear()
        match message:
            case Answered(words, at):
                self._answers.give(words, at)
            case Decided(choice, instead, at):
                self._answers.decide(choice, instead, at)

    def say(self, text: str) -> bool:
        """Say something to the run; return whether it can still hear it."""
        try:
            return self._words.say(text)
        except JournalError as error:
            self._notice(f"This could not be said: {error}")
            return True

    def _work(self) -> None:
        try:
            self._run()
        except Halt:
            self._put(RunHalted())
        except ModelError as error:
            self._put(RunRefused(str(error), cause=error.cause))
        except MarkIError as error:
            self._put(RunRefused(str(error)))
        except Exception as error:  # noqa: BLE001 - a bug: shown and printed in full, and the window lives on
            self._put(RunRefused(describe_bug(error), bug=True))
        finally:
            if self._input:
                self._input.end(lambda: None)
            self._put(RunReleased())

    def _run(self) -> None:
        saved, request, drawing = load(self._request.profile), self._request, self._request.workflow
        chosen = {"brain": request.brain, "style": request.style, "workflow": drawing.name if drawing else None}
        keys = Keys(request.profile)
        resumed = self._conversation.unfinished() if request.resumes else None
        goal = str(resumed.about.get("goal", "")) if resumed else request.goal
        limited = "max_steps" in saved.model_fields_set
        config = run_config_from(laid_over(saved, chosen, resumed), keys, resumed, limited=limited)
        masks = replace(config.masks, own=True)
        workflow, preview = drawing.workflow if drawing else None, self._request.preview
        config = replace(config, masks=masks, workflow=workflow, preview=preview, attached=checked(request.files))
        config = self._conversation.joined(config, DEFAULT_SIZE if request.virtual else None)
        for notice in (*config.notices, *(drawing.complaints if drawing else ())):
            self._notice(notice)
        watcher, person = Watcher(self._notice, lambda: RESUME), WindowPerson(self._answers, self._make_way)
        with agent_for(goal, config, self._control, person, watcher, self._words) as (agent, folder):
            self._announce_desktop(agent.desktop, virtual=config.virtual is not None)
            for event in agent.run(goal):
                self._conversation.run = folder.name  # from now on there is a journal
                if event.outcome and self._request.check:
                    self._notice(self._request.check())
                self._screen = event.screen or self._screen
                # its images are in the journal; none of them waits in a queue
                self._put(replace(event, step=None, screen=None))
                if event.step:
                    shown = event.step.observation.screen
                    self._front = shown.front_after if shown else self._front
                    self._put(ImagesReady(event.step.index, *shots_of(event.step, folder)))
        if makes_skill(read_run(folder, images=False)):
            self._put(SkillOffered(folder.name))

    def _announce_desktop(self, desktop: Desktop | None, *, virtual: bool) -> None:
        """Report where the run works; on the person's own desktop it starts once the window is out of its way."""
        self._desktop = desktop
        if virtual:
            from mark_i import VirtualDesktop  # noqa: PLC0415 - X11's

            assert isinstance(desktop, VirtualDesktop)  # noqa: S101 - asked for as one
            self._put(DesktopReady(desktop.display))
        else:
            self._shared = True
            self._put(DesktopReady(""))
            self._make_way()

    def _make_way(self) -> None:
        """Wait until the window, which may have come up for a question, is gone before the agent looks."""
        if self._shared:
            self._room.wait(ROOM_MAX_S)

    def _question(self, text: str) -> None:
        self._put(Event("notice", 0.0, {"text": text, "question": True}))

    def _notice(self, text: str) -> None:
        self._put(Event("notice", 0.0, {"text": text}))
