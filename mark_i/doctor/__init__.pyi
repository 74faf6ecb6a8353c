from .prerequisites import Finding as Finding, editor_there as editor_there, survey as survey
