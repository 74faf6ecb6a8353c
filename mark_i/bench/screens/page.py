"""Show a described screen as a web page, which posts where it drew what."""

import base64
import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from mark_i.bench.screens.described import Item, Screen

BASE: Final = """
body { font: 15px sans-serif; margin: 0; padding: 24px; width: 900px }
.row { display: flex; align-items: center; gap: 10px; margin: 6px 0; flex-wrap: wrap }
.form { display: grid; grid-template-columns: max-content max-content; gap: 10px 14px; align-items: center;
  margin: 8px 0 }
.stack > div { margin: 10px 0 } .stack label { display: block; margin-bottom: 3px }
.grid { display: inline-grid; gap: 6px; margin: 6px 0 }
fieldset { margin: 10px 0 } label { white-space: pre-line }
input[type=text], input[type=password], select:not([size]) { width: 220px; box-sizing: border-box }
input[type=range] { width: 180px } textarea { width: 300px; height: 80px }
select[size] { width: 260px; overflow: hidden }
table { border-collapse: collapse; margin: 8px 0 } td, th { padding: 5px 14px; text-align: left; min-width: 90px }
[role=tablist] { display: flex; gap: 2px; border-bottom: 1px solid #999; margin-top: 10px }
[role=tab] { padding: 6px 14px; border: 1px solid #999; border-bottom: 0; background: none; color: inherit;
  font: inherit }
[role=tab][aria-selected=true] { background: #8883; font-weight: bold }
[role=menubar] { display: flex; gap: 4px; border-bottom: 1px solid #999; margin: -14px 0 10px }
[role=menuitem] { padding: 5px 10px } [role=menu] { position: absolute; border: 1px solid #888; z-index: 2;
  background: Canvas; box-shadow: 2px 2px 6px #0005 } .title { position: relative }
.check { display: flex; width: max-content; gap: 6px; align-items: center; margin: 5px 0 }
dialog { padding: 20px } img { display: block }
"""
STYLES: Final = {
    "plain": "td, th { border: 1px solid #bbb }",
    "modern": """body { font: 16px "DejaVu Sans", sans-serif; background: Canvas }
button:not([role]), input[type=text], input[type=password], input[type=number], select, textarea {
  border: 1px solid #b5b9c0; border-radius: 6px; padding: 7px 12px; font: inherit; background: Field; color: FieldText }
button:not([role]) { background: #e8edf5; color: #1c2733 } button.first { background: #1b66d1; color: white }
th { border-bottom: 2px solid #888 } td { border-bottom: 1px solid #ccc }
[role=switch] { appearance: none; width: 40px; height: 22px; border-radius: 11px; background: #9aa3ad;
  position: relative }
[role=switch]::before { content: ""; position: absolute; width: 16px; height: 16px; left: 3px; top: 3px;
  border-radius: 50%; background: white } [role=switch]:checked { background: #1b66d1 }
[role=switch]:checked::before { left: 21px }""",
    "flat": """body { font: 14px serif }
button:not([role]) { border: 0; background: #dde3ea; color: #222; padding: 8px 16px }
input[type=text], input[type=password], input[type=number], select, textarea { border: 0;
  border-bottom: 2px solid #777; background: #8882; padding: 6px; font: inherit; color: inherit }
tr:nth-child(even) { background: #8882 } fieldset { border: 1px dashed #999 }""",
}
SCRIPT: Final = """
const box = (one) => { const r = one.getBoundingClientRect(); return [r.x, r.y, r.width, r.height].map(Math.round) };
const shown = (one) => one.checkVisibility();
const view = [0, 0, innerWidth, innerHeight];
for (const one of document.querySelectorAll(".title")) one.onclick = () => {
  one.nextElementSibling.hidden = !one.nextElementSibling.hidden;
  one.setAttribute("aria-expanded", String(!one.nextElementSibling.hidden)) };
document.querySelector("dialog")?.showModal();
let said = "";
setInterval(() => {
  const places = {}, covers = [];
  for (const one of document.querySelectorAll("[data-id]")) if (shown(one)) places[one.dataset.id] = box(one);
  for (const one of document.querySelectorAll("[data-own]"))
    if (shown(one)) covers.push({ box: one.matches("dialog") ? view : box(one), own: JSON.parse(one.dataset.own) });
  const now = JSON.stringify({ places, covers, clients: [view] });
  if (now !== said) fetch("/places", { method: "POST", body: said = now });
}, 150);
"""


