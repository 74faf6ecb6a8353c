.PHONY: demo test setup setup-tests

demo: setup  ## watch the agent do a real piece of work
	.venv/bin/mark-i demo

test: setup-tests  ## prove it: style, types, and the tests on real applications
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/python -m pytest --numprocesses auto --dist worksteal

setup:  ## system packages and .venv/; the others do it too
	@scripts/setup

setup-tests:  ## and the applications on which it is tested
	@scripts/setup tests
