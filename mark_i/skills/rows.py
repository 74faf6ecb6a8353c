"""The rows of a table: a skill is done once for each, with its columns as parameters."""

import csv
from pathlib import Path

from world_model import UsageError, file_fault


def rows_of(file: Path) -> list[dict[str, str]]:
    """Read a CSV file whose first line names the columns.

    Raises:
        UsageError: it cannot be read, has no rows, or a row has more or fewer values than columns.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {file_fault(error)}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 text: save the table as CSV in UTF-8.") from error
    try:
        [columns, *lines] = list(csv.reader(text.splitlines(keepends=True), strict=True))
    except csv.Error as error:
        raise UsageError(f"{file} is not a CSV file: {error}.") from error
    except ValueError as error:
        raise UsageError(f"{file} is empty: its first line must name the columns.") from error
    rows = []
    for number, line in enumerate(lines, 2):
        if not line:
            continue
        if len(line) != len(columns):
            raise UsageError(f"{file}, row {number}: it has {len(line)} values, and there are {len(columns)} columns.")
        rows.append({name.strip(): value for name, value in zip(columns, line, strict=True)})
    if not rows:
        raise UsageError(f"{file} has no rows under its line of columns.")
    return rows