class Page:
    """Writes the elements of a screen as HTML."""

    def __init__(self, screen: Screen, icons: Path) -> None:
        self._shown, self._icons = screen.shown, icons

    def html(self) -> str:
        """Return the page."""
        shown = self._shown
        scheme = "dark" if shown.get("dark") else "light"
        dialog = ""
        if over := shown.get("dialog"):
            own = json.dumps(over["own"])
            dialog = (
                f'<dialog data-own="{own}" aria-label="{escape(over["title"])}">{self._all(over["children"])}</dialog>'
            )
        style = f":root {{ color-scheme: {scheme} }} {BASE} {STYLES[shown.get('theme') or 'plain']}"
        return (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(shown["title"])}</title>'
            f"<style>{style}</style>{self._all(shown['children'])}{dialog}<script>{SCRIPT}</script></html>"
        )

    def _all(self, nodes: Sequence[Item]) -> str:
        return "\n".join(map(self._one, nodes))

    def _one(self, node: Item) -> str:
        return str(getattr(self, f"_{node['kind']}")(node))

    def _column(self, node: Item) -> str:
        return f"<div>{self._all(node['children'])}</div>"

    def _row(self, node: Item) -> str:
        return f'<div class="row" style="gap: {node.get("gap", 10)}px">{self._all(node["children"])}</div>'

    def _grid(self, node: Item) -> str:
        cells = [one for row in node["rows"] for one in row]
        columns = len(node["rows"][0])
        style = f"grid-template-columns: repeat({columns}, auto); gap: {node.get('gap', 6)}px"
        return f'<div><div class="grid" style="{style}">{self._all(cells)}</div></div>'

    def _form(self, node: Item) -> str:
        rows = "".join(
            f"{self._one(label) if label else '<span></span>'}{self._one(one)}" for label, one in node["rows"]
        )
        return f'<div class="form">{rows}</div>'

    def _stack(self, node: Item) -> str:
        rows = "".join(f"<div>{self._one(label) if label else ''}{self._one(one)}</div>" for label, one in node["rows"])
        return f'<div class="stack">{rows}</div>'

    def _frame(self, node: Item) -> str:
        legend = f"<legend {_id(node)}>{escape(node['name'])}</legend>"
        return f"<fieldset>{legend}{self._all(node['children'])}</fieldset>"

    def _tabs(self, node: Item) -> str:
        tabs = "".join(
            f'<button role="tab" data-id="{number}" aria-selected="{str(at == node.get("on", 0)).lower()}">'
            f"{escape(name)}</button>"
            for at, (number, name) in enumerate(zip(node["ids"], node["name"], strict=True))
        )
        return f'<div role="tablist">{tabs}</div><div role="tabpanel">{self._all(node["children"])}</div>'

    def _text(self, node: Item) -> str:
        if "labels" in node:
            return f'<label {_id(node)} for="e{node["labels"]}">{escape(node["name"])}</label>'
        return f"<div><label {_id(node)}>{escape(node['name'])}</label></div>"

    def _heading(self, node: Item) -> str:
        return f"<h2><span {_id(node)}>{escape(node['name'])}</span></h2>"

    def _line(self, _node: Item) -> str:
        return "<hr>"

    def _button(self, node: Item) -> str:
        off = " disabled" if node.get("disabled") else ""
        if not node.get("icon"):
            kind = ' class="first"' if node.get("first") else ""
            return f'<button type="button" {_id(node)}{kind}{off}>{escape(node["name"])}</button>'
        icon = base64.b64encode((self._icons / f"{node['icon']}.png").read_bytes()).decode()
        by = "title" if node.get("by", "tooltip") == "tooltip" else "aria-label"
        flat = ' style="border: 0; background: none"' if node.get("flat") else ""
        image = f'<img alt="" src="data:image/png;base64,{icon}">'
        return f'<button type="button" {_id(node)} {by}="{escape(node["name"])}"{flat}{off}>{image}</button>'

    def _checkbox(self, node: Item) -> str:
        return self._ticked(node, 'type="checkbox"')

    def _radio(self, node: Item) -> str:
        return self._ticked(node, f'type="radio" name="g{node.get("group", -1)}"')

    def _ticked(self, node: Item, kind: str) -> str:
        name = escape(node["name"])
        return f'<label class="check" {_id(node)}><input {kind}{_states(node)}><span>{name}</span></label>'

    def _switch(self, node: Item) -> str:
        return f'<input type="checkbox" role="switch" {_field(node)}{_states(node)}>'

    def _textbox(self, node: Item) -> str:
        hint = f' placeholder="{escape(node["hint"])}"' if node.get("hint") else ""
        return f'<input type="text" {_field(node)} value="{escape(node.get("value", ""))}"{hint}{_states(node)}>'

    def _password(self, node: Item) -> str:
        return f'<input type="password" {_field(node)} value="{escape(node.get("value", ""))}"{_states(node)}>'

    def _textarea(self, node: Item) -> str:
        return f"<textarea {_field(node)}{_states(node)}>{escape(node.get('value', ''))}</textarea>"

    def _spin(self, node: Item) -> str:
        return f'<input type="number" {_field(node)} value="{node["value"]}"{_states(node)} style="width: 90px">'

    def _combobox(self, node: Item) -> str:
        options = "".join(
            f"<option{' selected' if one == node['value'] else ''}>{escape(one)}</option>" for one in node["options"]
        )
        if node.get("editable"):
            held = f'list="l{node["id"]}" value="{escape(node["value"])}"'
            return f'<input type="text" {_field(node)} {held}><datalist id="l{node["id"]}">{options}</datalist>'
        return f"<select {_field(node)}{_states(node)}>{options}</select>"

    def _slider(self, node: Item) -> str:
        return f'<input type="range" {_field(node)} value="{node.get("value", 0)}"{_states(node)}>'

    def _link(self, node: Item) -> str:
        return f'<div><a {_id(node)} href="#">{escape(node["name"])}</a></div>'

    def _list(self, node: Item) -> str:
        options = "".join(
            f'<option data-id="{number}"{" selected" if one == node.get("value") else ""}>{escape(one)}</option>'
            for number, one in zip(node["ids"], node["options"], strict=True)
        )
        return f'<select size="{max(2, len(node["options"]))}" {_field(node)}>{options}</select>'

    def _table(self, node: Item) -> str:
        head, *lines = node["ids"]
        titles = _cells("th", head, node["name"])
        rows = "".join(f"<tr>{_cells('td', ids, row)}</tr>" for ids, row in zip(lines, node["rows"], strict=True))
        return f"<table><tr>{titles}</tr>{rows}</table>"

    def _menubar(self, node: Item) -> str:
        found = ""
        for title, entries in node["name"].items():
            ids: list[Any] = node["items"] if title == node.get("open") else [None] * len(entries)
            items = "".join(
                f'<div role="menuitem" tabindex="-1"{_number(number)}>{escape(one)}</div>'
                for number, one in zip(ids, entries, strict=True)
            )
            item = f'data-id="{node["ids"][title]}" role="menuitem" aria-haspopup="menu" aria-expanded="false"'
            own = f" data-own='{json.dumps(ids)}'" if ids[0] is not None else ""
            found += f'<div><div class="title" tabindex="0" {item}>{escape(title)}</div>'
            found += f'<div role="menu" hidden{own}>{items}</div></div>'
        return f'<div role="menubar">{found}</div>'


def _id(node: Item) -> str:
    return f'data-id="{node["id"]}"'


def _number(number: int | None) -> str:
    return "" if number is None else f' data-id="{number}"'


def _field(node: Item) -> str:
    """Return the attributes by which a field is found, and by which its label names it."""
    named = (
        "" if "labelled" in node or node.get("hint") or node.get("unnamed") else f' aria-label="{escape(node["name"])}"'
    )
    return f'id="e{node["id"]}" {_id(node)}{named}'


def _states(node: Item) -> str:
    return (" checked" if node.get("on") else "") + (" disabled" if node.get("disabled") else "")


def _cells(tag: str, ids: Sequence[int], texts: Sequence[str]) -> str:
    return "".join(f'<{tag} data-id="{at}">{escape(text)}</{tag}>' for at, text in zip(ids, texts, strict=True))
