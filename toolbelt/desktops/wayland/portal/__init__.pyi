from .check import check_portal as check_portal
from .desktop import PortalDesktop as PortalDesktop
from .session import Token as Token
