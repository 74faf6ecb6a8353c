"""`mark-i bench`: what is promised in numbers, measured on this machine."""

import json

import click

from mark_i.cli_parts import Commands, json_option


@click.group(cls=Commands)
def bench() -> None:
    """Measure what is promised in numbers."""


@bench.command()
@click.option("--steps", type=click.IntRange(min=1000), default=10_000, show_default=True, help="Of the long run.")
@json_option
def mind(steps: int, as_json: bool) -> None:
    """Prompts, replies, and a very long run.

    Example: mark-i bench mind --steps 2000
    """
    from mark_i.bench.mind import measured  # noqa: PLC0415 - a command loads only what it needs

    tell(measured(steps), as_json=as_json)


def tell(figures: dict[str, object], *, as_json: bool) -> None:
    """The figures, one a line, or as one JSON object."""
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        click.echo(f"{name:32}{value}")
