from .brain_choice import DefaultBrain as DefaultBrain, default_brain as default_brain, planner as planner
from .conversation import Conversation as Conversation
from .desktops import OwnDesktop as OwnDesktop, desktop_for as desktop_for, opened as opened
from .manual_call import ProfileTools as ProfileTools
from .resolve import laid_over as laid_over, run_config_from as run_config_from
