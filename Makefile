# What is compiled is kept, also where a machine's settings say otherwise: the tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-fast check style types security house snapshots audit setup setup-tests

demo: setup  ## watch the agent do a real piece of work
	.venv/bin/mark-i demo

test: setup-tests  ## prove it: all checks, beside each other, and the tests on real applications
	@$(MAKE) --no-print-directory --jobs $$(nproc) --output-sync check
	.venv/bin/python -m pytest --numprocesses $$((2 * $$(nproc))) --dist loadgroup --durations 30 --ignore tests/test_house.py

test-fast: setup-tests  ## the tests that need no display and start no process; two minutes
	.venv/bin/python -m pytest -q --numprocesses $$((2 * $$(nproc))) --dist worksteal -m "not (display or process or browser or bench)"

check: style types security house  ## what must hold before each commit; a minute, and no network

style: setup-tests  ## every rule of ruff's, but those that pyproject.toml leaves out with a reason
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .

types: setup-tests  ## mypy --strict
	.venv/bin/mypy

security: setup-tests  ## bandit
	.venv/bin/bandit --quiet --recursive --configfile pyproject.toml world_model toolbelt mark_i gui benchmarks

house: setup-tests  ## who may know whom, what importing does, what is in the wheel
	.venv/bin/python -m pytest -q tests/test_house.py

snapshots: setup-tests  ## renew tests/snapshots: the prompts and the help texts; look at what changed
	.venv/bin/python -m pytest -q --renew-snapshots tests/mark_i/prompts/test_prompt_snapshots.py tests/mark_i/cli/test_help_snapshots.py

audit: setup  ## known holes in what we depend on; needs the network
	@scripts/audit

setup:  ## what a user needs: system packages and .venv/
	@scripts/setup

setup-tests:  ## and what the tests need: applications, and the tools of developers
	@scripts/setup tests
