from .person import Person as Person
from .takeover_watch import Watcher as Watcher
from .words import Words as Words
