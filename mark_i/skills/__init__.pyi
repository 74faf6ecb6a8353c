from .compiling import Compiled as Compiled, compiled as compiled, makes_skill as makes_skill
from .essence import WHY as WHY, Dropped as Dropped
from .exporting import export_skill as export_skill
from .file import (
    FILE as FILE,
    FileFault as FileFault,
    read_text as read_text,
    skill_in as skill_in,
    write_edited as write_edited,
    write_skill as write_skill,
)
from .gate import REPLAYS as REPLAYS, Replayed as Replayed, judged as judged, replays as replays
from .order_words import in_words as in_words, order_of as order_of
from .parameters import parameter as parameter
from .rows import rows_of as rows_of
from .skill import (
    NAME as NAME,
    Parameter as Parameter,
    ParameterType as ParameterType,
    Skill as Skill,
    SkillStep as SkillStep,
    fault as fault,
    filled as filled,
    values_for as values_for,
)
from .store import (
    delete_skill as delete_skill,
    folder_of as folder_of,
    names_of as names_of,
    new_folder as new_folder,
    skill_named as skill_named,
)
