.PHONY: demo test check style types security house audit setup setup-tests

demo: setup  ## watch the agent do a real piece of work
	.venv/bin/mark-i demo

test: check  ## prove it: all checks, and the tests on real applications
	.venv/bin/python -m pytest --numprocesses auto --dist worksteal --reruns 1 --rerun-show-tracebacks -raR --ignore tests/test_house.py

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

audit: setup  ## known holes in what we depend on; needs the network
	@scripts/audit

setup:  ## system packages and .venv/; the others do it too
	@scripts/setup

setup-tests:  ## and the applications on which it is tested
	@scripts/setup tests
