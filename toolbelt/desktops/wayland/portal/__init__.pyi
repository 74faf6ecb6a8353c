from .desktop import (
    PortalDesktop as PortalDesktop,
    check_portal as check_portal,
)
from .session import Token as Token
