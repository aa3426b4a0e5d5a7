"""Runs commands of `hf`, each in a process of its own with what the ones before it left, and prints what each printed.

Given are `commands`, each with `run` (a command line), `token`, `input` and `keeps`: names with patterns, whose first
group is found in the output and put in the place of `{name}` in later lines.
"""

import io
import json
import os
import re
import shlex
import signal
import sys
import tempfile
import traceback

import click
from huggingface_hub.cli import hf

LONGEST_SECONDS = 240


def leaves(command: click.Command, path: list[str]) -> list[str]:
    """Returns all commands, as `hf` itself knows them."""
    if not isinstance(command, click.Group):
        return [" ".join(path)]
    context = click.Context(command)
    return [
        leaf
        for name in command.list_commands(context)
        for leaf in leaves(command.get_command(context, name), [*path, name])
    ]


def run(line: str, token: str | None, entered: str) -> dict:
    """Runs a command in a child of this process, which has imported the client already."""
    output = tempfile.TemporaryFile()
    standard_input = tempfile.TemporaryFile()
    standard_input.write(entered.encode())
    standard_input.seek(0)
    child = os.fork()
    if child == 0:
        os.dup2(standard_input.fileno(), 0)
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
        sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False))
        os.environ.pop("HF_TOKEN", None)
        if token is not None:
            os.environ["HF_TOKEN"] = token
        sys.argv = ["hf", *shlex.split(line)]
        signal.alarm(LONGEST_SECONDS)
        status = 1
        try:
            hf.main()
            status = 0
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    output.seek(0)
    return {"status": os.waitstatus_to_exitcode(ended), "output": output.read().decode(errors="replace")}


given = json.loads(sys.argv[1])
kept: dict[str, str] = {}
ran = []
for command in given["commands"]:
    line = re.sub(r"\{(\w+)\}", lambda found: kept.get(found[1], found[0]), command["run"])
    ran.append({"line": line, **run(line, command["token"], command["input"])})
    for name, pattern in command["keeps"].items():
        if found := re.search(pattern, ran[-1]["output"]):
            kept[name] = found[1]
json.dump({"leaves": leaves(hf.app, []), "ran": ran}, sys.stdout)
