"""Show a described screen as a dialog of LibreOffice: `libreoffice.py SCREEN.json PLACES.json`.

It runs with the system's Python, which has LibreOffice's bindings, and loads nothing else. What it draws where, it
writes to PLACES.json whenever that changes.
"""

import ctypes
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # importing this file loads nothing of LibreOffice
    import uno  # type: ignore[import-not-found]  # Debian's

EVERY_S = 0.15
START_MAX_S = 60.0
MARGIN_PX = 12
GAP_PX = 8
FORM_GAP_PX = 10
FIELD_PX = 220
AREA_PX = (320, 80)
LIST_PX = 260
SPIN_PX = 120
KEY_PX = 44
HEADING_PT = 15.0
BOLD_PERCENT = 150.0  # as LibreOffice counts weights
TITLE_PX = 20  # of the height of the title of a frame
ALL = 15  # place and size are given

Node = dict[str, Any]
Place = list[int]
Size = tuple[int, int]
Control = Any  # LibreOffice is not there when types are checked


class Windows:
    """Tells where windows are: only X knows, since LibreOffice leaves out the bar above its own."""

    def __init__(self) -> None:
        self._x = ctypes.CDLL("libX11.so.6")
        self._x.XOpenDisplay.restype = self._x.XDefaultRootWindow.restype = ctypes.c_void_p
        self._server = ctypes.c_void_p(self._x.XOpenDisplay(None))
        self._root = ctypes.c_ulong(self._x.XDefaultRootWindow(self._server))

    def client(self, title: str) -> Place | None:
        """Return the rectangle of the window with a title, without what is around it; None if there is none."""
        left = [self._root]
        while left:
            window = left.pop()
            if self._title(window) == title.encode():
                return self._box(window)
            left += self._children(window)
        return None

    def _title(self, window: ctypes.c_ulong) -> bytes:
        name = ctypes.c_char_p()
        self._x.XFetchName(self._server, window, ctypes.byref(name))
        return name.value or b""

    def _children(self, window: ctypes.c_ulong) -> list[ctypes.c_ulong]:
        around, found, count = ctypes.c_ulong(), ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        there = ctypes.byref(around), ctypes.byref(around), ctypes.byref(found), ctypes.byref(count)
        self._x.XQueryTree(self._server, window, *there)
        return [ctypes.c_ulong(found[at]) for at in range(count.value)]

    def _box(self, window: ctypes.c_ulong) -> Place:
        x, y, child = ctypes.c_int(), ctypes.c_int(), ctypes.c_ulong()
        width, height, other = ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
        rest = [ctypes.byref(one) for one in (width, height, other, other)]
        self._x.XGetGeometry(self._server, window, ctypes.byref(child), ctypes.byref(x), ctypes.byref(y), *rest)
        at = (ctypes.byref(x), ctypes.byref(y), ctypes.byref(child))
        self._x.XTranslateCoordinates(self._server, window, self._root, 0, 0, *at)
        return [x.value, y.value, width.value, height.value]


