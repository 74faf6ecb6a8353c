"""The Agent page: the goal, and the run that pursues it, which the page starts, controls and shows."""

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from gui.agent_page.attach_row import listed
from gui.agent_page.callbacks import AgentCallbacks
from gui.agent_page.conversation_thread import ConversationThread
from gui.agent_page.dropped_files import accept_files
from gui.agent_page.goal_bar import GoalBar, GoalCallbacks
from gui.agent_page.leaving_question import LeavingQuestion
from gui.agent_page.run_buttons import RunCallbacks
from gui.agent_page.run_follower import FollowCallbacks, RunFollower
from gui.agent_page.talk_strip import TalkStrip
from gui.kit.style import BACKGROUND, EDGE_PX, GAP_PX
from gui.kit.texts import tk_safe
from gui.log.panel import EXAMPLE, PanelCallbacks
from gui.log.run_view import RunView
from gui.log.welcome import WelcomeCallbacks
from gui.request.body import RequestCallbacks
from gui.request.card import RequestCard
from gui.run.choices import Choices
from gui.run.mends import Mend
from gui.run.messages import (
    Answered,
    ClockTicked,
    ControlRequest,
    ControlRequested,
    ConversationBegun,
    Decided,
    GoalMissing,
    Message,
    QuestionKept,
    RunStarted,
    Spoken,
    SpokenLate,
    StopRequested,
    WordMissing,
    WorkflowChosen,
    WorkflowUnreadable,
)
from gui.run.requests import PendingApproval, PendingRequest
from gui.run.state import Card, NoticeCard, PersonCard, RunState
from gui.run.update import reduce
from gui.run.view import TabChosen
from gui.run.workflow_graph import drawing_of
from gui.settings_page.fields import brains
from gui.settings_page.model import SettingsRead
from gui.toolkit import ctk
from mark_i import Event
from mark_i.control_words import control_word
from world_model import UsageError

if TYPE_CHECKING:
    from gui.agent_page.run_thread import RunRequest, RunThread
    from gui.agent_page.skill_rows import SkillRows
    from gui.run.skill_goal import SkillGoal

CONTINUES: Final = (
    "Your next goal continues this run. A virtual desktop is a new one: programs that were open then are closed."
)
ALONE: Final = "This run followed on another one. Now it begins without what that one said, opened and changed."


