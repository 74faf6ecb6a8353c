from .desktop import PACKAGES as PACKAGES
