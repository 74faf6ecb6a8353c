from .desktops import desktop_for as desktop_for, opened as opened
from .manual_call import ProfileTools as ProfileTools
from .resolve import laid_over as laid_over, planner as planner, run_config_from as run_config_from