class AgentPage(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Holds the state of at most one run; `handle` changes it, `draw` shows it; `leaving` guards its desktop."""

    def __init__(
        self, window: ctk.CTk, room: tuple[int, int], profile: str, chosen: Choices, callbacks: AgentCallbacks
    ) -> None:
        super().__init__(window, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(2, weight=1)
        self.state = RunState()
        self._profile, self._preferred, self._callbacks = profile, chosen, callbacks
        self._thread: RunThread | None = None
        self._started_s = 0.0
        self._closing = False
        self._goal, self._files = "", tuple[str, ...]()  # of the newest run
        self._rows: SkillRows | None = None  # those that a skill is being done for
        buttons = RunCallbacks(self.run, self.stop, self.toggle_pause, self.step)
        self._conversation = ConversationThread(profile)
        left = self._conversation
        self.leaving = LeavingQuestion(
            self,
            left.unsaved,
            lambda: None if self.state.running else left.close_windows(),
            self.take_focus,
            callbacks.show,
        )
        begin = partial(self.leaving.leave, self.begin_conversation)
        self._bar = GoalBar(self, chosen, GoalCallbacks(buttons, self.show_workflow, begin))
        self._talk = TalkStrip(self)
        asking = RequestCallbacks(
            self._reply, self._send_reply, lambda: self._bar.goal, self._bar.focus_goal, self._show_picture
        )
        self._request = RequestCard(self, asking)  # Tab comes to it before the log
        self._run = RunView(self, room, PanelCallbacks(self._bar.use, self._mend, callbacks.make_skill))
        self._kept: PendingRequest | None = None  # what Esc has left open
        self._follower = RunFollower(window, self._run, self._follow_callbacks())
        self._bar.grid(row=0, column=0, sticky="nsew")
        self._talk.grid(row=1, column=0, sticky="ew")
        self._talk.grid_remove()
        self._run.grid(row=2, column=0, sticky="nsew")
        self._request.grid(row=3, column=0, sticky="nsew", padx=EDGE_PX, pady=(0, GAP_PX))
        self._request.grid_remove()
        self.leaving.grid(row=4, column=0, sticky="ew", padx=EDGE_PX, pady=(0, GAP_PX))
        self.leaving.grid_remove()
        self.after_idle(accept_files, self, self._bar)

    @property
    def alive(self) -> bool:
        """Whether a run still holds anything."""
        return self._thread is not None and self._thread.alive

    def run(self) -> None:
        """Start a run with what the goal bar says; while one goes on, say that to it."""
        self.leaving.drop()
        if self.state.running:
            self._say()
            return
        if not self._bar.goal:
            self.show(GoalMissing())
            self._bar.focus_goal()
            return
        if self._begin(self._bar.goal, self._bar.files):
            self._bar.clear()

    def run_demo(self) -> None:
        """Run the demo on a virtual desktop, in the live view."""
        from gui.agent_page.demo_run import demo_request  # noqa: PLC0415 - as above

        if not self.state.running and (request := demo_request()):
            self.begin_conversation()
            self.show(WorkflowChosen(None))
            self._start(request)
            self._bar.clear()
            self.show(TabChosen("Live"))

    def run_skill(self, goals: "Sequence[SkillGoal]", *, virtual: bool) -> None:
        """Do a skill in a conversation of its own, once for each of these."""
        from gui.agent_page.skill_rows import SkillRows  # noqa: PLC0415 - the window starts without the agent

        if not self.state.running:
            self.begin_conversation()
            self.show(WorkflowChosen(None))
            self._rows = SkillRows(goals, virtual=virtual)
            self._next_row()

    def begin_conversation(self) -> None:
        """Leave the conversation, and its desktop."""
        if not self.state.running:
            self._conversation.begin()
            self.show(ConversationBegun())
            self._bar.focus_goal()

    def go_on(self, run: str, goal: str, chosen: Choices, cards: tuple[Card, ...]) -> None:
        """Let the next run follow on a past one, made as that was; what it showed is shown."""
        if not self.state.running:
            self._conversation.begin(run)
            self.show(ConversationBegun((PersonCard(tk_safe(goal)), *cards, NoticeCard(CONTINUES))))
            self._bar.choose(chosen)
            self._bar.focus_goal()

    def run_again(self, goal: str, chosen: Choices, *, follows: bool) -> None:
        """Start a run as an earlier one was started, in a conversation of its own; what is chosen here stays."""
        if not self.state.running:
            self.begin_conversation()
            if follows:
                self.show(ConversationBegun((NoticeCard(ALONE),)))
            if not self._begin(goal, (), chosen):
                self._bar.use(goal)
                self._bar.choose(chosen)

    def stop(self) -> None:
        """Stop the run, if there is one."""
        if self._thread and self.state.running:
            self._thread.stop()
            self.show(StopRequested())

    def toggle_pause(self) -> None:
        """Pause the run, or resume it."""
        self._control("resume" if "resume" in self.state.allowed_requests else "pause")

    def step(self) -> None:
        """Let a paused run do one step."""
        self._control("step")

    def show_workflow(self, name: str | None) -> bool:
        """Read and show the workflow of that name.

        Returns:
            Whether a run can start: the workflow was read, or none is wanted.
        """
        try:
            self.show(WorkflowChosen(drawing_of(name, self._profile) if name else None))
        except UsageError as error:
            self.show(WorkflowUnreadable(str(error)))
            return False
        return True

    def prefer(self, settings: SettingsRead | None) -> None:
        """Offer and choose what the settings say; a run that is going on keeps what it has."""
        if settings is None or self.state.running:
            return
        saved = settings.settings
        was, self._preferred = self._preferred, Choices(settings.brain, saved.workflow, saved.style)
        self._bar.offer(brains(saved, settings.kept))
        self._bar.prefer(was, self._preferred)

    def take_focus(self) -> None:
        """Put the caret into the goal."""
        self._bar.focus_goal()

    def keep_question(self) -> bool:
        """Keep what is asked open at a first Esc, which may be meant for something else; the second stops the run.

        Returns:
            Whether that was so. What comes up while somebody presses Esc is not what it was meant for.
        """
        pending = self.state.pending
        if self._request.shrink():
            return True
        if pending is None or pending is self._kept or not self._request.quiet:
            return False
        self._kept = pending
        self.show(QuestionKept())
        return True

    def leave_search(self) -> bool:
        """Close the search in the log.

        Returns:
            Whether it was open.
        """
        return self._run.leave_search()

    def fit(self, width: int, height: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._bar.fit(width, height)
        self._talk.fit(width)
        self._run.fit(width, height)
        self._request.fit(width - 2 * EDGE_PX, height)
        self.leaving.fit(width - 2 * EDGE_PX)
        self._follower.fit(width)

    def show(self, message: Message) -> None:
        """Handle a message and draw at once."""
        self.handle(message)
        self.draw()

    def handle(self, message: Message) -> None:
        """Update the state; many messages may come before the next drawing."""
        was, self.state = self.state, reduce(self.state, message)
        if self._rows and self.state.ended and not was.ended:
            outcome = message.outcome if isinstance(message, Event) else None
            stopped = was.stopping or (outcome is not None and outcome.name == "stopped")
            self._rows.note(self.state.status, stopped=stopped)
        if was.running != self.state.running:
            self._callbacks.running_changed()
        if self.state.unfinished and not was.ended and not self.state.late and not self._rows:
            self._bar.restore(self.state.changed_goal or self._goal, self._files)
        if was.running and not self.state.running:
            self._next_row()
            self._follow_up()

    def refresh(self) -> None:
        """Update clock and live view, and draw; called many times a second."""
        if self.state.running:
            self.handle(ClockTicked(time.monotonic() - self._started_s))
        self._follower.refresh()
        self.draw()

    def draw(self) -> None:
        """Show the state."""
        self._run.draw(self.state)
        self._follower.draw(self.state)
        self._request.draw(self.state.pending, self._thread.seen if self._thread else None)
        self._bar.draw(self.state, self._request.answered)
        self._talk.draw(self.state)

    def close(self) -> None:
        """Stop the run and watch nothing any longer."""
        self._closing = True
        self.stop()
        self._follower.close()
        self._conversation.close(self._thread.join if self._thread else lambda _seconds: None)

    def _follow_callbacks(self) -> FollowCallbacks:
        welcome = WelcomeCallbacks(lambda: self._bar.use(EXAMPLE), self.run_demo, self._callbacks.open_settings)
        return FollowCallbacks(self.show, self.stop, self.toggle_pause, lambda: self._thread, welcome)

    def _follow_up(self) -> None:
        """Begin with what was said too late for the run that is over; what is being written stays."""
        goal = "\n".join(self.state.late)
        if goal and not self._closing and not self._begin(goal, (), late=True):
            self._bar.restore(goal, ())

    def _next_row(self) -> None:
        """Do a skill for the next row, on a desktop of its own; after the last, tell how all have ended."""
        rows = self._rows
        if rows and not self._closing and not self.state.late and (request := rows.next()):
            self._conversation.begin()
            self._start(request)
            return
        self._rows = None
        if rows and rows.told:
            self.show(Event("notice", 0.0, {"text": rows.told}))

    def _begin(self, goal: str, files: tuple[str, ...], chosen: Choices | None = None, *, late: bool = False) -> bool:
        """Start a run with this goal, made of what is chosen; return whether it could be."""
        chosen = chosen or self._bar.chosen
        if not self.show_workflow(chosen.workflow):  # again: its file may have changed
            return False
        from gui.agent_page.run_thread import RunRequest  # noqa: PLC0415 - the window starts without the agent

        made_of = chosen.brain, chosen.virtual, self.state.workflow, chosen.style, self._bar.preview
        self._start(RunRequest(goal, *made_of, files=files, resumes=control_word(goal) == "resume"), late=late)
        return True

    def _start(self, request: "RunRequest", *, late: bool = False) -> None:
        from gui.agent_page.run_thread import RunThread  # noqa: PLC0415 - as above

        self._started_s = time.monotonic()
        if not (request.resumes and self._goal):  # it goes on with the goal of the run before
            self._goal, self._files = request.goal, request.files
        follows = self.state.conversing
        self.show(RunStarted(request.goal, listed(request.files), follow_up=follows, late=late))
        request = replace(request, profile=self._profile)
        front = self._thread.front if self._thread and follows else None
        self._thread = RunThread(request, self._conversation.current, self._callbacks.put, front)

    def _say(self) -> None:
        text, thread = self._bar.goal, self._thread
        if not thread:
            return
        if self._request.answered and (text or self._request.pointed):
            self._send_reply()
            return
        if not text:
            self.show(WordMissing())
            self._bar.focus_goal()
            return
        late = self.state.stopping or self.state.ended or not thread.say(text)
        self.show(SpokenLate(text) if late else Spoken(text))
        self._bar.clear()

    def _mend(self, mend: Mend) -> None:
        """Repair what ended the newest run, and go on with its goal, which is there again."""
        if self.state.running:
            return
        match mend:
            case "key":
                self._callbacks.open_settings()
            case "model":
                self._bar.focus_brain()
            case "offline":
                self._bar.use_no_model()
                self.run()
            case "again":
                self.run()

    def _send_reply(self) -> None:
        """Reply with a point, and with what is written, as far as that is a reply; to an approval it is a denial."""
        if not self._request.quiet:
            return
        words = self._bar.goal if self._request.answered else ""
        if words:
            self._bar.clear()
        if isinstance(self.state.pending, PendingApproval) and control_word(words) == "stop":
            self.stop()
        elif words or self._request.pointed:
            self._reply(self._request.message(words))

    def _show_picture(self) -> None:
        """Give the picture of what is asked about the room of the log, or take it back."""
        large = self._request.large
        self.grid_rowconfigure(2, weight=0 if large else 1)
        self.grid_rowconfigure(3, weight=1 if large else 0)
        if large:
            self._run.grid_remove()
        else:
            self._run.grid()

    def _control(self, request: ControlRequest) -> None:
        if self._thread and request in self.state.allowed_requests:
            self._thread.control(request)
            self.show(ControlRequested(request))

    def _reply(self, message: Answered | Decided) -> None:
        """Reply to what is asked; the next word goes into the message box."""
        if self._thread and self.state.pending:
            self.show(message)
            self._thread.reply(message)
            self._bar.focus_goal()