class Show:
    """Lays the controls out in a dialog, and knows where they are."""

    def __init__(self, context: Control, screen: Node) -> None:
        self._context, self._screen, self._where = context, screen, Windows()
        self._boxes: dict[int, Place] = {}
        self._count = 0
        self._dialog = self._made("UnoControlDialog")
        self._model = self._made("UnoControlDialogModel")
        self._dialog.setModel(self._model)
        self._dialog.setTitle(screen["title"])
        self._dialog.setPosSize(400, 200, 600, 400, ALL)
        self._dialog.createPeer(self._made("Toolkit"), None)
        width, height = self._column(screen, MARGIN_PX, MARGIN_PX)
        self._dialog.setPosSize(0, 0, max(width + 2 * MARGIN_PX, screen.get("width") or 0), height + 2 * MARGIN_PX, 12)
        self._dialog.setVisible(True)

    def said(self) -> Node:
        """Return where everything is now."""
        client = self._where.client(self._screen["title"])
        if client is None:
            return {"places": {}, "clients": [], "covers": []}
        left, top, _, _ = client
        places = {one: [left + x, top + y, width, height] for one, (x, y, width, height) in self._boxes.items()}
        return {"places": places, "clients": [client], "covers": []}

    def _made(self, name: str) -> Control:
        return self._context.ServiceManager.createInstanceWithContext(f"com.sun.star.awt.{name}", self._context)

    def build(self, node: Node, x: int, y: int) -> Size:
        """Put a node at a place in the dialog; return how large it is."""
        width, height = getattr(self, f"_{node['kind']}")(node, x, y)
        if node.get("disabled"):
            self._newest.Enabled = False
        if "id" in node:
            self._boxes.setdefault(node["id"], [x, y, width, height])
        return width, height

    def _added(self, kind: str, **properties: object) -> Control:
        """Add a control to the dialog; return what shows it."""
        model = self._newest = self._model.createInstance(f"com.sun.star.awt.UnoControl{kind}Model")
        for name, value in properties.items():
            setattr(model, name, value)
        self._count += 1
        model.TabIndex = self._count
        self._model.insertByName(f"control{self._count}", model)
        return self._dialog.getControl(f"control{self._count}")

    def _put(self, kind: str, x: int, y: int, size: Size | None = None, **properties: object) -> Size:
        """Add a control at a place; without a size, or without a height, it is as large as it wants to be."""
        control = self._added(kind, **properties)
        wanted = control.getPreferredSize()
        width, height = size or (wanted.Width, wanted.Height)
        height = height or wanted.Height
        control.setPosSize(x, y, width, height, ALL)
        return width, height

    def _column(self, node: Node, x: int, y: int) -> Size:
        return self._along(node["children"], x, y, node.get("gap", GAP_PX), down=True)

    def _row(self, node: Node, x: int, y: int) -> Size:
        return self._along(node["children"], x, y, node.get("gap", GAP_PX), down=False)

    def _along(self, children: list[Node], x: int, y: int, gap: int, *, down: bool) -> Size:
        left, top, right, bottom = x, y, x, y
        for one in children:
            width, height = self.build(one, x, y)
            right, bottom = max(right, x + width), max(bottom, y + height)
            x, y = (x, y + height + gap) if down else (x + width + gap, y)
        return right - left, bottom - top

    def _grid(self, node: Node, x: int, y: int) -> Size:
        gap = node.get("gap", 6)
        for line, row in enumerate(node["rows"]):
            for column, one in enumerate(row):
                self.build({**one, "kind": "key"}, x + column * (KEY_PX + gap), y + line * (KEY_PX + gap))
        columns = max(len(row) for row in node["rows"])
        return columns * (KEY_PX + gap) - gap, len(node["rows"]) * (KEY_PX + gap) - gap

    def _key(self, node: Node, x: int, y: int) -> Size:
        return self._put("Button", x, y, (KEY_PX, KEY_PX), Label=node["name"])

    def _form(self, node: Node, x: int, y: int) -> Size:
        lengths = [self._length(label["name"]) for label, _ in node["rows"] if label]
        beside, top, right = x + max(lengths, default=0) + FORM_GAP_PX, y, x
        for label, field in node["rows"]:
            if label:
                self.build(label, x, y + 6)
            width, height = self.build(field, beside, y)
            right, y = max(right, beside + width), y + height + GAP_PX
        return right - x, y - GAP_PX - top

    def _stack(self, node: Node, x: int, y: int) -> Size:
        top, right = y, x
        for label, field in node["rows"]:
            if label:
                width, height = self.build(label, x, y)
                right, y = max(right, x + width), y + height + 2
            width, height = self.build(field, x, y)
            right, y = max(right, x + width), y + height + GAP_PX
        return right - x, y - GAP_PX - top

    def _frame(self, node: Node, x: int, y: int) -> Size:
        box = self._added("GroupBox", Label=node["name"])
        width, height = self._column(node, x + MARGIN_PX, y + TITLE_PX)
        around = width + 2 * MARGIN_PX, height + TITLE_PX + MARGIN_PX
        box.setPosSize(x, y, *around, ALL)
        self._boxes[node["id"]] = [x, y, self._length(node["name"]) + MARGIN_PX, TITLE_PX]
        return around

    def _length(self, text: str) -> int:
        """Return how wide a text is, by a label that is thrown away."""
        self._model.insertByName("ruler", self._model.createInstance("com.sun.star.awt.UnoControlFixedTextModel"))
        self._model.getByName("ruler").Label = text
        width: int = self._dialog.getControl("ruler").getPreferredSize().Width
        self._model.removeByName("ruler")
        return width

    def _text(self, node: Node, x: int, y: int) -> Size:
        return self._put("FixedText", x, y, Label=node["name"])

    def _heading(self, node: Node, x: int, y: int) -> Size:
        return self._put("FixedText", x, y, Label=node["name"], FontHeight=HEADING_PT, FontWeight=BOLD_PERCENT)

    def _line(self, _node: Node, x: int, y: int) -> Size:
        return self._put("FixedLine", x, y, (2 * FIELD_PX, 4))

    def _button(self, node: Node, x: int, y: int) -> Size:
        return self._put("Button", x, y, Label=node["name"])

    def _checkbox(self, node: Node, x: int, y: int) -> Size:
        state = int(bool(node.get("on")))
        return self._put("CheckBox", x, y, Label=node["name"], State=state)

    def _radio(self, node: Node, x: int, y: int) -> Size:
        return self._put("RadioButton", x, y, Label=node["name"], State=int(bool(node.get("on"))))

    def _textbox(self, node: Node, x: int, y: int) -> Size:
        return self._put("Edit", x, y, (FIELD_PX, 0), Text=node.get("value", ""), HelpText=node.get("hint", ""))

    def _password(self, node: Node, x: int, y: int) -> Size:
        return self._put("Edit", x, y, (FIELD_PX, 0), Text=node.get("value", ""), EchoChar=ord("•"))

    def _textarea(self, node: Node, x: int, y: int) -> Size:
        return self._put("Edit", x, y, AREA_PX, Text=node.get("value", ""), MultiLine=True)

    def _spin(self, node: Node, x: int, y: int) -> Size:
        value = float(node["value"])
        return self._put("NumericField", x, y, (SPIN_PX, 0), Value=value, DecimalAccuracy=0, Spin=True)

    def _combobox(self, node: Node, x: int, y: int) -> Size:
        options = tuple(node["options"])
        if node.get("editable"):
            return self._put("ComboBox", x, y, (FIELD_PX, 0), StringItemList=options, Text=node["value"], Dropdown=True)
        size = self._put("ListBox", x, y, (FIELD_PX, 0), StringItemList=options, Dropdown=True)
        self._newest.SelectedItems = (options.index(node["value"]),)
        return size

    def _list(self, node: Node, x: int, y: int) -> Size:
        options = tuple(node["options"])
        rows, heights = self._added("ListBox", StringItemList=options), list[int]()
        for count in (1, 2, len(options)):
            self._newest.LineCount = count
            heights.append(rows.getPreferredSize().Height)
        one, two, every = heights
        size = LIST_PX, every
        rows.setPosSize(x, y, *size, ALL)
        if node.get("value"):
            self._newest.SelectedItems = (options.index(node["value"]),)
        for line, number in enumerate(node["ids"]):
            self._boxes[number] = [x, y + (2 * one - two) // 2 + line * (two - one), LIST_PX, two - one]
        return size

    def _link(self, node: Node, x: int, y: int) -> Size:
        return self._put("FixedHyperlink", x, y, Label=node["name"], URL="https://example.org")


def started(folder: Path, *, dark: bool) -> Control:
    """Start LibreOffice with a profile of its own; return its context, once it answers."""
    pipe = f"screens{os.getpid()}"
    theme = {"GTK_THEME": "Adwaita:dark"} if dark else {}
    subprocess.Popen(  # noqa: S603 - it ends with the desktop
        [  # noqa: S607 - whichever is installed
            "soffice",
            f"--accept=pipe,name={pipe};urp",
            f"-env:UserInstallation={(folder / 'libreoffice').as_uri()}",
            *("--nologo", "--norestore", "--nodefault", "--nofirststartwizard"),
        ],
        env={**os.environ, **theme},
    )
    resolve = uno.getComponentContext().ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver").resolve
    refused, end_s = uno.getClass("com.sun.star.connection.NoConnectException"), time.monotonic() + START_MAX_S
    while True:
        try:
            return resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except refused:  # it does not listen yet
            if time.monotonic() > end_s:
                raise
            time.sleep(EVERY_S)


def main() -> None:
    """Run until it is ended."""
    screen, places = map(Path, sys.argv[1:])
    shown = json.loads(screen.read_text(encoding="utf-8"))
    show = Show(started(screen.parent, dark=bool(shown.get("dark"))), shown)
    written = ""
    while True:
        if (said := json.dumps(show.said())) != written:
            places.with_suffix(".new").write_text(said, encoding="utf-8")
            places.with_suffix(".new").replace(places)
            written = said
        time.sleep(EVERY_S)


if __name__ == "__main__":
    main()
