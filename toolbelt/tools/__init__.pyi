from .ending import fail as fail, finish as finish, finish_with as finish_with
from .files import Files as Files
from .internet.addresses import site_of as site_of
from .keys import MAX_PRESSES as MAX_PRESSES
from .memory import Memory as Memory
from .people import People as People, Pointed as Pointed, Said as Said, bare_place as bare_place, in_words as in_words
from .python import Python as Python
from .sandbox.private_files import is_private as is_private, private_paths as private_paths
from .thinking import think as think
from .web import Web as Web
from .windows import window_named as window_named
