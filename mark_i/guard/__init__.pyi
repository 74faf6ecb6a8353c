from .risk import Answer as Answer, Approval as Approval, Choice as Choice
