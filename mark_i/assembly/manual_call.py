"""The tools of a profile, to list them or to call one by hand, for the command line and the window."""

import contextlib
import tempfile
from collections.abc import Callable
from pathlib import Path

from mark_i.assembly.compose import tools_for
from mark_i.assembly.desktops import OwnDesktop, desktop_for, opened
from mark_i.assembly.run_config import RunConfig
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.catalog import builtin_tools, desktop_tools
from mark_i.config.api_keys import Keys
from mark_i.config.paths import tools_folder
from mark_i.config.portal_token import PortalToken
from mark_i.extras import EXTRAS
from mark_i.plugins.tools import Plugins
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.perception import Eyes, Masks
from toolbelt.standard import add_desktop_tools
from toolbelt.tool import declared
from toolbelt.tools import Web
from world_model import Action, Observation, Size


class ProfileTools:
    """Every tool of a profile, including those that are switched off.

    Attributes:
        toolbelt: the tools, those of plugins last.
        plugins: the sources of plugin tools, and what is wrong with any of them.
        desktop: the names of the tools that a run has only with a desktop.
        missing_extras: the extra that is not installed, by the name of each tool that needs it.
    """

    def __init__(self, profile: str) -> None:
        self._profile = profile
        self.toolbelt: Toolbelt = builtin_tools()
        self.plugins = Plugins(tools_folder(profile))
        self.desktop = frozenset(tool.name for tool in desktop_tools())
        web = () if EXTRAS["web"].installed else declared(Web)
        self.missing_extras: dict[str, str] = {tool.name: "web" for tool in web}

    def refresh(self) -> list[str]:
        """Reload changed plugins, and return what is newly wrong with any.

        Raises:
            UsageError: the folder of the plugins cannot be read.
        """
        return self.plugins.refresh(self.toolbelt)

    def use(
        self, action: Action, control: Control, virtual: Size | None, masks: Masks, tell: Callable[[str], None]
    ) -> Observation:
        """Call one tool, once; open a desktop if it needs one.

        Args:
            action: points are physical pixels of the whole desktop.
            control: stops the call.
            virtual: the size of a virtual desktop; None for the user's own.
            masks: of that desktop.
            tell: receives a notice if another desktop is used than was asked for.

        Raises:
            DesktopError: there is no desktop, or it was lost.
            Halt: it was stopped.
        """
        with contextlib.ExitStack() as stack:
            work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mark-i-")))
            config = RunConfig(OfflineBrain(), profile=self._profile, tavily_key=Keys(self._profile).get("tavily"))
            toolbelt = stack.enter_context(tools_for(None, control, work, config))
            toolbelt.add(*self.plugins.sources)
            if action.tool in self.desktop:
                size, notice = desktop_for(virtual)
                if notice:
                    tell(notice)
                known = self.toolbelt.known(action.tool)
                own = OwnDesktop(PortalToken(self._profile), tell, known is not None and known.risk == "look")
                desktop = stack.enter_context(opened(size, control, own=own))
                stack.callback(desktop.release)
                add_desktop_tools(toolbelt, Eyes(desktop, control, masks))
            return toolbelt.call(action, control).observation
