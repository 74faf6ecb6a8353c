"""Past runs as the resources of an MCP server: which there are, and of each its steps and its report."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Final, TypeVar

from anyio.to_thread import run_sync
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from mark_i.config.api_keys import Keys
from mark_i.config.paths import runs_folder
from mark_i.report.page import report
from mark_i.runs.account import account
from mark_i.runs.store import Summary, find_run, summaries
from world_model import JournalError, UsageError, cut

RUNS: Final = "mark-i://runs"
ADDRESS: Final = re.compile(rf"{RUNS}(?:/(?P<run>[^/]+)(?P<report>/report)?)?")
PAGE_RUNS: Final = 50
GOAL_CHARS: Final = 100  # of the title of a run
ALL: Final = Resource(uri=RUNS, name="runs", description="Every run, newest first.", mime_type="application/json")
STEPS: Final = ("What was thought, done and observed.", "text/markdown")
REPORT: Final = ("The report, one page with every image.", "text/html")

T = TypeVar("T")


class RunResources:
    """Answers the requests of a client for past runs of a profile. Secrets are left out of all that it reads."""

    def __init__(self, profile: str) -> None:
        self._profile = profile

    async def page(self, _context: object, params: PaginatedRequestParams | None) -> ListResourcesResult:
        """List the runs, page by page; a cursor is the number of the first run on the page."""
        cursor = (params and params.cursor) or "0"
        if not cursor.isdecimal():
            raise MCPError(INVALID_PARAMS, f"There is no page {cursor!r}.")
        first, found = int(cursor), await _read(self._summaries)
        page = found[first : first + PAGE_RUNS]
        after = first + len(page)
        return ListResourcesResult(
            resources=[*([] if first else [ALL]), *(one for run in page for one in _of_run(run))],
            next_cursor=str(after) if after < len(found) else None,
        )

    async def templates(self, _context: object, _params: object) -> ListResourceTemplatesResult:
        """List the forms of the addresses of a run."""
        steps = _template("run", "{run}", *STEPS)
        return ListResourceTemplatesResult(resource_templates=[steps, _template("report", "{run}/report", *REPORT)])

    async def read(self, _context: object, params: ReadResourceRequestParams) -> ReadResourceResult:
        """Read the list of the runs, the steps of one, or its report."""
        address = ADDRESS.fullmatch(params.uri)
        if not address:
            raise MCPError(INVALID_PARAMS, f"There is no resource {params.uri!r}. There is {RUNS}.")
        run, wants_report = address["run"], address["report"]
        if run is None:
            text, kind = await _read(self._all), ALL.mime_type
        elif wants_report:
            text, kind = await _read(partial(self._report, run)), REPORT[1]
        else:
            text, kind = await _read(partial(self._steps, run)), STEPS[1]
        return ReadResourceResult(contents=[TextResourceContents(uri=params.uri, mime_type=kind, text=text)])

    def _summaries(self) -> list[Summary]:
        secrets = Keys(self._profile).secrets()
        return [secrets.cleared(one) for one in summaries(runs_folder(self._profile))]

    def _all(self) -> str:
        return json.dumps([asdict(one) for one in self._summaries()], ensure_ascii=False)

    def _steps(self, run: str) -> str:
        told = account(find_run(runs_folder(self._profile), run), "markdown")
        return Keys(self._profile).secrets().redacted(told)

    def _report(self, run: str) -> str:
        return report(find_run(runs_folder(self._profile), run), Keys(self._profile).secrets()).decode()


async def _read(read: Callable[[], T]) -> T:
    """Read without keeping the other requests waiting.

    Raises:
        MCPError: there is no such run, or it cannot be read.
    """
    try:
        return await run_sync(read, abandon_on_cancel=True)
    except (UsageError, JournalError) as error:
        raise MCPError(INVALID_PARAMS, str(error)) from error


def _of_run(run: Summary) -> tuple[Resource, Resource]:
    title = cut(run.goal, GOAL_CHARS) or run.run
    steps = Resource(
        uri=f"{RUNS}/{run.run}",
        name=run.run,
        title=title,
        description=f"Outcome: {run.outcome}. Steps: {run.steps}.",
        mime_type=STEPS[1],
    )
    return steps, steps.model_copy(
        update={
            "uri": f"{steps.uri}/report",
            "name": f"{run.run}/report",
            "description": REPORT[0],
            "mime_type": REPORT[1],
        }
    )


def _template(name: str, form: str, description: str, kind: str) -> ResourceTemplate:
    return ResourceTemplate(uri_template=f"{RUNS}/{form}", name=name, description=description, mime_type=kind)
