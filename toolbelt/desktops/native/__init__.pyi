from .desktop import NativeDesktop as NativeDesktop
