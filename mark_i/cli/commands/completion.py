"""`mark-i completion`: print a completion script for a shell."""

from typing import Final, Literal, get_args

import click
from click.shell_completion import get_completion_class

Shell = Literal["bash", "zsh", "fish"]
VARIABLE: Final = "_MARK_I_COMPLETE"  # with which the shell asks click


@click.command()
@click.argument("shell", type=click.Choice(get_args(Shell)))
@click.pass_context
def completion(context: click.Context, shell: Shell) -> None:
    """Print a script that completes commands, options and the names of runs, tools, workflows and settings.

    \b
    bash: add to ~/.bashrc:  eval "$(mark-i completion bash)"
    zsh: add to ~/.zshrc:    eval "$(mark-i completion zsh)"
    fish: mark-i completion fish > ~/.config/fish/completions/mark-i.fish

    Example: mark-i completion bash
    """  # noqa: D301 - click reads the character itself, and no backslash
    root = context.find_root()
    asked = get_completion_class(shell)(root.command, {}, root.info_name or "", VARIABLE)
    click.echo(asked.source())
