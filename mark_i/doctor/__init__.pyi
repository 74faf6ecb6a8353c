from .model_check import CheckFailure as CheckFailure, ModelCheck as ModelCheck, check_model as check_model
from .prerequisites import Finding as Finding, editor_there as editor_there, survey as survey
