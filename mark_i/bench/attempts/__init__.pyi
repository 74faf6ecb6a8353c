from .kinds import KINDS as KINDS
from .scene import Attempt as Attempt, Evidence as Evidence, Scene as Scene, command as command
