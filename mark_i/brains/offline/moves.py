"""The next step of each longer instruction."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from mark_i.brains.offline import calendar_moves, dragging_moves, field_moves, hidden_moves
from mark_i.brains.offline.instructions import (
    Click,
    ClickResult,
    ClickValue,
    Complete,
    DragBy,
    EnterTime,
    FillAll,
    Highlight,
    InOrder,
    Instruction,
    Path,
    PickDate,
    Rearrange,
    Repeat,
    Resize,
    Scroll,
    Slide,
    Solution,
    SortByDragging,
    Spin,
    Thing,
    TurnTo,
    Type,
    WordAt,
)
from mark_i.brains.offline.seen import Move, Seen

_MOVES: Final[Mapping[type, Callable[[Any, Seen], Move]]] = MappingProxyType(
    {
        ClickResult: hidden_moves.click_result,
        ClickValue: hidden_moves.click_value,
        Complete: field_moves.complete,
        DragBy: dragging_moves.drag_by,
        EnterTime: field_moves.enter_time,
        FillAll: field_moves.fill_all,
        Highlight: dragging_moves.highlight,
        InOrder: hidden_moves.in_order,
        Path: hidden_moves.path,
        PickDate: calendar_moves.pick_date,
        Rearrange: dragging_moves.rearrange,
        Repeat: hidden_moves.repeat,
        Resize: dragging_moves.resize,
        Slide: field_moves.slide,
        SortByDragging: dragging_moves.sort_by_dragging,
        Spin: field_moves.spin,
        TurnTo: hidden_moves.turn_to,
    }
)


def move_for(instruction: Instruction, seen: Callable[[], Seen]) -> Move | None:
    """Return the next step of an instruction that must look first; None for one that need not.

    Args:
        instruction: what is to be done.
        seen: looks; takes time only when it is called.

    Raises:
        SeekError: what it needs is not on the screen.
    """
    if move := _MOVES.get(type(instruction)):
        return move(instruction, seen())
    match instruction:
        case Type(content=WordAt() | Solution()):
            return field_moves.type_sought(instruction, seen())
        case Click(target=Thing(name=None, role="textbox", beside=None, every=False)):
            return field_moves.click_field(instruction, seen())
        case Click(behind=str()):
            return hidden_moves.behind(instruction, seen())
        case Scroll(within=Thing()):
            return field_moves.scroll_field(instruction, seen())
    return None
