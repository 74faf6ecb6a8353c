from .desktop import PACKAGES as PACKAGES
from .kept import KeptDesktop as KeptDesktop
from .vnc import VncServer as VncServer
