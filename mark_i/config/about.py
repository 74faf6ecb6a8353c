"""What each setting is for, in one line, and whether most people need it: for `mark-i config` and the window."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

Group = Literal["basic", "advanced"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)


@dataclass(frozen=True, slots=True)
class About:
    """What a person should know of a setting.

    Attributes:
        group: `basic` if most people want to choose it themselves.
        help: what it is for, in one line.
    """

    group: Group
    help: str


ABOUT: Final[Mapping[str, About]] = {
    "brain": About("basic", "The model that plans; without one, the first that has a key, else the offline brain."),
    "reply_brain": About("advanced", "Another model that writes the final answer."),
    "vision_brain": About("advanced", "Another model that describes the screen, for a planner that cannot see."),
    "single_model": About("advanced", "Use one model for everything, whatever reply_brain and vision_brain say."),
    "base_url": About("basic", "The address of a service that is not the vendor's. Save its key as OpenAI's."),
    "coordinates": About("advanced", "How models give a point: in pixels, in parts of the screen, or by marks."),
    "image_detail": About("advanced", "How much of the screen's detail models are sent; less is cheaper."),
    "thinking": About("advanced", "How long a model that can think first may do so; less is faster."),
    "model_seconds": About("advanced", "How long to wait for a reply, in seconds."),
    "workflow": About("advanced", "The workflow that a run follows, in place of the loop."),
    "style": About("advanced", "How the answer is written: in the model's words, or only what tools returned."),
    "max_steps": About("basic", "How many actions a run may take."),
    "max_seconds": About("basic", "How long a run may take, in seconds."),
    "max_tokens": About("advanced", "How many tokens a run may use."),
    "max_cost": About("basic", "How much a run may cost, in US dollars; needs a model whose price is known."),
    "policy": About("advanced", "The file of rules that allow, ask or deny; see docs/safety.md."),
    "masks": About("basic", "Parts of the screen that the agent neither sees nor touches."),
    "tools_off": About("advanced", "Tools that no run has."),
    "hotkey": About("basic", "The keys that stop a run, whatever window is in front."),
    "takeover_idle_seconds": About(
        "advanced", "When a run that you interrupted resumes: after so many seconds without your mouse and keyboard."
    ),
    "observation_chars": About("advanced", "How much of one result the next prompt shows, in characters."),
    "ahead": About("advanced", "How many actions one reply may plan; more is faster and cheaper."),
    "theme": About("basic", "The colours of the window."),
    "scale": About("basic", "The size of texts and buttons in the window, in percent."),
}
